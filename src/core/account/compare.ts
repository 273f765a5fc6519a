/**
 * Why two runs got different pools: which inputs moved, what share of the token difference each
 * has (Shapley values over the budget formula), and what each run would get with the other's
 * fraction. Differences within sampling noise are not explained as settings.
 */
import { readFormulas } from '../terms/formula';
import { constant, input } from '../terms/build';
import { derive, factOf, sum } from '../terms/derive';
import type { Fact } from '../terms/fact';
import type { Solution } from '../terms/solve';
import { solve } from '../terms/solve';
import { substitute } from '../terms/substitute';
import { budgetTerms } from '../sglang/budgetFormula';
import { units } from '../units/unit';
import type { Term } from '../terms/term';
import type { QuantityId } from '../sglang/quantityId';
import { givenQuantity } from '../units/givenQuantity';
import type { Interval } from '../units/interval';
import { intersect } from '../units/interval';
import { simplestDecimal } from '../units/simplestDecimal';
import type { Quantity } from '../units/quantity';
import type { RunAccount } from './account';
import type { Advice, Need, OutsideCosts } from './advice';
import { adviseFraction, fractionOf } from './advice';
import { besidePools } from './besidePools';
import type { BetweenErrors } from './betweenErrors';
import { betweenErrors } from './betweenErrors';
import { factorInForce } from './fractionMultiplier';
import type { WhatIfRow } from './whatIf';
import { stateFacts } from './stateShare';
import { bindingLimit } from './tokenLimit';
import { WhatIf } from './whatIf';

/** The inputs of the budget that can move. */
export type ComparedId =
  'totalBeforeLoad' | 'availableAfterLoad' | 'memFractionEffective' | 'bytesPerToken';

/** One input in both runs. `share` is its part of the token difference, in tokens. */
export interface ComparedInput {
  readonly id: ComparedId;
  readonly a: Quantity;
  readonly b: Quantity;
  readonly hasMoved: boolean;
  readonly share: Quantity | undefined;
}

/** What a run would get with the other run's fraction. */
export interface Prediction {
  readonly run: 'a' | 'b';
  readonly row: WhatIfRow;
  /** A value that gives this run what the other got; undefined where that got no pool. */
  readonly advice: Advice | undefined;
}

/** A run whose pool a typed limit decides, and not memory. */
export interface LimitedRun {
  readonly run: 'a' | 'b';
  readonly limit: Quantity;
}

/** A launch argument as each log shows it. */
export interface DifferentFlag {
  readonly flag: string;
  readonly a: string;
  readonly b: string;
}

/** Two runs side by side. */
export interface Comparison {
  readonly a: RunAccount;
  readonly b: RunAccount;
  readonly inputs: readonly ComparedInput[];
  /** Tokens of b minus tokens of a, as printed or profiled. */
  readonly difference: Quantity | undefined;
  readonly predictions: readonly Prediction[];
  readonly limits: readonly LimitedRun[];
  /** Launch arguments that both logs show with different values, but for the fraction. */
  readonly flags: readonly DifferentFlag[];
  /** What two failures from opposite sides leave between them. */
  readonly between: BetweenErrors | undefined;
  /** Quantities of both runs that differ beyond noise, other than the inputs. */
  readonly otherMoves: readonly {
    readonly id: QuantityId;
    readonly a: Quantity;
    readonly b: Quantity;
  }[];
}

/** Gaps up to these sizes are sampling noise between runs with equal settings. */
const noise: Readonly<Record<ComparedId, number>> = {
  totalBeforeLoad: 0.1,
  availableAfterLoad: 0.1,
  memFractionEffective: 0.0005,
  bytesPerToken: 0.5,
};

const otherIds: readonly QuantityId[] = [
  'weights',
  'contextAndComm',
  'graphMemory',
  'requestToTokenPool',
  'contextLength',
  'maxRunningRequests',
];

