/**
 * What a log says of the budget's terms, as facts: the figures of the sizing code where it prints
 * them, else local samples linked by named assumptions. Leaves out the claimed fraction: whether a
 * claim fits is asked of the solution.
 */
import type { Run } from '../log/run';
import { budgetTerms } from '../sglang/budgetFormula';
import { largestPage, printedCell } from '../sglang/printedCell';
import { isWithin } from '../sglang/release';
import { factOf, sum } from '../terms/derive';
import type { Fact } from '../terms/fact';
import { solve } from '../terms/solve';
import type { Term } from '../terms/term';
import type { Interval } from '../units/interval';
import { point } from '../units/interval';
import type { Quantity } from '../units/quantity';
import { assumptions, sampleDriftGiB, totalAboveBeginGiB } from './assumption';
import { headroomFact } from './draftHeadroom';
import type { Figure } from './figure';
import { fieldQuantity } from './figure';
import { fractionFacts } from './fractionFacts';
import { minimumBelowFraction } from './hiddenReserve';
import { limitFacts, mayBeCapped, pageFacts } from './limitFacts';
import { poolFacts, reservedFacts, tokensFact } from './poolFacts';
import type { RankFigures } from './rankFigures';
import { availableSample } from './rankFigures';
import { withinReplica } from './replicas';
import { requestTableFacts } from './requestTableFacts';
import { sizingFacts } from './sizingFacts';
import { restAtStateError } from './stateModel';
import { assumed, fact } from './statedFact';
import { withTypedDraftShare } from './typedDraftShare';

/** Facts of one run, and the rank whose samples they are. */
export interface BudgetFacts {
  readonly facts: readonly Fact[];
  readonly binding: RankFigures | undefined;
}

/** Collects the facts; empty where the run has nothing to size with. */
export function collectBudgetFacts(run: Run, all: readonly RankFigures[]): BudgetFacts {
  const binding = bindingRank(all, run.parallel.pp);
  const ranks = withinReplica(run, all, binding);
  const printed = sizingFacts(run);
  const tokens = tokensFact(run, binding);
  const table = requestTableFacts(run, binding);
  const headroom = headroomFact(run, binding, table);
  const pools = sizedOtherwise(run)
    ? []
    : headroom.interval.hi === Infinity
      ? headroomFacts(run, binding, tokens)
      : [...tokens, ...poolFacts(run, binding)];
  return {
    binding,
    facts: withTypedDraftShare(run, [
      ...printed,
      ...(printed.some(({ term }) => term === budgetTerms.fraction)
        ? []
        : fractionFacts(run, binding, printed)),
      ...viableFacts(run),
      ...restOfStateError(run),
      ...sampleFacts(run, ranks, binding, printed),
      ...pools,
      ...pageFacts(run, tokens),
      ...limitFacts(run, tokens),
      headroom,
      ...table,
    ]),
  };
}

/**
 * What a fork prints of its own sizing, where its figures are those of our formula; else nothing,
 * since another program may have sized the pool in another way.
 */
export function foreignBudget(run: Run): BudgetFacts {
  const printed = run.formulaOwner.value === 'fork' ? sizingFacts(run) : [];
  const needed = [budgetTerms.total, budgetTerms.available, budgetTerms.rest];
  const isPrinted = needed.every(needs => printed.some(({ term }) => term === needs));
  const facts = [
    ...printed.filter(({ term }) => [...needed, budgetTerms.fraction].includes(term)),
    fact(budgetTerms.reservation, point(0), [], { nominal: 0 }),
  ];
  const isOurs = isPrinted && solve([budgetTerms.rest], facts).contradiction === undefined;
  return { facts: isOurs ? facts : [], binding: undefined };
}

/**
 * Pools that the formula of A and P does not size: one buffer for several kinds of memory
 * (reference 1.5), or a pool that is sized after the capture of graphs.
 */
function sizedOtherwise(run: Run): boolean {
  return (
    run.serverArguments?.values.get('enable_unified_memory')?.value === true ||
    run.records.some(({ form }) => form.id === 'unified-pool' || form.id === 'post-capture-pool')
  );
}

/** The pool holds the profiled tokens and those of the head-room, which no line prints. */
function headroomFacts(
  run: Run,
  binding: RankFigures | undefined,
  tokens: readonly Fact[],
): Fact[] {
  const [total] = tokens;
  const cell = printedCell(binding?.kvPool?.size.quantity, binding?.kvPool?.tokens?.quantity);
  return [
    ...(total === undefined || mayBeLimited(run, tokens)
      ? []
      : [fact(budgetTerms.uncapped, { lo: -Infinity, hi: total.interval.hi }, total.provenance)]),
    ...(cell === undefined ? [] : [factOf(budgetTerms.allocatedCell, cell)]),
    ...reservedFacts(run, binding),
  ];
}

