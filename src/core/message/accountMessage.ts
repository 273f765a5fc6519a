/** Messages of the account: verdicts, problems, advice, notes. Wording is at the edge. */
import type { Quantity } from '../units/quantity';
import type { ForeignText, Message, Ratio } from './message';

/** Ids and arguments; an argument that may be unknown is a part of its own (`Message`). */
export interface AccountMessages {
  /** The pool got this and the server is ready. */
  'verdict.ok': { tokens: Quantity; pool: Quantity };
  'verdict.ok-window': { tokens: Quantity; pool: Quantity; window: Quantity };
  'verdict.ok-replicas': { all: Quantity; tokens: Quantity; pool: Quantity };
  'verdict.ok-tokens': { tokens: Quantity };
  'verdict.ok-plain': Record<string, never>;
  /** The pool is shorter than the context length. */
  'verdict.ok-short': { ready: Message; context: Quantity };
  /** Lines of several servers, of which nothing tells which wrote which. */
  'verdict.mixed-servers': Record<string, never>;
  /** Ranks whose names were cut away, with equal figures. */
  'verdict.unnamed-ranks': { verdict: Message; count: number };
  /** rest = A - P * (1 - f) is not positive. */
  'verdict.not-enough-memory': { rest: Quantity; fraction: Quantity; minimum: Quantity };
  /** The minimum is known on one side only. */
  'verdict.unseen-rank': { verdict: Message; available: Quantity };
  'verdict.not-enough-memory-open': { fraction: Quantity; minimum: Quantity };
  'verdict.not-enough-memory-plain': { fraction: Quantity };
  'verdict.not-enough-memory-tokens': { tokens: Quantity };
  'verdict.not-enough-memory-floor': { minimum: Quantity };
  'verdict.not-enough-memory-bare': Record<string, never>;
  'verdict.not-enough-memory-reserved': { fraction: Quantity; minimum: Quantity };
  'verdict.not-enough-memory-reservation': {
    fraction: Quantity;
    minimum: Quantity;
    reserved: Quantity;
    line: number;
  };
  'verdict.state-short': { rest: Quantity; slot: Quantity };
  'verdict.state-negative': { rest: Quantity; minimum: Quantity };
  'verdict.state-negative-plain': { rest: Quantity };
  /** Of values that a person gave. */
  'verdict.values': { rest: Quantity; tokens: Quantity; fraction: Quantity };
  'verdict.load-oom': Record<string, never>;
  'verdict.pool-oom': Record<string, never>;
  'verdict.graph-oom': Record<string, never>;
  'verdict.runtime-oom': Record<string, never>;
  'verdict.pool-exhausted': Record<string, never>;
  'verdict.slots-exhausted': Record<string, never>;
  'verdict.draft-sizing': Record<string, never>;
  'verdict.window-cap': { cap: Quantity; rest: Quantity };
  'verdict.unified-small': { budget: Quantity; floor: Quantity };
  'verdict.state-few': { fraction: Quantity; minimum: Quantity };
  'verdict.not-enough-memory-claimed': { fraction: Quantity };
  'verdict.host-oom': Record<string, never>;
  /** Signal 9 is shown, its sender is not. */
  'verdict.killed': Record<string, never>;
  'verdict.killed-cache': { verdict: Message; flag: string; ranks: number; node: Quantity };
  'verdict.killed-pools': { verdict: Message; node: Quantity };
  'verdict.host-asked': { asked: Quantity };
  'verdict.no-space': Record<string, never>;
  'verdict.workspace': { asked: Quantity };
  'verdict.rank-imbalance': Record<string, never>;
  'verdict.not-memory': Record<string, never>;
  'verdict.incomplete': Record<string, never>;
  /** The log ends before the server is ready, but after its pools. */
  'verdict.incomplete-with': { end: Message; pools: readonly Message[] };
  'verdict.incomplete-before': { end: Message; pools: readonly Message[] };
  'pool.tokens-in': { tokens: Quantity; pool: Quantity };
  'pool.tokens-of': { tokens: Quantity; full: Quantity };
  'pool.tokens': { tokens: Quantity };
  'pool.cache': { pool: Quantity };
  'pool.window': { pool: Quantity };
  'pool.state': { pool: Quantity };
  /** An allocation failed: where, and the allocator's own figures. */
  'verdict.device-oom': { where: Message; figures: Message };
  'verdict.device-oom-plain': { where: Message };
  'where.unknown': Record<string, never>;
  'where.start': Record<string, never>;
  'where.load': Record<string, never>;
  'where.load-draft': Record<string, never>;
  'where.pools': Record<string, never>;
  'where.after-pools': Record<string, never>;
  'where.capture': Record<string, never>;
  'where.capture-of': { graph: string };
  'where.warm-up': Record<string, never>;
  'where.serving': Record<string, never>;
  'oom.missing': { asked: Quantity; free: Quantity; missing: Quantity };
  'oom.in-pieces': { asked: Quantity; free: Quantity };
  'oom.asked': { asked: Quantity };
  'verdict.pool-full': { used: Quantity; running: Quantity; waiting: Quantity; each: Quantity };
  'verdict.pool-retracts': { used: Quantity; running: Quantity; each: Quantity };
  /** The pool is nearly empty since. */
  'verdict.pool-retracted': { times: number; now: Quantity };
  'verdict.window-full': { used: Quantity; running: Quantity; waiting: Quantity; each: Quantity };
  'verdict.window-retracts': { used: Quantity; running: Quantity; each: Quantity };
  'verdict.state-full': { used: Quantity; running: Quantity; waiting: Quantity };
  'verdict.state-retracts': { used: Quantity; running: Quantity };
  'verdict.no-token-left': Record<string, never>;
  'verdict.tokens-short': { needed: Quantity; available: Quantity };
  'verdict.slots-short': { needed: Quantity; available: Quantity };
  'verdict.slots-short-used': {
    needed: Quantity;
    available: Quantity;
    used: Quantity;
    pool: Quantity;
  };
  'verdict.host-refused': { asked: Quantity; left: Message; cure: Message };
  'host.gross': { usable: Quantity; free: Quantity };
  'host.net': { free: Quantity };
  'host.fits': { flag: string };
  'host.fits-each': { flag: string; ranks: number };
  'host.below-device': { pool: Quantity };
  'host.none-fits': Record<string, never>;
  'verdict.host-killed': { node: Quantity };
  'verdict.unbalanced': { least: Quantity; local: Quantity };
  'verdict.unbalanced-draft': Record<string, never>;
  'verdict.incomplete-in': { phase: string };
  'verdict.incomplete-draft': Record<string, never>;
  'verdict.other-engine': Record<string, never>;
  'verdict.failed-later': Record<string, never>;
  'verdict.failed-later-at': { line: number };
  'verdict.failed-later-cut': { line: number };
  'verdict.ready-served': { tokens: Quantity };
  'verdict.host-pool-one': { node: Quantity };
  'verdict.host-pool': { each: Quantity; ranks: number; node: Quantity };

