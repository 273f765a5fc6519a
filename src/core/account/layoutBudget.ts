/**
 * What a config adds to the facts of a run's budget: bytes per token, budgeted and allocated, in
 * place of the supposition that the two are equal. Leaves out configs whose sizes are not the log's.
 */
import { budgetTerms } from '../sglang/budgetFormula';
import { perFullToken } from '../model/perFullToken';
import { factOf } from '../terms/derive';
import type { Fact } from '../terms/fact';
import { solve } from '../terms/solve';
import type { Term } from '../terms/term';
import type { Quantity } from '../units/quantity';
import { assumptions } from './assumption';
import type { RankFigures } from './rankFigures';
import type { RunLayout } from './runLayout';

/** The same join where a sizing line prints bytes per token: that decides which release it was. */
export function withPrintedCell(join: RunLayout, facts: readonly Fact[]): RunLayout {
  const { bytes } = join;
  const printed = facts.find(({ term, basis }) => term === budgetTerms.cell && basis === 'proved');
  if (printed === undefined || bytes.windowPool !== undefined) {
    return join;
  }
  const scope = bytes.scope.fork();
  scope.observe({ ...printed, term: bytes.budgeted });
  const terms = [bytes.budgeted, bytes.allocated, bytes.pool.cell];
  const solution = solve(terms, scope.facts, { explain: false });
  return solution.contradiction === undefined
    ? { ...join, bytes: { ...bytes, scope, solution } }
    : {
        ...join,
        agreement: 'differs',
        refuted: {
          expected: bytes.solution.quantityOf(bytes.budgeted),
          implied: solve([printed.term], [printed], { explain: false }).quantityOf(printed.term),
        },
      };
}

/** The facts of a run with those of its config. */
export function withLayoutFacts(
  facts: readonly Fact[],
  join: RunLayout,
  binding: RankFigures | undefined,
): readonly Fact[] {
  if (join.agreement === 'differs') {
    return facts;
  }
  const cells = cellFacts(join, binding, facts);
  const known = new Set(cells.map(({ term }) => term));
  // With both cells known nothing needs to be supposed of their difference, nor of the draft's share.
  const isSettled = known.has(budgetTerms.cell);
  const settled: readonly Term[] = isSettled
    ? [budgetTerms.cellDifference, ...(join.options.draft ? [budgetTerms.draftCell] : [])]
    : [];
  const isStateOpen = join.slot !== undefined && binding?.statePool === undefined;
  const dropped: readonly Term[] = [...settled, ...(isStateOpen ? [budgetTerms.state] : [])];
  return [...facts.filter(({ term }) => !dropped.includes(term)), ...cells];
}

function cellFacts(
  join: RunLayout,
  binding: RankFigures | undefined,
  facts: readonly Fact[],
): Fact[] {
  const { bytes, options } = join;
  const { solution } = bytes;
  const budgeted = bytes.windowPool
    ? perFullToken(bytes)?.budgeted
    : solution.quantityOf(bytes.budgeted);
  const allocated = bytes.windowPool ? undefined : solution.quantityOf(bytes.allocated);
  // A draft that the log shows and whose layers are not a whole number has dimensions of its own.
  const told = isOfAnyDtype(join, facts)
    ? (cell: Quantity) => orHalf(ofConfig(cell))
    : (cell: Quantity) => ofConfig(cell);
  const isDraftOpen = (binding?.draftPools.length ?? 0) > 0 && options.draft?.layers === undefined;
  return [
    ...(budgeted && !isDraftOpen ? [factOf(budgetTerms.cell, told(budgeted))] : []),
    ...(allocated ? [factOf(budgetTerms.allocatedCell, told(allocated))] : []),
  ];
}

/**
 * True where neither an argument nor a line tells of what dtype the cache is, and the count is below
 * zero: then no pool was made that could tell.
 */
function isOfAnyDtype({ agreement, options }: RunLayout, facts: readonly Fact[]): boolean {
  const isNegative = facts.some(
    ({ term, interval }) => term === budgetTerms.profiled && interval.hi < 0,
  );
  const isPrinted = facts.some(({ term }) => term === budgetTerms.cell);
  return options.isDtypeOpen && agreement === 'unchecked' && isNegative && !isPrinted;
}

/** Of the model's dtype, or of FP8 with half its bytes. */
function orHalf({ basis, assumptions: named, interval, provenance, unit }: Quantity): Quantity {
  return {
    unit,
    basis,
    assumptions: named,
    provenance,
    interval: { lo: interval.lo / 2, hi: interval.hi },
  };
}

/** A value that holds as far as the config is that of the model. */
export function ofConfig(quantity: Quantity): Quantity {
  return {
    ...quantity,
    basis: 'assumed',
    assumptions: [...new Set([...quantity.assumptions, assumptions.configOfModel])],
  };
}
