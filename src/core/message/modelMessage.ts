/** Messages of layouts and plans: receipts, refusals, checks of printed pools. Wording is at the edge. */
import type { Quantity } from '../units/quantity';
import type { ForeignText, Message } from './message';

/** Ids and arguments. `part` is the name of an input or an intermediate result of a formula. */
export interface ModelMessages {
  /** An input with where it comes from. */
  'receipt.input': { part: string; value: Quantity; origins: readonly Message[] };
  'receipt.result': { part: string; value: Quantity };
  'receipt.replicated': { part: string; value: Quantity };
  'receipt.divided': { part: string; value: Quantity };
  'name.part': { part: string };
  'spread.replicated': Record<string, never>;
  'spread.divided': Record<string, never>;
  'origin.key': { key: ForeignText; line: number };
  'origin.key-only': { key: ForeignText };
  'origin.flag': { flag: ForeignText };
  'origin.default': { flag: ForeignText };
  'origin.assumption': { assumption: ForeignText };

  'refusal.not-a-config': Record<string, never>;
  'refusal.missing-key': { key: ForeignText };
  'refusal.missing-one-of': { keys: readonly Message[] };
  'refusal.unusable-value': { key: ForeignText; found: ForeignText; line: number };
  'refusal.unknown-attention': { key: ForeignText; line: number };
  'refusal.open-flag': { flag: ForeignText };
  'refusal.indivisible': { key: ForeignText; count: number; ranks: number };
  'refusal.not-together': { flag: ForeignText; other: ForeignText };
  'refusal.not-in-release': { what: ForeignText };

  'plan.budgeted': { cell: Quantity };
  'plan.by-dtype': { choices: readonly Message[] };
  'plan.in-dtype': { cell: Quantity; dtype: ForeignText };
  'plan.rows-in-dtype': { dtype: ForeignText };
  'plan.budgeted-window': { cell: Quantity };
  /** What the buffers take differs from what the budget counts. */
  'plan.allocated': { budgeted: Quantity; allocated: Quantity };
  /** The budget counts a draft's pool too. */
  'plan.with-draft': { budgeted: Quantity; allocated: Quantity };
  'plan.slot': { slot: Quantity };
  'plan.automatic': { fraction: Quantity };
  /** With the multipliers of vision towers and backends. */
  'plan.automatic-multiplied': { fraction: Quantity; plain: Quantity };
  'plan.minimum': { minimum: Quantity };
  /** Weights that take all that is free. */
  'plan.does-not-fit': { total: Quantity; weights: Quantity };
  'plan.advised': { fraction: Quantity; reserve: Quantity; length: Quantity };
  'plan.advised-request': { fraction: Quantity; left: Quantity; length: Quantity };
  'plan.advised-any-length': { fraction: Quantity; reserve: Quantity };
  'plan.no-advice': { fraction: Quantity; reserve: Quantity; tokens: Quantity; length: Quantity };
  'plan.no-room': { reserve: Quantity };
  /** `flags` are what tokens or what is left depend on. */
  'plan.flags-missing': { flags: readonly Message[] };
  'plan.advised-limit': { fraction: Quantity; limit: Quantity; reserve: Quantity };
  'plan.no-room-for-limit': { limit: Quantity; reserve: Quantity };
  'plan.request-cost': { cost: Quantity; length: Quantity };
  /** GiB of the table in the row that has the largest. */
  'plan.request-table': { table: Quantity };
  'plan.assumptions': { assumptions: readonly Message[] };
  'plan.flags-not-counted': { flags: readonly Message[] };
  'plan.flags-of-weights': { flags: readonly Message[] };
  'plan.flags-without-effect': { flags: readonly Message[] };
  'plan.inputs-missing': Record<string, never>;

  /** Printed sizes of a pool against a layout. */
  'layout.agrees': { cell: Quantity };
  'layout.agrees-pools': { full: Quantity; window: Quantity };
  'layout.differs': { expected: Quantity; implied: Quantity };
  'layout.dtypes': { dtypes: readonly Message[] };
  /** Neither the log nor the config asks for them. */
  'layout.dtypes-unasked': { dtypes: readonly Message[] };
  /** A dtype was asked for, and the sizes are those of others. */
  'layout.flag-without-effect': { flag: string; dtypes: readonly Message[] };
  /** A dtype was asked for, and the sizes are its. */
  'layout.flag-in-effect-printed': { flag: string; dtype: ForeignText };
  'layout.flag-without-effect-printed': { flag: string; dtype: ForeignText };
  'layout.flag-in-effect': { flag: string; dtypes: readonly Message[] };
  /** Ranks that the log does not name, from the sizes. */
  'layout.ranks': { ranks: number };
  'layout.other-model': { own: ForeignText; shown: ForeignText };
  /** Of the length that requests had on average. */
  'layout.average': { length: Quantity; cost: Quantity; requests: Quantity };
  'layout.concurrency': { requests: Quantity; length: Quantity };
  'layout.concurrency-groups': { requests: Quantity; length: Quantity; groups: number };
  'layout.concurrency-limited': { requests: Quantity; length: Quantity; most: Quantity };
}
