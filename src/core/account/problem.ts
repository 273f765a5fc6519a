/**
 * What deserves a place in the Problems panel: one per run, never one per rank. Each carries the
 * line it is about and, where one is safe, the flag that cures it.
 */
import { message } from '../message/message';
import type { Message } from '../message/message';
import { budgetTerms } from '../sglang/budgetFormula';
import type { Fact } from '../terms/fact';
import { derive } from '../terms/derive';
import { UnitInferrer } from '../terms/evaluate';
import { nameOf } from '../terms/explain';
import { intersect } from '../units/interval';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import type { RunAccount } from './account';
import { adviceMessage, summaryMessage } from './accountSummary';
import { givenQuantity } from './figure';
import { linesOf } from './ledger';
import { overAllocated } from './overAllocation';

/** Every code, in the order of the contract. */
export const problemCodes = [
  'not-enough-memory',
  'fraction-mismatch',
  'contradiction',
  'idle-memory',
  'rank-imbalance',
  'advice-too-low',
  'tiny-pool',
  'occupied-before-start',
  'over-allocated',
  'unit-mismatch',
  'unit-label',
] as const;

export type ProblemCode = (typeof problemCodes)[number];

export interface Problem {
  readonly code: ProblemCode;
  readonly severity: 'error' | 'warning' | 'information';
  /** 1-based. */
  readonly line: number;
  readonly message: Message;
  /** A flag to paste; absent where no value is safe to offer. */
  readonly fix?: string;
}

/** Tokens and GiB from which an imbalance between ranks is worth a line (design section 4). */
const imbalance = { share: 0.01, gib: 0.5 };
const idleGiB = 10;

type Account = Omit<RunAccount, 'problems'>;

/** The problems of one run, gravest first. */
export function problemsOf(account: Account): Problem[] {
  return [
    ...notEnoughMemory(account),
    ...contradiction(account),
    ...fractionMismatch(account),
    ...rankImbalance(account),
    ...tinyPool(account),
    ...idleMemory(account),
    ...adviceTooLow(account),
    ...overAllocated(account),
  ];
}

function lineOf(quantity: Quantity | undefined, account: Account): number {
  return (quantity && linesOf(quantity)[0]) ?? account.run.lines[0];
}

function notEnoughMemory(account: Account): Problem[] {
  const { outcome, advice } = account;
  if (outcome.kind !== 'not-enough-memory' || outcome.cause === undefined) {
    return [];
  }
  return [
    {
      code: 'not-enough-memory',
      severity: 'error',
      line: outcome.cause.line,
      message: message('problem.not-enough-memory', {
        summary: summaryMessage(account),
        cure: adviceMessage(account),
      }),
      ...(advice.kind === 'fraction' && { fix: advice.flag }),
    },
  ];
}

/** Warned of only where proved facts alone make it. */
function contradiction(account: Account): Problem[] {
  const facts = account.solution.contradiction?.facts ?? [];
  if (facts.length === 0 || facts.some(({ basis }) => basis === 'assumed')) {
    return [];
  }
  const line = facts.map(lineOfFact).find(found => found !== undefined);
  return [
    {
      code: 'contradiction',
      severity: 'warning',
      line: line ?? account.run.lines[0],
      message: message('problem.contradiction', {
        facts: facts.flatMap(factMessage),
      }),
    },
  ];
}

/** `rest -10.603 GiB (line 1)`; a fact without a line, such as "no state pool", is left out. */
function factMessage(fact: Fact): Message[] {
  const line = lineOfFact(fact);
  const term = nameOf(fact.term);
  const unit = new UnitInferrer().unitOf(fact.term);
  if (line === undefined || term === undefined || unit === undefined) {
    return [];
  }
  const { interval, nominal, provenance } = fact;
  const value: Quantity = {
    interval,
    unit,
    basis: 'proved',
    assumptions: [],
    provenance,
    ...(nominal !== undefined && { printed: Number(nominal), nominal: Number(nominal) }),
  };
  return [message('contradiction.fact', { term, value, line })];
}

