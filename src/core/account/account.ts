/**
 * The whole account of a run: quantities, ranks with ledgers, fractions, verdict, problems, advice,
 * the table of fractions. One pure function of a run and a few options; everything the surfaces
 * show of a run is read from its result.
 */
import type { RankKey } from '../log/record';
import type { LogReading, Run } from '../log/run';
import type { Answer } from '../model/refusal';
import { budgetTerms } from '../sglang/budgetFormula';
import type { QuantityId } from '../sglang/quantityId';
import { sum } from '../terms/derive';
import type { Solution } from '../terms/solve';
import { solve } from '../terms/solve';
import type { Term } from '../terms/term';
import type { Quantity } from '../units/quantity';
import { simplestDecimal } from '../units/simplestDecimal';
import { units } from '../units/unit';
import type { Advice, Need, NoAdviceReason } from './advice';
import { adviseFraction, fractionTable } from './advice';
import { collectBudgetFacts, isDecided, sizingFigures } from './budgetFacts';
import type { BudgetFacts } from './budgetFacts';
import { givenQuantity } from './figure';
import type { Fractions } from './fraction';
import { fractionsOf } from './fraction';
import type { LedgerEntry } from './ledger';
import { availableAtReady, ledgerOf } from './ledger';
import { withLayoutFacts } from './layoutBudget';
import type { KnownRun } from './predictedPools';
import { argumentInForce, predictedPools } from './predictedPools';
import type { Problem } from './problem';
import { problemsOf } from './problem';
import type { RankFigures } from './rankFigures';
import { figuresOfRank } from './rankFigures';
import type { GivenConfig, RunLayout } from './runLayout';
import { layoutOfRun } from './runLayout';
import type { Outcome } from './verdict';
import { outcomeOf } from './verdict';
import type { WhatIfRow } from './whatIf';
import { WhatIf } from './whatIf';

/** What a person adds to what the log says. */
export interface AccountOptions {
  /** The fraction that somebody said was used (`--claim`). */
  readonly claim?: number;
  /** Tokens that the pool is to hold; without it one full-length request. */
  readonly needTokens?: number;
  /** The model's config.json: bytes per token and pools by its layout. */
  readonly config?: GivenConfig;
}

/** Quantities by id; what is not known is absent. */
export type Quantities = ReadonlyMap<QuantityId, Quantity>;

/** One rank's quantities and ledger. */
export interface RankAccount {
  readonly rank: RankKey;
  readonly quantities: Quantities;
  readonly ledger: readonly LedgerEntry[];
  /** True for the rank whose free memory decides the pool of all. */
  readonly isBinding: boolean;
  readonly figures: RankFigures;
}

/** Everything known of one run. */
export interface RunAccount {
  readonly run: Run;
  readonly quantities: Quantities;
  readonly ranks: readonly RankAccount[];
  readonly fraction: Fractions;
  readonly outcome: Outcome;
  readonly problems: readonly Problem[];
  readonly advice: Advice;
  readonly table: readonly WhatIfRow[];
  readonly budget: BudgetFacts;
  readonly solution: Solution;
  readonly whatIf: WhatIf;
  /** The config against this run, or why it gives nothing; undefined where none is given. */
  readonly layout: Answer<RunLayout> | undefined;
}

/** The accounts of all runs of a log, in order. */
export function accountOfLog(reading: LogReading, options: AccountOptions = {}): RunAccount[] {
  return reading.runs.map(run => accountOfRun(run, options));
}

/** The account of one run. */
export function accountOfRun(run: Run, options: AccountOptions = {}): RunAccount {
  const figures = run.ranks.map(figuresOfRank);
  const isOurFormula = run.formulaOwner.value === 'sglang';
  const collected = isOurFormula
    ? collectBudgetFacts(run, figures)
    : { facts: [], binding: undefined };
  const { budget, solution, layout } = joinConfig(run, collected, isOurFormula, options.config);
  const fraction = fractionsOf(run, budget.facts, solution, budget.binding, options.claim);
  const requestTable = solution.quantityOf(budgetTerms.requestTable);
  const graphs = budget.binding && sum(budget.binding.graphs.map(({ size }) => size.quantity));
  const outside = sum([requestTable, graphs].flatMap(cost => cost ?? []));
  const whatIf = new WhatIf(budget.facts, solution, outside);
  const ranks = figures.map(rank =>
    rankAccount(rank, requestTable, rank === budget.binding && isDecided(figures)),
  );
  const need = needOf(options, solution);
  const advice = adviseUnless(run, () =>
    adviseFraction(whatIf, solution, { requestTable, graphs }, need),
  );
  const outcome = outcomeWithSizing(run, solution);
  const partial = {
    run,
    quantities: withPrediction(
      runQuantities(run, budget.binding, fraction, solution, ranks),
      { run, ...budget, solution, outcome, fraction },
      layout,
    ),
    ranks,
    fraction,
    outcome,
    advice,
    table: isOurFormula ? tableOf(whatIf, fraction, outcome, advice) : [],
    budget,
    solution,
    whatIf,
    layout,
  };
  return { ...partial, problems: problemsOf(partial) };
}