  'problem.not-enough-memory': { summary: Message; cure: Message };
  'problem.fraction-mismatch': { claimed: Quantity; implied: Quantity };
  'problem.fraction-other': { claimed: Quantity; shown: Quantity };
  'problem.fraction-multiplied-shown': {
    claimed: Quantity;
    shown: Quantity;
    product: Quantity;
    reason: Message;
  };
  'problem.fraction-multiplied': {
    claimed: Quantity;
    implied: Quantity;
    product: Quantity;
    reason: Message;
  };
  'multiplier.multimodal': Record<string, never>;
  'multiplier.aiter': Record<string, never>;
  'problem.over-claimed': { over: Quantity; pool: Quantity };
  'problem.unbalanced-draft': Record<string, never>;
  'problem.unbalanced': { least: Quantity; local: Quantity };
  'problem.unbalanced-plain': Record<string, never>;
  'problem.shared-card': { amount: Quantity };
  'problem.occupied': { amount: Quantity; capacity: Quantity; begin: Quantity };
  /** What our own context takes is not shown, and bounded by an assumption. */
  'problem.occupied-least': {
    amount: Quantity;
    capacity: Quantity;
    begin: Quantity;
    context: Quantity;
  };
  'problem.refused-requests': { maximum: Quantity };
  'problem.spent-slack-to': { flag: string; gain: Quantity; left: Quantity; spent: Quantity };
  'problem.spent-slack': { left: Quantity; spent: Quantity };
  'problem.advice-below-value': { advised: Quantity; fraction: Quantity };
  /** What to do about a shortage, and how much memory other flags are worth. */
  'cure.raise': Record<string, never>;
  'cure.pieces': { variable: string };
  'verdict.not-shown': Record<string, never>;
  'cure.unless-limited': { cure: Message };
  'cure.unless-ranks': { cure: Message };
  'cure.raise-to': { flag: string; tokens: Quantity; left: Quantity };
  /** Bounded by what the release sets without the flag. */
  /** The host pool of one rank at an offered fraction. */
  'cure.host-grows': { cure: Message; host: Quantity };
  'cure.raise-to-own': { cure: Message; fraction: Quantity };
  'cure.kept-by-release': { fraction: Quantity };
  'cure.raise-to-plain': { flag: string; left: Quantity };
  'cure.lower-to': { flag: string; tokens: Quantity; by: Quantity };
  'cure.lower-to-plain': { flag: string; by: Quantity };
  'cure.lower-by': { by: Quantity };
  'cure.lower': Record<string, never>;
  'cure.start': Record<string, never>;
  'cure.draft-sizing': Record<string, never>;
  'cure.window-cap': Record<string, never>;
  'cure.unified-small': Record<string, never>;
  'cure.window-cap-stuck': { available: Quantity };
  'cure.taken': { device: Quantity; taken: Quantity };
  'cure.load': Record<string, never>;
  'cure.sized-later': Record<string, never>;
  'cure.stuck': { ceiling: Quantity };
  'cure.lower-limit': { limit: Quantity };
  'cure.lower-limit-by': { limit: Quantity; by: Quantity };
  'cure.lower-limit-to': { flag: string; limit: Quantity; by: Quantity };
  'cure.smaller-chunk': { cure: Message; chunk: Quantity; flag: string };
  'cure.window-ratio': { used: Quantity };
  'cure.smaller-graphs': { cure: Message; flag: string };
  'cure.free-card': { device: Quantity; others: Quantity };
  'cure.with-levers': { cure: Message; levers: readonly Message[] };
  'cure.fragmented': { variable: string; unused: Quantity; missing: Quantity; cure: Message };
  'cure.more-tokens': { flag: string; tokens: Quantity; left: Quantity };
  'cure.more-tokens-for': { flag: string; tokens: Quantity; left: Quantity; count: number };
  'cure.raise-limit': { flag: string; limit: Quantity };
  'cure.fewer-requests': { flag: string; left: number; times: number; room: Message };
  'cure.fewer-requests-each': { left: number; times: number; room: Message };
  'room.unknown': Record<string, never>;
  'room.free': { free: Quantity };
  'cure.between': { floor: Quantity; ceiling: Quantity };
  'cure.between-room': { floor: Quantity; ceiling: Quantity; room: Quantity };
  'report.launch': Record<string, never>;
  'report.retry': { retry: Quantity };
  'problem.contradiction': { facts: readonly Message[] };
  'problem.contradiction-one': { facts: readonly Message[] };
  'problem.contradiction-several': Record<string, never>;
  'contradiction.fact': { term: string; value: Quantity; line: number };
  'problem.rank-imbalance': { rank: ForeignText; gap: Quantity; tokens: Quantity };
  /** Several that are equally low: by name, or where they are many by their number. */
  'problem.rank-imbalance-ranks': { ranks: readonly Message[]; gap: Quantity; tokens: Quantity };
  'problem.rank-imbalance-count': { count: number; gap: Quantity; tokens: Quantity };
  'problem.rank-imbalance-stage': { imbalanced: Message; more: Quantity };
  /** The low stage is not the one with most bytes per token. */
  'problem.rank-imbalance-bytes': { imbalanced: Message };
  'problem.rank-imbalance-start': { imbalanced: Message; less: Quantity };
  'problem.rank-imbalance-starts': { imbalanced: Message; less: Quantity };
  'problem.occupied-others': { others: Quantity; capacity: Quantity; device: Quantity };
  'problem.idle-memory-plain': { idle: Quantity };
  'problem.idle-memory-slots': { idle: Quantity };
  'problem.idle-memory': { cure: Message; idle: Quantity };
  /** Without much free memory. */
  'problem.small-pool': { tokens: Quantity; context: Quantity };
  /** Neither the fraction nor a limit of tokens is shown. */
  'problem.small-pool-idle': { tokens: Quantity; context: Quantity; idle: Quantity };
  'problem.small-pool-to': { cure: Message; tokens: Quantity; context: Quantity };
  'problem.tiny-pool': { cure: Message; tokens: Quantity; context: Quantity; idle: Quantity };
  /** Buffers take more per token than the budget counts. */
  'problem.over-allocated': { over: Quantity; budgeted: Quantity; allocated: Quantity };
  'problem.advice-too-low': { advised: Quantity; minimum: Quantity };