/** Compares two runs. */
export function compareRuns(a: RunAccount, b: RunAccount): Comparison {
  const pairs = comparedInputs(a, b);
  const limits = [...limitOf('a', a), ...limitOf('b', b)];
  const shares =
    hasNothingElse(a) && hasNothingElse(b) && limits.length === 0
      ? shapleyShares(sharpened(pairs))
      : new Map<ComparedId, Quantity>();
  const tokens = [tokensOf(a), tokensOf(b)] as const;
  return {
    a,
    b,
    inputs: pairs.map(pair => ({ ...pair, share: shares.get(pair.id) })),
    difference: tokens[0] && tokens[1] && derive('b - a', { a: tokens[0], b: tokens[1] }),
    predictions: [...predict('a', a, b), ...predict('b', b, a)],
    limits,
    flags: differentFlags(a.run, b.run),
    between: betweenErrors([a, b]).find(between => between !== undefined),
    otherMoves: otherIds.flatMap(id => {
      const [left, right] = [a.quantities.get(id), b.quantities.get(id)];
      return left && right && gapBetween(left.interval, right.interval) > 0.1
        ? [{ id, a: left, b: right }]
        : [];
    }),
  };
}

/** What the run got, or what its sizing came to before it failed. */
export function tokensOf(account: RunAccount): Quantity | undefined {
  return account.quantities.get('maxTotalTokens') ?? account.quantities.get('profiledTokens');
}

/** As typed where the pools agree, which under a limit of tokens bound it on one side only. */
function fractionInForce({ fraction }: RunAccount): Quantity | undefined {
  const { effective, implied, claimed } = fraction;
  const typed =
    claimed && implied && intersect(claimed.interval, implied.interval)
      ? claimed.nominal
      : undefined;
  if (effective !== undefined || implied === undefined || typed === undefined) {
    return effective ?? implied ?? claimed;
  }
  return isClosed(implied) ? { ...implied, nominal: typed } : claimed;
}

/** The most by which values may differ, as a share of them, and still be called alike. */
const alikeShare = 0.05;

function isClose(a: Interval, b: Interval): boolean {
  const highest = Math.max(a.hi, b.hi);
  return highest - Math.min(a.lo, b.lo) <= alikeShare * Math.abs(highest);
}

function isClosed({ interval: { lo, hi } }: Quantity): boolean {
  return Number.isFinite(lo) && Number.isFinite(hi);
}

function limitOf(run: 'a' | 'b', { solution }: RunAccount): LimitedRun[] {
  const limit = bindingLimit(solution);
  return limit === undefined ? [] : [{ run, limit }];
}

function comparedInputs(a: RunAccount, b: RunAccount): Omit<ComparedInput, 'share'>[] {
  const read = (account: RunAccount, id: ComparedId): Quantity | undefined =>
    id === 'memFractionEffective' ? fractionInForce(account) : account.quantities.get(id);
  return (Object.keys(noise) as ComparedId[]).flatMap(id => {
    const [left, right] = [read(a, id), read(b, id)];
    if (!left || !right) {
      return [];
    }
    const hasMoved = gapBetween(left.interval, right.interval) > noise[id];
    // Wide or one-sided bounds that touch say neither that it moved nor that it did not.
    return hasMoved || isClose(left.interval, right.interval)
      ? [{ id, a: left, b: right, hasMoved }]
      : [];
  });
}

/** Bytes per token that did not move are the same in both: what either log proves holds for both. */
function sharpened(
  pairs: readonly Omit<ComparedInput, 'share'>[],
): readonly Omit<ComparedInput, 'share'>[] {
  return pairs.map(pair => {
    const { id, a, b, hasMoved } = pair;
    if (id !== 'bytesPerToken' || hasMoved) {
      return pair;
    }
    const sharper = a.interval.hi - a.interval.lo <= b.interval.hi - b.interval.lo ? a : b;
    return { ...pair, a: sharper, b: sharper };
  });
}

/** The distance between two intervals; 0 where they touch. */
function gapBetween(a: Interval, b: Interval): number {
  return Math.max(0, a.lo - b.hi, b.lo - a.hi);
}

const termOfInput: Readonly<Record<ComparedId, Term>> = {
  totalBeforeLoad: budgetTerms.total,
  availableAfterLoad: budgetTerms.available,
  memFractionEffective: budgetTerms.fraction,
  bytesPerToken: budgetTerms.cell,
};

/** What the shares leave out has to be nothing in both runs. */
const leftOut: readonly Term[] = [budgetTerms.reservation, budgetTerms.state];

function hasNothingElse({ solution }: RunAccount): boolean {
  return leftOut.every(term => Number(solution.quantityOf(term)?.exact ?? 1) === 0);
}

/**
 * Shapley values of the budget formula: each input's mean effect over all orders in which the
 * inputs of a could be exchanged for those of b. They add up to the modelled difference.
 */