/** The budget solved with what a config adds; without it where that cannot be true of this run. */
function joinConfig(
  run: Run,
  collected: BudgetFacts,
  isOurFormula: boolean,
  config: GivenConfig | undefined,
): Pick<RunAccount, 'budget' | 'solution' | 'layout'> {
  const terms = Object.values(budgetTerms);
  const layout = config && isOurFormula ? layoutOfRun(run, collected.binding, config) : undefined;
  if (layout?.kind === 'known') {
    const facts = withLayoutFacts(collected.facts, layout.value, collected.binding);
    const solution = solve(terms, facts);
    if (solution.contradiction === undefined) {
      return { budget: { ...collected, facts }, solution, layout };
    }
  }
  const solution = solve(terms, collected.facts);
  const isRefuted = solution.contradiction === undefined && layout?.kind === 'known';
  return {
    budget: collected,
    solution,
    layout: isRefuted ? { ...layout, value: { ...layout.value, agreement: 'differs' } } : layout,
  };
}

/** What a config says of quantities that the log does not print. */
function withPrediction(
  quantities: Quantities,
  known: Omit<KnownRun, 'fraction'> & { readonly fraction: Fractions },
  layout: RunAccount['layout'],
): Quantities {
  if (layout?.kind !== 'known') {
    return quantities;
  }
  const { effective, claimed } = known.fraction;
  const hasVision = layout.value.config.layout.vision !== undefined;
  const fraction = effective ?? argumentInForce(known.run, claimed, hasVision);
  return new Map([...predictedPools(layout.value, { ...known, fraction }), ...quantities]);
}

/**
 * A sizing line that proves a budget below zero is the verdict even where the log stops before the
 * error.
 */
function outcomeWithSizing(run: Run, solution: Solution): Outcome {
  const outcome = outcomeOf(run);
  const budget = solution.quantityOf(budgetTerms.kvBudget);
  const isProved = budget?.basis === 'proved' && budget.interval.hi <= 0;
  if (outcome.kind !== 'incomplete' || !isProved) {
    return outcome;
  }
  const cause = run.records.find(record =>
    sizingFigures(record).some(({ id }) => id === 'restMemory' || id === 'availableAfterLoad'),
  );
  return { kind: 'not-enough-memory', phase: 'sizing', cause };
}

/** The cases where a recommended fraction would mislead (design section 6). */
function adviseUnless(run: Run, advise: () => Advice): Advice {
  const none = (
    reason: Exclude<NoAdviceReason, 'inputs-missing' | 'need-does-not-fit'>,
  ): Advice => ({
    kind: 'none',
    reason,
    need: undefined,
    levers: [],
  });
  if (run.formulaOwner.value !== 'sglang') {
    return none('formula-owner');
  }
  const argument = (name: string) => run.serverArguments?.values.get(name)?.value;
  if (run.records.some(({ form }) => form.id === 'state-pool')) {
    return none('state-pool');
  }
  if (argument('device') === 'cpu') {
    return none('host-memory');
  }
  return argument('enable_memory_saver') === true ? none('memory-saver') : advise();
}

function needOf(options: AccountOptions, solution: Solution): Need | undefined {
  if (options.needTokens !== undefined) {
    return {
      kind: 'given',
      tokens: givenQuantity(options.needTokens, units.token, '--need-tokens'),
    };
  }
  const context = solution.quantityOf(budgetTerms.context);
  return context && { kind: 'request', tokens: { ...context, unit: units.token } };
}

/** Rows of other fractions, where they can be known; an offer is marked only where one is made. */
function tableOf(
  whatIf: WhatIf,
  fraction: Fractions,
  outcome: Outcome,
  advice: Advice,
): readonly WhatIfRow[] {
  const isOffer = outcome.kind === 'not-enough-memory' && advice.kind === 'fraction';
  const marks = [currentFraction(fraction), isOffer ? advice.row.fraction.nominal : undefined];
  const rows = fractionTable(
    whatIf,
    fraction.minimum,
    marks.flatMap(mark => mark ?? []),
  );
  return rows.filter(({ pool }) => pool !== undefined);
}

