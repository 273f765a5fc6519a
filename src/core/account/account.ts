/**
 * The whole account of a run: quantities, ranks with ledgers, fractions, verdict, problems, advice,
 * the table of fractions. One pure function of a run and a few options; everything the surfaces
 * show of a run is read from its result.
 */
import type { LogReading, Run } from '../log/run';
import { targetRecords } from '../log/targetRecords';
import type { Answer } from '../model/refusal';
import { budgetTerms } from '../sglang/budgetFormula';
import type { QuantityId } from '../sglang/quantityId';
import { sum } from '../terms/derive';
import type { Solution } from '../terms/solve';
import { givenQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import type { Advice, Need } from './advice';
import { adviseFraction, fractionTable, leversOf, stateLevers } from './advice';
import { adviseUnless } from './adviceGate';
import type { AutomaticFraction } from './automaticFraction';
import { automaticFraction, ownFraction } from './automaticFraction';
import { besidePools } from './besidePools';
import type { BetweenErrors } from './betweenErrors';
import { betweenErrors } from './betweenErrors';
import {
  asLow,
  collectBudgetFacts,
  foreignBudget,
  hidesRanks,
  isDecided,
  isLess,
} from './budgetFacts';
import { sizingFigures } from './sizingFacts';
import type { BudgetFacts } from './budgetFacts';
import type { Fractions } from './fraction';
import { fractionsOf } from './fraction';
import { factorInForce } from './fractionMultiplier';
import type { HostMemory } from './hostMemory';
import { hostMemoryOf } from './hostMemory';
import { movingFacts } from './movingFacts';
import { launchLine, retryCost } from './launchLine';
import { joinConfig, withPrediction } from './joinConfig';
import { isSized } from './ledger';
import { isWholePool } from './poolFacts';
import { currentFraction, fractionOfShortage, nearFraction } from './currentFraction';
import type { Problem } from './problem';
import { problemsOf } from './problem';
import type { Quantities, RankAccount } from './rankAccount';
import { rankAccount } from './rankAccount';
import type { RankFigures } from './rankFigures';
import { figuresOfRank } from './rankFigures';
import type { Relief } from './relief';
import { withinReplica } from './replicas';
import { reliefOf } from './relief';
import type { GivenConfig, RunLayout } from './runLayout';
import { runQuantities } from './runQuantities';
import type { FullPool } from './servingLoad';
import { fullestPool, poolUses } from './servingLoad';
import type { FreedMemory, OccupiedCard } from './sharedCard';
import { spareWithin, startWithin } from './spareFraction';
import { cardCapacityOf, freedMemoryOf, occupiedCardOf } from './sharedCard';
import type { Shortage } from './shortage';
import { sizingReasonOf } from './sizingReason';
import { shortageOf } from './shortage';
import { stateFacts } from './stateShare';
import type { Outcome } from './verdict';
import { knownLimit } from './tokenLimit';
import { isForMemory, outcomeOf } from './verdict';
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
  /** MiB of the card, as nvidia-smi shows it. */
  readonly card?: Quantity;
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
  /** Whether the fraction is the release's own, and which terms make that. */
  readonly automatic: AutomaticFraction | undefined;
  /** The allocation that failed, where the device's memory ended the run. */
  readonly shortage: Shortage | undefined;
  /** What relieves that shortage. */
  readonly relief: Relief | undefined;
  /** What batch lines say of a pool without free tokens; undefined where the run shows none. */
  readonly fullPool: FullPool | undefined;
  /** Host memory of the hierarchical cache. */
  readonly host: HostMemory | undefined;
  /** Free memory that came back after the pools were sized. */
  readonly freed: FreedMemory | undefined;
  /** Memory of the card that was taken before the start. */
  readonly occupied: OccupiedCard | undefined;
  /**
   * What the release would set without the flag, where memory may be to spare; undefined where that is
   * not known closely.
   */
  readonly ownFraction: Quantity | undefined;
  /** The largest fraction that still leaves the reserve; undefined where none can be known. */
  readonly spare: Advice | undefined;
  /** This run and another one of the log that failed from the opposite side. */
  readonly between: BetweenErrors | undefined;
  /** The launch with the advised flag, to paste; only where a change is advised. */
  readonly launch: string | undefined;
  /** Seconds from the first line to the failure: what another attempt costs. */
  readonly retry: Quantity | undefined;
}