function shapleyShares(
  pairs: readonly Omit<ComparedInput, 'share'>[],
): ReadonlyMap<ComparedId, Quantity> {
  const shares = new Map<ComparedId, Quantity>();
  const count = pairs.length;
  if (count < Object.keys(noise).length) {
    return shares;
  }
  const inputs = pairs.map(pair => ({
    pair,
    a: input(`${pair.id}.a`, pair.a.unit),
    b: input(`${pair.id}.b`, pair.b.unit),
  }));
  const facts = inputs.flatMap(({ pair, a, b }) => [factOf(a, pair.a), factOf(b, pair.b)]);
  const valueOf = (exchanged: number): Term => {
    const nothing = leftOut.map((term): [Term, Term] => [term, constant(0n, units.GiB)]);
    const chosen = inputs.map(({ pair, a, b }, place): [Term, Term] => [
      termOfInput[pair.id],
      (exchanged >> place) & 1 ? b : a,
    ]);
    return substitute(budgetTerms.profiled, new Map([...nothing, ...chosen]));
  };
  const values = Array.from({ length: 1 << count }, (_, exchanged) => valueOf(exchanged));
  for (const [place, { pair }] of inputs.entries()) {
    const parts: Record<string, Term> = {};
    const sums: string[] = [];
    for (const [exchanged, before] of values.entries()) {
      const after = values[exchanged | (1 << place)];
      if (((exchanged >> place) & 1) === 0 && after !== undefined) {
        const others = bitCount(exchanged);
        const orders = factorial(others) * factorial(count - 1 - others);
        parts[`before${exchanged}`] = before;
        parts[`after${exchanged}`] = after;
        sums.push(`(after${exchanged} - before${exchanged}) * ${orders} / ${factorial(count)}`);
      }
    }
    const share = only(readFormulas(`share = ${sums.join(' + ')}`, parts));
    const quantity = solve([share], facts, { explain: false }).quantityOf(share);
    if (quantity !== undefined) {
      shares.set(pair.id, quantity);
    }
  }
  return shares;
}

function only(terms: ReadonlyMap<string, Term>): Term {
  const [term] = terms.values();
  if (term === undefined) {
    throw new RangeError('a formula without a result');
  }
  return term;
}

function bitCount(mask: number): number {
  return mask === 0 ? 0 : (mask & 1) + bitCount(mask >> 1);
}

function factorial(n: number): number {
  return n <= 1 ? 1 : n * factorial(n - 1);
}

function predict(run: 'a' | 'b', account: RunAccount, other: RunAccount): Prediction[] {
  const borrowed = fractionInForce(other);
  const typed =
    borrowed && isClosed(borrowed)
      ? (borrowed.nominal ?? simplestDecimal(borrowed.interval))
      : undefined;
  const own = fractionInForce(account);
  if (typed === undefined || (own && gapBetween(own.interval, fractionOf(typed).interval) === 0)) {
    return [];
  }
  const costs = costsOf(account, other);
  const outside = sum([costs.requestTable, costs.graphs].flatMap(cost => cost ?? []));
  const { budget } = account;
  const { facts, solution } = withBorrowedBytes(account, other);
  const state = stateFacts(account.run, budget.binding, solution);
  const whatIf = new WhatIf(
    facts,
    solution,
    besidePools(facts, account.freed === undefined ? budget.binding : undefined, outside),
    state,
  );
  const tokens = other.quantities.get('maxTotalTokens');
  const need = tokens && isBehind(account, tokens) ? needOf(tokens, solution) : undefined;
  const row = whatIf.row(fractionOf(typed));
  if (row.pool === undefined && row.tokens === undefined) {
    return [];
  }
  return [
    {
      run,
      row,
      advice:
        need &&
        adviseFraction(whatIf, solution, costs, need, factorInForce(account.run, account.fraction)),
    },
  ];
}

/** As many tokens as the other run got, give or take what free memory differs by between starts. */
function needOf(tokens: Quantity, solution: Solution): Need {
  const cell = solution.quantityOf(budgetTerms.cell);
  const gap = givenQuantity(noise.availableAfterLoad, units.GiB, 'gap');
  const enough = cell && derive('tokens - gap * 2**30 / cell', { tokens, gap, cell });
  return { kind: 'other-run', tokens, ...(enough && { enough: enough.interval.hi }) };
}

/** True for a run that got less than the other, and would get more by a larger fraction. */
function isBehind(account: RunAccount, other: Quantity): boolean {
  const own = tokensOf(account);
  const isLess = own === undefined || own.interval.hi < other.interval.lo;
  return isLess && limitOf('a', account).length === 0;
}

