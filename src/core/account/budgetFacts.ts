/**
 * What a log says of the budget's terms, as facts: the figures of the sizing code where it prints
 * them, else local samples linked by named assumptions. Leaves out the claimed fraction: whether a
 * claim fits is asked of the solution.
 */
import type { LogRecord } from '../log/record';
import type { Run } from '../log/run';
import { targetRecords } from '../log/targetRecords';
import { budgetTerms } from '../sglang/budgetFormula';
import { isWithin, mayBeWithin } from '../sglang/release';
import type { Fact } from '../terms/fact';
import { derive, factOf, sum } from '../terms/derive';
import { solve } from '../terms/solve';
import type { Term } from '../terms/term';
import type { Interval } from '../units/interval';
import { point } from '../units/interval';
import type { Provenance, Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { assumptions, pageBelowGiB, sampleDriftGiB, totalAboveBeginGiB } from './assumption';
import type { Figure } from './figure';
import { fieldQuantity, figure, givenQuantity } from './figure';
import { hasStateModel } from './stateModel';
import { multiplierInForce } from './fractionMultiplier';
import type { PoolFigure, RankFigures } from './rankFigures';
import { withinReplica } from './replicas';

/** Beyond every pool: a limit that does not bind is at least this. */
const noLimit = 2 ** 53;

/** No release has larger pages, in tokens. */
const largestPage = 1024;

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
  const pools = sizedOtherwise(run)
    ? []
    : hasHeadroom(run, binding)
      ? headroomFacts(run, binding, tokens)
      : [...tokens, ...poolFacts(run, binding)];
  return {
    binding,
    facts: [
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
      ...requestTableFacts(run, binding),
    ],
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

/** Releases that make the target's pool larger than the budget for speculation (reference 1.4). */
const headroomReleases = { from: '0.4.3.post3', to: '0.5.6.post2' };

function hasHeadroom(run: Run, binding: RankFigures | undefined): boolean {
  const algorithm = run.serverArguments?.values.get('speculative_algorithm')?.value;
  const isSpeculative =
    typeof algorithm === 'string' ||
    (binding?.draftPools.length ?? 0) > 0 ||
    run.ranks.some(({ draft }) => draft.length > 0);
  return isSpeculative && mayBeWithin(run.release, headroomReleases);
}

/** The pool holds the profiled tokens and those of the head-room, which no line prints. */
function headroomFacts(
  run: Run,
  binding: RankFigures | undefined,
  tokens: readonly Fact[],
): Fact[] {
  const [total] = tokens;
  const size = binding?.kvPool?.size.quantity;
  const count = binding?.kvPool?.tokens?.quantity;
  const rows = {
    ...givenQuantity(0, units.token, 'padding'),
    interval: { lo: 1, hi: largestPage },
  };
  const cell =
    size && count && derive('pool * 2**30 / (tokens + rows)', { pool: size, tokens: count, rows });
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

/** GiB by which equal pools of two stages can differ in print. */
const equalPoolsGiB = 0.03;

/**
 * Stages of a pipeline share A and P, and the one with most bytes per token gets the fewest tokens:
 * with tokens alike it is the one with the largest pool.
 */
function widestStage(ranks: readonly RankFigures[]): readonly RankFigures[] {
  const sizeOf = ({ kvPool }: RankFigures): number => kvPool?.size.quantity.interval.hi ?? -1;
  const widest = Math.max(...ranks.map(sizeOf));
  return widest < 0 ? ranks : ranks.filter(rank => sizeOf(rank) >= widest - equalPoolsGiB);
}

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

/**
 * The sample that stands for A: after the last model load before the pools. A draft that loads
 * before the target's pool (0.5.14 on) lowers A; one that loads later does not.
 */
function availableSample(rank: RankFigures): Figure | undefined {
  const { draftLoadEnd, kvPool, loadEnd, poolEnd, summary } = rank;
  const pool = kvPool?.size ?? poolEnd;
  const draftFirst =
    draftLoadEnd &&
    (pool === undefined
      ? summary === undefined
      : kvPool !== undefined && draftLoadEnd.record.line < pool.record.line);
  return draftFirst ? draftLoadEnd : loadEnd;
}

function fact(
  term: Term,
  interval: Interval,
  provenance: readonly Provenance[],
  more: Partial<Fact> = {},
): Fact {
  return { term, interval, basis: 'proved', provenance, ...more };
}

function assumed(term: Term, interval: Interval, id: string, more: Partial<Fact> = {}): Fact {
  return { term, interval, basis: 'assumed', assumptions: [id], provenance: [], ...more };
}

const termOfSizingField: Readonly<Record<string, Term>> = {
  availableAfterLoad: budgetTerms.available,
  totalBeforeLoad: budgetTerms.total,
  memFractionEffective: budgetTerms.fraction,
  slack: budgetTerms.slack,
  restMemory: budgetTerms.rest,
  budgetedBytesPerToken: budgetTerms.cell,
  profiledTokens: budgetTerms.profiled,
  // DSV4 prints its tokens page aligned.
  fullTokens: budgetTerms.uncapped,
};

/** Lines that the sizing code itself prints. Their P and A are the formula's own. */
function sizingFacts(run: Run): Fact[] {
  const printed = targetRecords(run).filter(({ form }) => form.event === 'sizing');
  const facts = new Map<Term, Fact>();
  for (const record of printed) {
    for (const { term, quantity } of sizingFields(record)) {
      // Every rank prints the same reduced values; the first says it.
      if (!facts.has(term)) {
        facts.set(term, factOf(term, quantity));
      }
    }
  }
  return [...facts.values()];
}

function sizingFields(record: LogRecord): { term: Term; quantity: Quantity }[] {
  return sizingFigures(record).flatMap(({ id, quantity }) => {
    const term = termOfSizingField[id];
    return term ? [{ term, quantity }] : [];
  });
}

/**
 * The fraction in force: multiplied, repeated by an error, or, where the sizing code prints its
 * result and no line shows A, the one of the launch arguments, which then gives A.
 */
function fractionFacts(
  run: Run,
  binding: RankFigures | undefined,
  printed: readonly Fact[],
): Fact[] {
  const known = multipliedFraction(run);
  const typed = run.serverArguments?.values.get('mem_fraction_static');
  const isOpen =
    printed.some(({ term }) => term === budgetTerms.rest) &&
    (binding === undefined || availableSample(binding) === undefined) &&
    !printed.some(({ term }) => term === budgetTerms.available);
  return known.length > 0 || !isOpen || typeof typed?.value !== 'number'
    ? known
    : [
        assumed(budgetTerms.fraction, point(typed.value), assumptions.notMultiplied, {
          provenance: [{ kind: 'printed', line: typed.line }],
          nominal: typed.value,
        }),
      ];
}

/** The fraction after what the release multiplied it by, where a line or the arguments tell. */
function multipliedFraction(run: Run): Fact[] {
  const record = run.records.find(
    ({ form, fields }) => form.id === 'fraction-adjusted' && fields['after'] !== undefined,
  );
  const printed = record?.fields['after'];
  const after = record && printed && fieldQuantity(record, printed);
  if (after !== undefined) {
    return [factOf(budgetTerms.fraction, after)];
  }
  const multiplier = multiplierInForce(run);
  const typed = run.serverArguments?.values.get('mem_fraction_static');
  if (multiplier === undefined || typeof typed?.value !== 'number') {
    return fractionOfError(run);
  }
  const product = typed.value * multiplier.factor;
  return [
    assumed(budgetTerms.fraction, point(product), assumptions.aiterMultiplies, {
      provenance: [{ kind: 'printed', line: typed.line }],
      nominal: product,
    }),
  ];
}

/** An error of the sizing code repeats the fraction; up to 0.5.4 aiter may have multiplied it. */
function fractionOfError(run: Run): Fact[] {
  const record = run.records.find(
    ({ form, fields }) => form.phase === 'sizing' && form.event === 'fatal' && fields['fraction'],
  );
  const printed = record?.fields['fraction'];
  const fraction = record && printed && fieldQuantity(record, printed);
  if (fraction === undefined) {
    return [];
  }
  return isWithin(run.release, { from: '0.5.4.post1' }) || record?.form.id === 'no-memory-left'
    ? [factOf(budgetTerms.fraction, fraction)]
    : [
        assumed(budgetTerms.fraction, fraction.interval, assumptions.notMultiplied, {
          provenance: fraction.provenance,
          ...(fraction.nominal !== undefined && { nominal: fraction.nominal }),
        }),
      ];
}

/** The figures of a sizing line, whoever's formula it is. */
export function sizingFigures(record: LogRecord): Figure[] {
  if (record.form.event !== 'sizing') {
    return [];
  }
  return Object.entries(record.form.fields).flatMap(([name, field]) => {
    const id = field.unit === 'text' ? undefined : field.quantity;
    return (id && figure(record, name, id)) ?? [];
  });
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

/** The rest that a failed state pool was to share, before its share (reference 1.7). */
function restOfStateError(run: Run): Fact[] {
  const record = run.records.find(({ form }) => form.id === 'state-does-not-fit');
  const field = record?.fields['rest'];
  const rest = record && field && fieldQuantity(record, field);
  const algorithm = run.serverArguments?.values.get('speculative_algorithm')?.value;
  const isSpeculative =
    typeof algorithm === 'string' || run.ranks.some(({ draft }) => draft.length > 0);
  if (rest === undefined || isSpeculative) {
    return [];
  }
  const { interval, provenance, nominal } = rest;
  return [
    assumed(budgetTerms.rest, interval, assumptions.noSpeculation, {
      provenance,
      ...(nominal !== undefined && { nominal }),
    }),
  ];
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
  const isReserved = run.records.some(({ form }) => form.id === 'multimodal-reservation');
  const terms = [budgetTerms.viable, ...(isReserved ? [] : [budgetTerms.minimum])];
  return viable === undefined ? [] : terms.map(term => factOf(term, viable));
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

function tokensFact(run: Run, binding: RankFigures | undefined): Fact[] {
  const summary = binding?.summary ?? run.records.findLast(({ form }) => form.id === 'summary');
  const field = summary?.fields['tokens'];
  const fromSummary = summary && field && fieldQuantity(summary, field);
  const quantity = binding?.kvPool?.tokens?.quantity ?? fromSummary;
  return quantity ? [factOf(budgetTerms.tokens, quantity)] : [];
}

function poolFacts(run: Run, binding: RankFigures | undefined): Fact[] {
  const pools = isWholePool(run, binding) ? [binding?.kvPool, binding?.swaPool] : [];
  const size = sum(pools.flatMap(pool => pool?.size.quantity ?? []));
  const facts: Fact[] = [];
  if (size !== undefined) {
    facts.push(factOf(budgetTerms.kvPool, size));
    if (binding?.kvPool?.tokens === undefined && binding?.draftPools.length === 0) {
      facts.push(
        assumed(
          budgetTerms.poolRemainder,
          { lo: -pageBelowGiB, hi: pageBelowGiB },
          assumptions.poolFillsBudget,
        ),
      );
    }
  }
  facts.push(...reservedFacts(run, binding));
  return facts;
}

/** What shares the budget with the KV pool, and bytes per token. */
function reservedFacts(run: Run, binding: RankFigures | undefined): Fact[] {
  const facts: Fact[] = [];
  const state = binding?.statePool?.quantity ?? fixedState(run);
  if (state !== undefined) {
    facts.push(factOf(budgetTerms.state, state));
  } else if (!hasStateModel(run)) {
    facts.push(fact(budgetTerms.state, point(0), [], { nominal: 0 }));
  }
  const reservation = run.records.find(({ form }) => form.id === 'multimodal-reservation');
  const reserved = reservation && firstField(reservation);
  facts.push(
    reserved
      ? factOf(budgetTerms.reservation, reserved)
      : fact(budgetTerms.reservation, point(0), [], { nominal: 0 }),
  );
  facts.push(...cellFacts(run, binding), draftBufferFact(binding?.draftPools[0]));
  return facts;
}

/** Compressed attention takes the states of its longest ratio out of the budget first. */
function fixedState(run: Run): Quantity | undefined {
  const record = run.records.find(({ form }) => form.id === 'dsv4-budget');
  const field = record?.fields['c128Fixed'];
  return record && field && fieldQuantity(record, field);
}

/** A hybrid of two pools whose lines are not both there says nothing of the budget. */
function isWholePool(run: Run, binding: RankFigures | undefined): boolean {
  const isHybrid = run.records.some(
    ({ form }) => form.id === 'swa-pool' || form.id === 'swa-split',
  );
  return !isHybrid || (binding?.kvPool !== undefined && binding.swaPool !== undefined);
}

function firstField(record: LogRecord): Quantity | undefined {
  const [field] = Object.values(record.fields);
  return field && fieldQuantity(record, field);
}

/** Buffers of drafts grow with the tokens, whoever budgets them; none where no line shows any. */
function draftBufferFact(draft: PoolFigure | undefined): Fact {
  const tokens = draft?.tokens?.quantity;
  const rows = {
    ...givenQuantity(0, units.token, 'padding'),
    interval: { lo: 1, hi: largestPage },
  };
  const cell =
    draft &&
    tokens &&
    derive('pool * 2**30 / (tokens + rows)', { pool: draft.size.quantity, tokens, rows });
  return cell
    ? factOf(budgetTerms.draftBufferCell, cell)
    : fact(budgetTerms.draftBufferCell, point(0), [], { nominal: 0 });
}

/**
 * What draft pools take of the budget: their bytes per token from 0.5.14 on, nothing before, and
 * anything between where the release is not known that well.
 */
function draftFact(run: Run, draft: PoolFigure | undefined): Fact | undefined {
  if (draft === undefined || isWithin(run.release, { from: '0.1.0', to: '0.5.13.post1' })) {
    return fact(budgetTerms.draftCell, point(0), [], { nominal: 0n });
  }
  const rows = {
    ...givenQuantity(0, units.token, 'padding'),
    interval: { lo: 1, hi: largestPage },
  };
  const tokens = draft.tokens?.quantity;
  const cell =
    tokens && derive('pool * 2**30 / (tokens + rows)', { pool: draft.size.quantity, tokens, rows });
  if (cell === undefined) {
    return undefined;
  }
  const shares = factOf(budgetTerms.draftCell, cell);
  return isWithin(run.release, { from: '0.5.14' })
    ? shares
    : fact(budgetTerms.draftCell, { lo: 0, hi: cell.interval.hi }, cell.provenance);
}

/**
 * Budgeted against allocated bytes per token. DSA with
 * FP8 rows was budgeted with 576 + 132 bytes a layer and allocated with 656 + 132 up to 0.5.16
 * (reference 3.1), and a single-buffer FP8 pool in those releases may be one.
 */
function cellFacts(run: Run, binding: RankFigures | undefined): Fact[] {
  const draft = binding?.draftPools[0];
  const facts = [draftFact(run, draft)].flatMap(found => found ?? []);
  if (!mayBeSparseFp8(run, binding)) {
    facts.push(
      assumed(budgetTerms.cellDifference, point(0), assumptions.allocatedAsBudgeted, {
        nominal: 0,
      }),
    );
  }
  return facts;
}

/**
 * True for a pool of one buffer with FP8 rows in a release that budgets sparse attention with fewer
 * bytes than it allocates.
 */
export function mayBeSparseFp8(run: Run, binding: RankFigures | undefined): boolean {
  return (
    binding?.kvPool?.parts.length === 0 &&
    /float8|fp8/.test(kvDtype(run, binding)) &&
    mayBeWithin(run.release, { from: '0.5.3.post1', to: '0.5.16' })
  );
}

function kvDtype(run: Run, binding: RankFigures): string {
  const line = run.records.find(({ form }) => form.id === 'kv-dtype');
  const argument = run.serverArguments?.values.get('kv_cache_dtype')?.value;
  return binding.kvPool?.dtype ?? line?.words['dtype'] ?? String(argument ?? '');
}

/**
 * The page: as typed, or any power of two that divides the tokens (they are page aligned). From
 * 0.5.15 on the dump may show a page that is raised later (reference 5.1). Buffers have one padding
 * row up to 0.4.3, a page of them since.
 */
function pageFacts(run: Run, tokens: readonly Fact[]): Fact[] {
  const typed = run.serverArguments?.values.get('page_size')?.value;
  const least = typeof typed === 'bigint' && typed > 0n ? Number(typed) : 1;
  const isFinal =
    typeof typed === 'bigint' && isWithin(run.release, { from: '0.1.0', to: '0.5.14' });
  const count = tokens[0]?.interval.lo;
  const most = isFinal || count === undefined ? least : Math.max(least, largestPowerOfTwo(count));
  const page =
    most === least
      ? fact(budgetTerms.page, point(least), [], { nominal: BigInt(least) })
      : assumed(budgetTerms.page, { lo: least, hi: most }, assumptions.pageIsPowerOfTwo);
  const padding = fact(
    budgetTerms.padding,
    { lo: 1, hi: most },
    [],
    most === 1 ? { nominal: 1n } : {},
  );
  return [page, padding];
}

/** The largest page that divides the tokens. */
export function largestPowerOfTwo(tokens: number): number {
  let page = largestPage;
  while (page > 1 && tokens % page !== 0) {
    page /= 2;
  }
  return page;
}

/**
 * True for a count that looks typed, or below what the sizing code printed: then a limit that the
 * log does not show may have decided. Profiled counts are round once in a thousand pools.
 */
function mayBeCapped(run: Run, tokens: readonly Fact[]): boolean {
  const count = tokens[0]?.interval.hi;
  if (count === undefined) {
    return false;
  }
  const printed = targetRecords(run)
    .flatMap(sizingFields)
    .filter(({ term }) => term === budgetTerms.uncapped);
  return (
    count % 1000 === 0 ||
    count % 4096 === 0 ||
    printed.some(({ quantity }) => quantity.interval.lo > count)
  );
}

function limitFacts(run: Run, tokens: readonly Fact[]): Fact[] {
  const args = run.serverArguments;
  const typed = args?.values.get('max_total_tokens');
  const clamped = targetRecords(run).some(({ form }) => form.id === 'token-clamp');
  const unlimited = { lo: noLimit, hi: Infinity };
  const facts: Fact[] = [];
  if (typed !== undefined && typeof typed.value === 'bigint') {
    facts.push(
      fact(budgetTerms.cap, point(Number(typed.value)), [{ kind: 'printed', line: typed.line }], {
        nominal: typed.value,
      }),
    );
  } else if (typed !== undefined || clamped) {
    facts.push(fact(budgetTerms.cap, unlimited, [], { nominal: BigInt(noLimit) }));
  } else if (!mayBeCapped(run, tokens)) {
    facts.push(
      assumed(budgetTerms.cap, unlimited, assumptions.noTokenCap, { nominal: BigInt(noLimit) }),
    );
  }
  const stages = run.parallel.pp ?? 1;
  facts.push(
    stages > 1
      ? assumed(budgetTerms.stageMinimum, unlimited, assumptions.bindingStage, {
          nominal: BigInt(noLimit),
        })
      : fact(budgetTerms.stageMinimum, unlimited, [], { nominal: BigInt(noLimit) }),
  );
  return facts;
}

/** No release estimates more rows by itself. */
const mostEstimatedRows = 4096;

/**
 * Rows can be more than the printed requests (reference 1.4): where these are half the tokens of a
 * tiny pool, where the attention is replicated, and where a decode server holds arriving ones.
 */
function mostRows(run: Run, requests: number, tokens: number): number {
  const { dp } = run.parallel;
  const isHalved = tokens > 0 && requests === Math.floor(tokens / 2);
  const isDecode = run.serverArguments?.values.get('disaggregation_mode')?.value === 'decode';
  return Math.max(
    requests * Math.max(1, dp ?? 1),
    isHalved ? mostEstimatedRows : 0,
    isDecode ? requests * 3 : 0,
  );
}

/**
 * Under data-parallel attention up to 0.5.9 a typed limit is divided among the ranks in print, and
 * the rows are the whole of it (reference 1.4). Undefined where that is not known.
 */
function undividedRows(run: Run, printed: number): number | undefined {
  const argument = (name: string) => run.serverArguments?.values.get(name)?.value;
  const typed = argument('max_running_requests');
  const { dp } = run.parallel;
  const isDivided =
    typeof typed === 'bigint' && dp !== undefined && Math.floor(Number(typed) / dp) === printed;
  const isKnown =
    argument('enable_dp_attention') === true &&
    argument('disaggregation_mode') !== 'decode' &&
    !hasStateModel(run) &&
    isWithin(run.release, { from: '0.4.2', to: '0.5.9' });
  return isDivided && isKnown ? Number(typed) : undefined;
}

/** Rows and entries of the request-to-token table (reference 1.4). */
function requestTableFacts(run: Run, binding: RankFigures | undefined): Fact[] {
  const summary = binding?.summary ?? run.records.findLast(({ form }) => form.id === 'summary');
  const running = summary?.fields['running'];
  const context = summary?.fields['context'];
  const facts: Fact[] = [];
  if (summary && running) {
    const oneMore = isWithin(run.release, { from: '0.5.12' }) ? 1 : 0;
    const printed = Number(running.value);
    const rows = undividedRows(run, printed) ?? printed;
    const isTold = rows > printed;
    const most = isTold ? rows : mostRows(run, rows, Number(summary.fields['tokens']?.value ?? 0));
    facts.push(
      assumed(
        budgetTerms.rows,
        { lo: rows, hi: Math.max(rows + oneMore, most) },
        assumptions.rowsAreRequests,
        {
          provenance: [{ kind: 'printed', line: running.line }],
          ...(most <= rows && { nominal: BigInt(rows + oneMore) }),
        },
      ),
    );
  }
  if (summary && context) {
    facts.push(
      fact(
        budgetTerms.context,
        point(Number(context.value)),
        [{ kind: 'printed', line: context.line }],
        {
          nominal: context.value,
        },
      ),
    );
  }
  const draftTokens = run.serverArguments?.values.get('speculative_num_draft_tokens')?.value;
  const speculative = typeof draftTokens === 'bigint' ? Number(draftTokens) : 0;
  const early = !isWithin(run.release, { from: '0.3.1.post2' });
  facts.push(
    fact(budgetTerms.extra, { lo: 4, hi: early ? 8 : 4 + speculative }, [], { nominal: 4n }),
  );
  return facts;
}