/** The accounts of all runs of a log, in order. */
export function accountOfLog(reading: LogReading, options: AccountOptions = {}): RunAccount[] {
  return joinAccounts(reading.runs.map(run => accountOfRun(run, options)));
}

/** The accounts of one log with what they say only together. */
export function joinAccounts(accounts: readonly RunAccount[]): RunAccount[] {
  const pairs = betweenErrors(accounts);
  return accounts.map((account, index) => {
    const between = pairs[index];
    if (between === undefined && account.between === undefined) {
      return account;
    }
    const joined = { ...account, between };
    return { ...joined, problems: problemsOf(joined) };
  });
}

/** The account of one run. */
export function accountOfRun(run: Run, options: AccountOptions = {}): RunAccount {
  const figures = run.ranks.map(figuresOfRank);
  const isOurFormula = run.formulaOwner.value === 'sglang';
  const collected = isOurFormula ? collectBudgetFacts(run, figures) : foreignBudget(run);
  const { budget, solution, layout } = joinConfig(
    run,
    collected,
    isOurFormula ? options.config : undefined,
  );
  const outcome = outcomeWithSizing(run, solution);
  const shortage = shortageOf(run, outcome);
  const freed = freedMemoryOf(run);
  const plain = fractionsOf(run, budget.facts, solution, budget.binding, options.claim);
  const requestTable = solution.quantityOf(budgetTerms.requestTable);
  const graphs = budget.binding && sum(budget.binding.graphs.map(({ size }) => size.quantity));
  const outside = sum(
    [requestTable, graphs, laterDraft(budget.binding)].flatMap(cost => cost ?? []),
  );
  const state = stateFacts(run, budget.binding, solution);
  const moving = movingFacts(run, budget.binding, solution);
  const whatIf = new WhatIf(
    budget.facts,
    solution,
    besidePools(budget.facts, freed === undefined ? budget.binding : undefined, outside),
    [...state, ...moving],
  );
  const isKnown = !hidesRanks(run) && isDecided(figures, budget.binding);
  const least = isKnown ? asLow(budget.binding, withinReplica(run, figures, budget.binding)) : [];
  const hasPools = figures.some(isSized);
  const ranks = figures.map((rank, index) =>
    rankAccount(rank, run.ranks[index]?.records ?? [], requestTable, {
      isBinding: rank === budget.binding && isKnown,
      decides: least.includes(rank) && isLess(rank, withinReplica(run, figures, rank)),
      hasPools,
    }),
  );
  const own = ranks.find(rank => rank.figures === budget.binding) ?? ranks[0];
  const need = needOf(options, solution);
  const costs = { run, requestTable, graphs };
  const factor = factorInForce(run, plain);
  const relief =
    shortage &&
    reliefOf(shortage, {
      fraction: fractionOfShortage(plain),
      solution,
      whatIf,
      need,
      levers: [...leversOf(solution, costs, undefined), ...stateLevers(run, own?.figures)],
      factor,
    });
  const fraction =
    shortage === undefined && freed === undefined ? plain : { ...plain, maximum: relief?.ceiling };
  const sizing = sizingReasonOf(run, outcome, {
    rest:
      plain.claimed && plain.effective === undefined ? whatIf.row(plain.claimed).pool : undefined,
    hasPools,
  });
  const offered = adviseUnless(
    run,
    {
      sizing,
      freed,
      hasStateRule: state.length > 0,
      total: solution.quantityOf(budgetTerms.total),
    },
    () => {
      const limit = limitNeed(options, outcome, solution);
      const held = limit && adviseFraction(whatIf, solution, costs, limit, factor);
      // A limit beyond the card asks for nothing.
      return held?.kind === 'fraction'
        ? held
        : adviseFraction(whatIf, solution, costs, need ?? limit, factor);
    },
  );
  const quantities = withPrediction(
    runQuantities(run, budget.binding, fraction, solution, ranks),
    { run, ...budget, solution, outcome, fraction },
    layout,
  );
  const cards = {
    total: quantities.get('totalBeforeLoad'),
    card: options.card ?? quantities.get('cardCapacity'),
  };
  const offer = spareOf(outcome, offered, () =>
    adviseFraction(whatIf, solution, costs, undefined, factor),
  );
  const isStart = outcome.kind === 'not-enough-memory' && offered.kind === 'fraction';
  const releaseFraction =
    (offer?.kind === 'fraction' || isStart || outcome.kind === 'ok') && isOurFormula
      ? ownFraction(run, budget.binding, layout, cards)
      : undefined;
  const advice = isStart ? startWithin(offered, whatIf, { own: releaseFraction, factor }) : offered;
  const hasWholePool = isWholePool(run, budget.binding);
  const partial = {
    run,
    quantities,
    ranks,
    fraction,
    outcome,
    advice,
    table:
      isOurFormula && sizing === undefined
        ? tableOf(whatIf, { fraction, outcome, advice, relief }, quantities, hasWholePool)
        : [],
    budget,
    solution,
    whatIf,
    layout,
    automatic: isOurFormula ? automaticFraction(run, budget.binding, layout, cards) : undefined,
    shortage,
    relief,
    fullPool: outcome.cause && fullPoolOf(run, outcome),
    host: hostMemoryOf(run),
    freed,
    occupied: occupiedCardOf(cardCapacityOf(run), own?.figures),
    ownFraction: releaseFraction,
    spare: spareWithin(offer, advice, whatIf, {
      own: releaseFraction,
      inForce: plain.effective ?? plain.implied ?? plain.claimed,
      request: needOf({}, solution)?.tokens,
      factor,
    }),
    between: undefined,
    ...launchAgain(run, outcome, advice, relief),
  };
  return { ...partial, problems: problemsOf(partial) };
}