/** Own costs; those of the other run only where they make the list whole: else a reserve covers them. */
function costsOf(account: RunAccount, other: RunAccount): OutsideCosts {
  const own = {
    run: account.run,
    requestTable: account.quantities.get('requestToTokenPool'),
    graphs: account.quantities.get('graphMemory'),
  };
  const both = {
    run: account.run,
    requestTable: own.requestTable ?? borrowedCost(other, 'requestToTokenPool'),
    graphs: own.graphs ?? borrowedCost(other, 'graphMemory'),
  };
  return both.requestTable && both.graphs ? both : own;
}

/** Bytes per token of the same launch at another fraction, where this run does not show its own. */
function withBorrowedBytes(
  { run, budget, solution }: RunAccount,
  other: RunAccount,
): { readonly facts: readonly Fact[]; readonly solution: Solution } {
  const isKnown = Number.isFinite(solution.intervalOf(budgetTerms.cell)?.hi);
  const borrowed = [budgetTerms.cell, budgetTerms.allocatedCell].flatMap((term): Fact[] => {
    const quantity = other.solution.quantityOf(term);
    const assumed = [...(quantity?.assumptions ?? []), 'bytes per token as in the other run'];
    return quantity && isClosed(quantity)
      ? [{ ...factOf(term, quantity), basis: 'assumed', assumptions: [...new Set(assumed)] }]
      : [];
  });
  if (isKnown || borrowed.length === 0 || !isSameLaunch(run, other.run)) {
    return { facts: budget.facts, solution };
  }
  const facts = [...budget.facts, ...borrowed];
  const joined = solve(Object.values(budgetTerms), facts, { explain: false });
  return joined.contradiction === undefined
    ? { facts, solution: joined }
    : { facts: budget.facts, solution };
}

/** True where all arguments that are read are the same but for the fraction. */
function isSameLaunch(a: RunAccount['run'], b: RunAccount['run']): boolean {
  const [left, right] = [a, b].map(({ serverArguments: args }) =>
    args?.isComplete === true && args.values.has('model_path')
      ? [...args.values]
          .filter(([name]) => name !== 'mem_fraction_static')
          .map(([name, { text }]) => `${name}=${text}`)
          .sort()
          .join('\n')
      : undefined,
  );
  return left !== undefined && left === right && a.modelClass === b.modelClass;
}

/** What says where a model is, and not how much memory it takes. */
const places: ReadonlySet<string> = new Set(['model_path', 'speculative_draft_model_path']);

/** Arguments of which only one log shows a value may be a default of another release. */
function differentFlags(a: RunAccount['run'], b: RunAccount['run']): DifferentFlag[] {
  return [...(a.serverArguments?.values ?? [])].flatMap(([name, { text }]) => {
    const other = b.serverArguments?.values.get(name)?.text;
    const isOther = other !== undefined && other !== text && name !== 'mem_fraction_static';
    return isOther && !places.has(name)
      ? [{ flag: `--${name.replaceAll('_', '-')}`, a: text, b: other }]
      : [];
  });
}

/** A cost that only the other run measured stands in, named as such. */
function borrowedCost(other: RunAccount, id: QuantityId): Quantity | undefined {
  const quantity = other.quantities.get(id);
  return (
    quantity && {
      ...quantity,
      basis: 'assumed',
      assumptions: [...new Set([...quantity.assumptions, 'costs as in the other run'])],
    }
  );
}

/** Whether the fraction is all that differs, as far as both runs tell. */
export function isFractionAlone(comparison: Comparison): 'known' | 'as-far-as-shown' | undefined {
  const { inputs, otherMoves, limits, flags } = comparison;
  const moved = inputs.filter(({ hasMoved }) => hasMoved);
  if (moved.length !== 1 || moved[0]?.id !== 'memFractionEffective') {
    return undefined;
  }
  if (otherMoves.length > 0 || limits.length > 0 || flags.length > 0) {
    return undefined;
  }
  return inputs.length === Object.keys(noise).length ? 'known' : 'as-far-as-shown';
}

/** The inputs that moved, by size of their share. */
export function movedInputs(comparison: Comparison): readonly ComparedInput[] {
  const size = ({ share }: ComparedInput): number =>
    share === undefined ? 0 : Math.abs(share.interval.lo + share.interval.hi);
  return comparison.inputs.filter(({ hasMoved }) => hasMoved).sort((x, y) => size(y) - size(x));
}
