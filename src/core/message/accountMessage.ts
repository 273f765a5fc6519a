/** Messages of the account: verdicts, problems, advice, notes. Wording is at the edge. */
import type { Quantity } from '../units/quantity';
import type { ForeignText, Message, Ratio } from './message';

/** Ids and arguments; an argument that may be unknown is a part of its own (`Message`). */
export interface AccountMessages {
  /** The pool got this and the server is ready. */
  'verdict.ok': { tokens: Quantity; pool: Quantity };
  'verdict.ok-plain': Record<string, never>;
  /** rest = A - P * (1 - f) is not positive. */
  'verdict.not-enough-memory': { rest: Quantity; fraction: Quantity; minimum: Quantity };
  'verdict.not-enough-memory-plain': { fraction: Quantity };
  'verdict.not-enough-memory-bare': Record<string, never>;
  /** Of values that a person gave. */
  'verdict.values': { rest: Quantity; tokens: Quantity; fraction: Quantity };
  'verdict.load-oom': Record<string, never>;
  'verdict.pool-oom': Record<string, never>;
  'verdict.graph-oom': Record<string, never>;
  'verdict.runtime-oom': Record<string, never>;
  'verdict.pool-exhausted': Record<string, never>;
  'verdict.slots-exhausted': Record<string, never>;
  'verdict.host-oom': Record<string, never>;
  'verdict.rank-imbalance': Record<string, never>;
  'verdict.not-memory': Record<string, never>;
  'verdict.incomplete': Record<string, never>;

  'problem.not-enough-memory': { summary: Message; cure: Message };
  'problem.fraction-mismatch': { claimed: Quantity; implied: Quantity };
  'problem.contradiction': { facts: readonly Message[] };
  'contradiction.fact': { term: string; value: Quantity; line: number };
  'problem.rank-imbalance': { rank: ForeignText; gap: Quantity; tokens: Quantity };
  'problem.idle-memory': { idle: Quantity };
  'problem.tiny-pool': { tokens: Quantity; context: Quantity };
  /** Buffers take more per token than the budget counts. */
  'problem.over-allocated': { over: Quantity; budgeted: Quantity; allocated: Quantity };
  'problem.advice-too-low': { advised: Quantity; minimum: Quantity };

  /** Which direction, and what the offered value gives. */
  'advice.fraction': { fraction: Quantity; tokens: Quantity; left: Quantity; need: Message };
  'advice.fraction-unmeasured': {
    fraction: Quantity;
    tokens: Quantity;
    left: Quantity;
    reserve: Quantity;
  };
  'advice.does-not-fit': { need: Message; reserve: Quantity; levers: readonly Message[] };
  'advice.does-not-fit-plain': { need: Message; reserve: Quantity };
  'advice.no-room': { reserve: Quantity };
  'advice.no-value': { reason: Message };
  'advice.floor-only': { minimum: Quantity };
  'advice.none': Record<string, never>;
  'need.request': { tokens: Quantity };
  'need.given': { tokens: Quantity };
  'need.other-run': { tokens: Quantity };
  'need.unknown': Record<string, never>;
  'lever.request-table': { gain: Quantity; flag: string };
  'lever.kv-dtype': { gain: Quantity; flag: string };
  'lever.context-length': { gain: Quantity; flag: string };
  'lever.graphs': { gain: Quantity; flag: string };
  'reason.formula-owner': Record<string, never>;
  'reason.host-memory': Record<string, never>;
  'reason.memory-saver': Record<string, never>;
  'reason.state-pool': Record<string, never>;
  'reason.inputs-missing': Record<string, never>;

  'report.assumed': { assumptions: string };
  'compare.same': { names: readonly Message[] };
  'compare.only-fraction': Record<string, never>;
  'compare.moved': { name: Message; a: Quantity; b: Quantity };
  'compare.share': { name: Message; share: Ratio; tokens: Quantity };
  'compare.predicted-a': { fraction: Quantity; tokens: Quantity };
  'compare.predicted-b': { fraction: Quantity; tokens: Quantity };
  'compare.no-start-a': { fraction: Quantity; pool: Quantity };
  'compare.no-start-b': { fraction: Quantity; pool: Quantity };

  /** What the letters of the formulas stand for. */
  'report.legend': Record<string, never>;

  /** Names of quantities and ledger entries. */
  'name.quantity': { quantity: string };
  'name.ledger': { entry: string };
  'name.fraction': { which: string };
}