  /** Which direction, and what the offered value gives. */
  'advice.fraction': { flag: string; tokens: Quantity; left: Quantity; why: Message };
  'advice.fraction-pool': { flag: string; pool: Quantity; left: Quantity; why: Message };
  'advice.maybe-multiplied': { advice: Message };
  'advice.need-open': { advice: Message; need: Message };
  'advice.need-none': { advice: Message };
  'why.smallest': { need: Message };
  'why.smallest-unmeasured': { need: Message; reserve: Quantity };
  'why.largest': { reserve: Quantity };
  'why.largest-unmeasured': { reserve: Quantity };
  /** What the release sets without the flag is what is offered, or less than that. */
  'why.own': { fraction: Quantity };
  'why.above-own': { why: Message; fraction: Quantity };
  'advice.does-not-fit': { need: Message; reserve: Quantity; levers: readonly Message[] };
  'advice.does-not-fit-plain': { need: Message; reserve: Quantity };
  'advice.no-room': { reserve: Quantity };
  'advice.no-value': { reason: Message };
  'advice.raise': { reason: Message };
  'advice.floor-full': { minimum: Quantity };
  'advice.floor-only': { minimum: Quantity };
  'advice.none': Record<string, never>;
  'need.request': { tokens: Quantity };
  'need.given': { tokens: Quantity };
  'need.limit': { tokens: Quantity };
  'need.other-run': { tokens: Quantity };
  'need.unknown': Record<string, never>;
  'lever.request-table': { gain: Quantity; flag: string };
  'lever.kv-dtype': { gain: Quantity; flag: string };
  'lever.context-length': { gain: Quantity; flag: string };
  'lever.graphs': { gain: Quantity; flag: string };
  'lever.state-slots': { gain: Quantity; flag: string };
  'reason.formula-owner': Record<string, never>;
  'reason.host-memory': Record<string, never>;
  'reason.memory-saver': Record<string, never>;
  'reason.state-pool': Record<string, never>;
  'reason.shared-card': Record<string, never>;
  'reason.draft-sizing': Record<string, never>;
  'reason.window-cap': Record<string, never>;
  'reason.lowered-fraction': Record<string, never>;
  'reason.unexplained': Record<string, never>;
  'reason.training': Record<string, never>;
  'reason.hidden-reserve': Record<string, never>;
  'reason.maybe-host-memory': Record<string, never>;
  'reason.kept-by-release': Record<string, never>;
  'reason.inputs-missing': Record<string, never>;

  /** The fraction in the launch arguments is the release's own. */
  'fraction.is-automatic': { fraction: Quantity };
  'fraction.is-multiplied': { fraction: Quantity; plain: Quantity; multiplier: Quantity };
  /** Another value than the release's own was typed. */
  'fraction.is-typed': { fraction: Quantity; automatic: Quantity };

  /** What the course of serving comes to; lines are those of the largest values. */
  'serving.peak': { usage: Ratio; line: number };
  'serving.queue': { queue: number; line: number };
  'serving.retracted': { times: number; requests: number };

  'report.assumed': Record<string, never>;
  'report.assumption': { assumed: string };
  'compare.same': { names: readonly Message[] };
  'compare.only-fraction': Record<string, never>;
  /** Inputs that a log does not show may differ as well. */
  'compare.only-fraction-shown': Record<string, never>;
  'compare.limit-a': { limit: Quantity };
  'compare.limit-b': { limit: Quantity };
  'compare.flag': { flag: string; a: ForeignText; b: ForeignText };
  'compare.flags': { flags: readonly Message[] };
  'compare.flags-more': { flags: readonly Message[]; more: number };
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