/** True where a limit may have cut tokens and head-room alike: then the pool bounds no budget. */
function mayBeLimited(run: Run, tokens: readonly Fact[]): boolean {
  const typed = run.serverArguments?.values.get('max_total_tokens');
  const count = tokens[0]?.interval.hi;
  return typeof typed?.value === 'bigint'
    ? count !== undefined && count + largestPage > Number(typed.value)
    : typed === undefined && mayBeCapped(run, tokens);
}

/**
 * The rank with the smallest A: its samples stand for the run (design section 4). Without samples
 * the one that has least after its pools, else the one that shows the most pools.
 */
function bindingRank(
  all: readonly RankFigures[],
  stages: number | undefined,
): RankFigures | undefined {
  const ranks = (stages ?? 1) > 1 ? widestStage(all) : all;
  const hasSamples = ranks.some(rank => availableSample(rank) !== undefined);
  const haveEnds = !hasSamples && ranks.every(({ poolEnd }) => poolEnd !== undefined);
  const end = (rank: RankFigures): number =>
    (haveEnds ? rank.poolEnd : availableSample(rank))?.quantity.interval.lo ?? Infinity;
  const pools = ({ kvPool, swaPool }: RankFigures): number =>
    [kvPool, swaPool].filter(pool => pool !== undefined).length;
  return ranks.reduce<RankFigures | undefined>((best, rank) => {
    const isLess = best === undefined || end(rank) < end(best);
    const isFuller = best !== undefined && end(rank) === end(best) && pools(rank) > pools(best);
    return isLess || isFuller ? rank : best;
  }, undefined);
}

/** GiB by which equal pools of two stages can differ in print, for each pool. */
const equalPoolsGiB = 0.03;

/**
 * Stages of a pipeline share A and P, and the one with most bytes per token gets the fewest tokens:
 * with tokens alike it is the one with the largest pools. Only pools that all stages show are compared.
 */
function widestStage(ranks: readonly RankFigures[]): readonly RankFigures[] {
  const shown = ranks.filter(({ kvPool }) => kvPool !== undefined);
  const parts = sharedPools.filter(part => shown.every(rank => part(rank) !== undefined));
  const sizeOf = (rank: RankFigures): number =>
    parts.reduce((total, part) => total + (part(rank)?.quantity.interval.hi ?? 0), 0);
  const widest = Math.max(...shown.map(sizeOf)) - equalPoolsGiB * parts.length;
  return shown.length === 0 ? ranks : shown.filter(rank => sizeOf(rank) >= widest);
}

/** The pools that share the budget of a stage. */
const sharedPools: readonly ((rank: RankFigures) => Figure | undefined)[] = [
  ({ kvPool }) => kvPool?.size,
  ({ swaPool }) => swaPool?.size,
  ({ statePool }) => statePool,
];

/** True where the log shows of every rank that it has no less than the binding one. */
export function isDecided(
  ranks: readonly RankFigures[],
  binding: RankFigures | undefined,
): boolean {
  return ranks.every(rank => rank === binding || isKnownNotLess(rank, binding));
}

/**
 * Every rank allocates the same pools, so one whose sample is not in the log is judged by what it
 * has after them.
 */
function isKnownNotLess(rank: RankFigures, binding: RankFigures | undefined): boolean {
  if (availableSample(rank) !== undefined && binding && availableSample(binding) !== undefined) {
    return true;
  }
  const [own, least] = [rank.poolEnd, binding?.poolEnd].map(end => end?.quantity.interval);
  return own !== undefined && least !== undefined && own.hi >= least.lo;
}

/** True where one of the others surely has more, beyond what rounding hides. */
export function isLess(rank: RankFigures, others: readonly RankFigures[]): boolean {
  return others.some(other => hasMore(other, rank));
}

/** The ranks that are not known to have more than the binding one: they decide as well as it. */
export function asLow(
  binding: RankFigures | undefined,
  ranks: readonly RankFigures[],
): readonly RankFigures[] {
  return binding === undefined ? [] : ranks.filter(rank => !hasMore(rank, binding));
}

/** Free after loading; of ranks without that line free after their pools, which are alike. */
function hasMore(rank: RankFigures, least: RankFigures): boolean {
  const sampleOf = (one: RankFigures): Figure | undefined =>
    availableSample(least) === undefined ? one.poolEnd : availableSample(one);
  const [more, own] = [sampleOf(rank), sampleOf(least)].map(figure => figure?.quantity.interval);
  return more !== undefined && own !== undefined && more.lo > own.hi;
}

/** The figure with the smallest lower bound; the first of equal ones. */
function leastOf(figures: readonly Figure[]): Figure | undefined {
  return figures.reduce<Figure | undefined>(
    (least, next) =>
      least === undefined || next.quantity.interval.lo < least.quantity.interval.lo ? next : least,
    undefined,
  );
}