/** Weights and context of a draft that loads after the pools, outside the budget. */
function laterDraft(rank: RankFigures | undefined): Quantity | undefined {
  const { draftWeights, draftContext, draftLoadEnd, kvPool } = rank ?? {};
  const isLater = draftLoadEnd && kvPool && draftLoadEnd.record.line > kvPool.size.record.line;
  return isLater === true
    ? sum([draftWeights, draftContext].flatMap(cost => cost?.quantity ?? []))
    : undefined;
}

/** What a server that runs could have in place of free memory, where advice is possible at all. */
function spareOf(outcome: Outcome, advice: Advice, advise: () => Advice): Advice | undefined {
  const isPossible = advice.kind === 'fraction' || advice.reason === 'need-does-not-fit';
  return isPossible && !isForMemory(outcome) ? advise() : undefined;
}

/** A run that ended for want of memory: how to start it again, and what the attempt costs. */
function launchAgain(
  run: Run,
  outcome: Outcome,
  advice: Advice,
  relief: Relief | undefined,
): Pick<RunAccount, 'launch' | 'retry'> {
  const offered =
    outcome.kind === 'not-enough-memory' && advice.kind === 'fraction' ? advice.flag : relief?.flag;
  return {
    launch: offered === undefined ? undefined : launchLine(run, [offered]),
    // A sizing line that proves the failure is not its time.
    retry:
      startFailures.has(outcome.kind) && outcome.cause?.form.event.startsWith('fatal') === true
        ? retryCost(run, outcome.cause)
        : undefined,
  };
}

const startFailures: ReadonlySet<Outcome['kind']> = new Set([
  'not-enough-memory',
  'load-oom',
  'pool-oom',
  'graph-oom',
]);