function lineOfFact(fact: Fact): number | undefined {
  return fact.provenance.flatMap(source => (source.kind === 'printed' ? [source.line] : []))[0];
}

function fractionMismatch(account: Account): Problem[] {
  const { claimed, effective, implied } = account.fraction;
  const inForce = effective ?? implied;
  if (claimed === undefined || inForce === undefined) {
    return [];
  }
  // An argument dump may print a rounded value, and some releases multiply it silently; a gap
  // below half a hundredth is not worth a warning.
  const near = { lo: inForce.interval.lo - 0.005, hi: inForce.interval.hi + 0.005 };
  if (intersect(near, claimed.interval) !== undefined) {
    return [];
  }
  return [
    {
      code: 'fraction-mismatch',
      severity: 'warning',
      line: lineOf(account.quantities.get('kvPool') ?? inForce, account),
      message: message('problem.fraction-mismatch', { claimed, implied: inForce }),
    },
  ];
}

function rankImbalance(account: Account): Problem[] {
  const cell = account.solution.quantityOf(budgetTerms.cell);
  const least = account.ranks.find(({ isBinding }) => isBinding)?.figures.loadEnd;
  const tokens = account.quantities.get('maxTotalTokens')?.interval.lo;
  const ends = account.ranks.flatMap(({ figures }) => figures.loadEnd ?? []);
  const best = ends.reduce<(typeof ends)[number] | undefined>(
    (kept, next) =>
      kept === undefined || next.quantity.interval.lo > kept.quantity.interval.lo ? next : kept,
    undefined,
  );
  const gap =
    best && least && derive('best - least', { best: best.quantity, least: least.quantity });
  const lost = gap && cell && derive('gap * 2**30 / cell', { gap, cell });
  if (!lost || tokens === undefined) {
    return [];
  }
  if (gap.interval.lo < imbalance.gib || lost.interval.lo < imbalance.share * tokens) {
    return [];
  }
  return [
    {
      code: 'rank-imbalance',
      severity: 'information',
      line: least.record.line,
      message: message('problem.rank-imbalance', {
        rank: { foreign: least.record.rank },
        gap,
        tokens: lost,
      }),
    },
  ];
}

function tinyPool(account: Account): Problem[] {
  const tokens = account.quantities.get('maxTotalTokens');
  const context = account.quantities.get('contextLength');
  if (!tokens || !context || tokens.interval.hi >= context.interval.lo) {
    return [];
  }
  return [
    {
      code: 'tiny-pool',
      severity: 'information',
      line: lineOf(tokens, account),
      message: message('problem.tiny-pool', { tokens, context }),
    },
  ];
}

function idleMemory(account: Account): Problem[] {
  const idle = account.quantities.get('finalAvailable');
  const cap = account.run.serverArguments?.values.get('max_total_tokens')?.value;
  const poolEnd = account.quantities.get('poolEndAvailable');
  // More free than after the pools: another process gave memory back, and the card is shared.
  const isShared = poolEnd && idle && idle.interval.lo > poolEnd.interval.hi;
  if (!idle || isShared === true || idle.interval.lo < idleGiB || typeof cap === 'bigint') {
    return [];
  }
  return [
    {
      code: 'idle-memory',
      severity: 'information',
      line: lineOf(idle, account),
      message: message('problem.idle-memory', { idle }),
    },
  ];
}

/** The engine's "raise above" is checked: reservations may have been subtracted after it. */
function adviceTooLow(account: Account): Problem[] {
  const { cause } = account.outcome;
  const suggested = cause?.fields['suggested'];
  const minimum = account.fraction.minimum;
  if (!cause || !suggested || !minimum || minimum.basis === 'assumed') {
    return [];
  }
  const advised = givenQuantity(suggested.value, units.one, 'suggested');
  return minimum.interval.lo <= advised.interval.hi
    ? []
    : [
        {
          code: 'advice-too-low',
          severity: 'warning',
          line: cause.line,
          message: message('problem.advice-too-low', { advised, minimum }),
        },
      ];
}