function sampleFacts(
  run: Run,
  ranks: readonly RankFigures[],
  binding: RankFigures | undefined,
  printed: readonly Fact[],
): Fact[] {
  const isPrinted = (term: Term): boolean => printed.some(known => known.term === term);
  const begins = ranks.flatMap(({ loadBegin }) => loadBegin ?? derivedBegin(ranks));
  const begin = leastOf(begins);
  const end = leastOf(ranks.flatMap(rank => availableSample(rank) ?? []));
  const facts: Fact[] = [];
  if (begin !== undefined && !isPrinted(budgetTerms.total)) {
    const { interval, provenance, nominal } = begin.quantity;
    facts.push(
      assumed(
        budgetTerms.total,
        { lo: interval.lo, hi: interval.hi + totalAboveBeginGiB },
        assumptions.totalIsBegin,
        { provenance, ...(nominal !== undefined && { nominal }) },
      ),
    );
  }
  const seen = begin && end && availableOfViable(run, begin);
  if (end !== undefined && !isPrinted(budgetTerms.available)) {
    const { interval, provenance, nominal } = end.quantity;
    const isFreed = seen !== undefined && seen.lo > interval.hi + sampleDriftGiB;
    const isMissing =
      (seen !== undefined && seen.hi < interval.lo - sampleDriftGiB) ||
      hidesRanks(run) ||
      !isDecided(ranks, binding) ||
      hasLoraPool(run);
    facts.push(
      assumed(
        budgetTerms.available,
        {
          lo: isMissing ? 0 : interval.lo - sampleDriftGiB,
          hi: isFreed ? Infinity : interval.hi + sampleDriftGiB,
        },
        assumptions.availableIsEnd,
        { provenance, ...(nominal !== undefined && !isMissing && !isFreed && { nominal }) },
      ),
    );
  }
  return facts;
}

/** True where ranks that share the minimum of free memory are not in the log. */
export function hidesRanks({ parallel }: Run): boolean {
  const { ranksExpected, ranksSeen } = parallel;
  return parallel.hidesRanks || (ranksExpected !== undefined && ranksSeen < ranksExpected);
}

/**
 * The rest that a failed state pool was to share, before its share (reference 1.7). States of drafted
 * tokens, and from 0.5.16 on a fixed reserve, are subtracted before it is printed: then it is only
 * the least that P, A and the fraction left.
 */
function restOfStateError(run: Run): Fact[] {
  const rest = restAtStateError(run);
  const algorithm = run.serverArguments?.values.get('speculative_algorithm')?.value;
  const isPlain =
    algorithm === null &&
    run.ranks.every(({ draft }) => draft.length === 0) &&
    isWithin(run.release, { from: '0.1.0', to: '0.5.15.post1' });
  return rest === undefined
    ? []
    : isPlain
      ? [factOf(budgetTerms.rest, rest)]
      : [fact(budgetTerms.rest, { lo: rest.interval.lo, hi: Infinity }, rest.provenance)];
}

/** "minimum viable" of an error: 1 - A / P of the formula's own figures, over all ranks. */
function printedViable(run: Run): Quantity | undefined {
  const record = run.records.find(
    ({ form, fields }) => form.id === 'no-memory-left' && fields['minimum'] !== undefined,
  );
  const field = record?.fields['minimum'];
  return record && field && fieldQuantity(record, field);
}

/** It is the smallest fraction itself where nothing is reserved before the pools. */
function viableFacts(run: Run): Fact[] {
  const viable = printedViable(run);
  const isReserved =
    run.records.some(({ form }) => form.id === 'multimodal-reservation') ||
    minimumBelowFraction(run) !== undefined;
  const terms = [budgetTerms.viable, ...(isReserved ? [] : [budgetTerms.minimum])];
  return viable === undefined
    ? []
    : [
        ...terms.map(term => factOf(term, viable)),
        // The error is raised where nothing is left.
        fact(budgetTerms.rest, { lo: -Infinity, hi: 0 }, viable.provenance),
      ];
}

/** The A that a printed minimum means, in GiB, whichever rank has it. */
function availableOfViable(run: Run, begin: Figure): Interval | undefined {
  const viable = printedViable(run);
  const total = begin.quantity.interval;
  return (
    viable && {
      lo: (1 - viable.interval.hi) * total.lo,
      hi: (1 - viable.interval.lo) * (total.hi + totalAboveBeginGiB),
    }
  );
}

/** Without a begin line: free after plus what loading took. */
function derivedBegin(ranks: readonly RankFigures[]): Figure[] {
  return ranks.flatMap(({ loadBegin, loadEnd, weights }) => {
    const quantity =
      loadBegin === undefined && loadEnd && weights && sum([loadEnd.quantity, weights.quantity]);
    return quantity
      ? [{ id: 'loadBeginAvailable' as const, quantity, record: loadEnd.record }]
      : [];
  });
}

/** Buffers for adapters are allocated between the last sample and A, and no line shows them. */
function hasLoraPool(run: Run): boolean {
  return (
    run.serverArguments?.values.get('enable_lora')?.value === true ||
    run.records.some(({ form }) => form.id === 'lora-adapter' && form.phase !== 'serving')
  );
}