/** The value in force as a person would have typed it; undefined where nothing tells. */
export function currentFraction({ effective, implied, claimed }: Fractions): number | undefined {
  if (effective === undefined && implied !== undefined) {
    return simplestDecimal(implied.interval);
  }
  return (effective ?? claimed)?.nominal;
}

const solved: readonly (readonly [QuantityId, Term])[] = [
  ['totalBeforeLoad', budgetTerms.total],
  ['availableAfterLoad', budgetTerms.available],
  ['restMemory', budgetTerms.rest],
  ['budgetedBytesPerToken', budgetTerms.cell],
  ['allocatedBytesPerToken', budgetTerms.allocatedCell],
  ['bytesPerToken', budgetTerms.cell],
  ['profiledTokens', budgetTerms.profiled],
  ['requestToTokenPool', budgetTerms.requestTable],
];

function runQuantities(
  run: Run,
  binding: RankFigures | undefined,
  fraction: Fractions,
  solution: Solution,
  ranks: readonly RankAccount[],
): Quantities {
  const quantities = new Map<QuantityId, Quantity>();
  const put = (id: QuantityId, quantity: Quantity | undefined): void => {
    if (quantity !== undefined) {
      quantities.set(id, quantity);
    }
  };
  const own = ranks.find(({ figures }) => figures === binding) ?? ranks[0];
  for (const [id, quantity] of own?.quantities ?? []) {
    put(id, quantity);
  }
  for (const { id, quantity } of run.records.flatMap(sizingFigures).reverse()) {
    put(id, quantity);
  }
  for (const [id, term] of solved) {
    put(id, solution.quantityOf(term));
  }
  put('memFractionStatic', fraction.claimed);
  put('memFractionEffective', fraction.effective);
  if (fraction.effective !== undefined) {
    put('slack', solution.quantityOf(budgetTerms.slack));
  }
  // A pool that was never allocated has no tokens, whatever the formula would have given.
  if (own?.figures.kvPool !== undefined || run.records.some(({ form }) => form.id === 'summary')) {
    put('maxTotalTokens', solution.quantityOf(budgetTerms.tokens));
  }
  return quantities;
}

function rankAccount(
  figures: RankFigures,
  requestTable: Quantity | undefined,
  isBinding: boolean,
): RankAccount {
  const ledger = ledgerOf(figures, requestTable);
  return {
    rank: figures.rank,
    quantities: rankQuantities(figures, ledger),
    ledger,
    isBinding,
    figures,
  };
}

function rankQuantities(figures: RankFigures, ledger: readonly LedgerEntry[]): Quantities {
  const { kvPool, swaPool, summary } = figures;
  const shown: readonly (readonly [QuantityId, Quantity | undefined])[] = [
    ['contextAndComm', figures.contextAndComm?.quantity],
    ['loadBeginAvailable', figures.loadBegin?.quantity],
    ['loadEndAvailable', figures.loadEnd?.quantity],
    ['weights', ledger.find(({ id }) => id === 'weights')?.size ?? figures.weights?.quantity],
    ['draftWeights', figures.draftWeights?.quantity],
    ['kvPool', kvPool?.size.quantity],
    ['swaPool', swaPool?.size.quantity],
    ['maxTotalTokens', kvPool?.tokens?.quantity],
    ['swaTokens', swaPool?.tokens?.quantity],
    ['fullTokens', swaPool && kvPool?.tokens?.quantity],
    ['draftPool', figures.draftPools[0]?.size.quantity],
    ['statePool', figures.statePool?.quantity],
    ['stateSlots', figures.stateSlots?.quantity],
    ['graphMemory', sum(figures.graphs.map(({ size }) => size.quantity))],
    ['poolEndAvailable', figures.poolEnd?.quantity],
    ['finalAvailable', availableAtReady(figures)?.quantity],
    ['unaccounted', ledger.find(({ id }) => id === 'unaccounted')?.size],
    ['contextLength', summary && fieldOf(figures, 'context')],
    ['maxRunningRequests', summary && fieldOf(figures, 'running')],
  ];
  return new Map(shown.flatMap(([id, quantity]) => (quantity ? [[id, quantity] as const] : [])));
}

function fieldOf({ summary }: RankFigures, name: 'context' | 'running'): Quantity | undefined {
  const field = summary?.fields[name];
  const unit = name === 'context' ? units.token : units.request;
  return field
    ? {
        ...givenQuantity(field.value, unit, name),
        provenance: [{ kind: 'printed', line: field.line, file: summary.file }],
      }
    : undefined;
}