/** The batch line behind the verdict, or the last one before it. */
function fullPoolOf(run: Run, { kind, cause }: Outcome): FullPool | undefined {
  if (cause === undefined || (kind !== 'pool-exhausted' && kind !== 'slots-exhausted')) {
    return undefined;
  }
  const before = run.records.slice(0, run.records.indexOf(cause) + 1);
  const line = before.findLast(
    record => (record.rank === cause.rank || cause.rank === '') && poolUses(record).length > 0,
  );
  return line && fullestPool(line);
}

/** Figures of sizing lines, one of which shows that nothing fits. */
const provingIds: ReadonlySet<QuantityId> = new Set([
  'restMemory',
  'availableAfterLoad',
  'profiledTokens',
]);

/**
 * A sizing line that proves a budget below zero is the verdict even where the log stops before the
 * error.
 */
function outcomeWithSizing(run: Run, solution: Solution): Outcome {
  const outcome = outcomeOf(run);
  const budget = solution.quantityOf(budgetTerms.kvBudget);
  const tokens = solution.quantityOf(budgetTerms.profiled);
  const isProved =
    (budget?.basis === 'proved' && budget.interval.hi <= 0) ||
    (tokens?.basis === 'proved' && tokens.interval.hi < 0 && outcome.phase === 'sizing');
  if (outcome.kind !== 'incomplete' || !isProved) {
    return outcome;
  }
  const cause = targetRecords(run).find(record =>
    sizingFigures(record).some(({ id }) => provingIds.has(id)),
  );
  return { kind: 'not-enough-memory', phase: 'sizing', cause };
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

/** A limit of tokens that somebody typed for a start that failed says how many are wanted. */
function limitNeed(
  { needTokens }: AccountOptions,
  { kind }: Outcome,
  solution: Solution,
): Need | undefined {
  const limit = knownLimit(solution);
  return limit && kind === 'not-enough-memory' && needTokens === undefined
    ? { kind: 'limit', tokens: limit }
    : undefined;
}

/** Rows of other fractions, where they can be known; an offer is marked only where one is made. */
function tableOf(
  whatIf: WhatIf,
  {
    fraction,
    outcome,
    advice,
    relief,
  }: Pick<RunAccount, 'fraction' | 'outcome' | 'advice' | 'relief'>,
  quantities: Quantities,
  hasWholePool: boolean,
): readonly WhatIfRow[] {
  const isOffer = outcome.kind === 'not-enough-memory' && advice.kind === 'fraction';
  const marks = [nearFraction(fraction), isOffer ? advice.row.fraction.nominal : undefined];
  const rows = fractionTable(
    whatIf,
    fraction.minimum,
    marks.flatMap(mark => mark ?? []),
  );
  const current = currentFraction(fraction);
  // A fraction that was too much for an allocation is no reason to try a larger one.
  const most =
    relief?.ceiling && (fraction.effective ?? fraction.implied ?? relief.ceiling).interval.hi;
  return rows
    .filter(row => row.pool !== undefined && (row.fraction.nominal ?? 0) <= (most ?? 1))
    .map(row =>
      row.fraction.nominal === current ? asPrinted(row, quantities, hasWholePool) : row,
    );
}

/** At the fraction in force the run itself says what it came to. */
function asPrinted(row: WhatIfRow, quantities: Quantities, hasWholePool: boolean): WhatIfRow {
  const printed = (id: QuantityId): Quantity | undefined => {
    const quantity = quantities.get(id);
    return quantity?.basis === 'proved' ? quantity : undefined;
  };
  // Of compressed attention no line prints the pool, but its tokens.
  const isSized = quantities.has('kvPool') || quantities.has('maxTotalTokens');
  // Beside a window a row counts both pools.
  const isOne = hasWholePool && !quantities.has('swaPool');
  const pool = isOne ? printed(isSized ? 'kvPool' : 'restMemory') : undefined;
  const tokens = isSized ? printed('maxTotalTokens') : printed('profiledTokens');
  return {
    ...row,
    ...(pool && { pool }),
    ...(tokens && { tokens }),
    ...(isSized && row.left && { left: quantities.get('finalAvailable') ?? row.left }),
  };
}
