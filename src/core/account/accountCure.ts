/**
 * What to do about the end of a run, in one message: one direction, by how much, and what else
 * helps. Leaves out what happened (accountSummary.ts).
 */
import type { Message } from '../message/message';
import { message } from '../message/message';
import { derive } from '../terms/derive';
import type { RunAccount } from './account';
import { lowest } from './accountSummary';
import type { Advice, Lever, Need } from './advice';
import type { BetweenErrors } from './betweenErrors';
import { mayBeMultiplied } from './fractionMultiplier';
import { fullPoolCure } from './fullPoolCure';
import { flagName } from './offeredFlag';
import { smallerChunk } from './prefillChunk';
import type { LimitRelief, Relief } from './relief';
import { helpsToLower } from './relief';
import { inGiB } from './scale';
import type { Shortage } from './shortage';
import { windowCapOf } from './sizingReason';

type Account = Omit<RunAccount, 'problems'>;

/** What to do, with the numbers that the offered value gives. */
export function adviceMessage(account: Pick<Account, 'advice' | 'fraction'>): Message {
  const { advice, fraction } = account;
  if (advice.kind === 'fraction') {
    return offerMessage(advice);
  }
  if (advice.reason === 'need-does-not-fit') {
    return doesNotFitMessage(advice);
  }
  if (advice.reason === 'inputs-missing' || advice.reason === 'formula-owner') {
    const minimum = fraction.minimum && lowest(fraction.minimum);
    if (minimum && minimum.interval.lo >= fullOfWeights) {
      return message('advice.floor-full', { minimum });
    }
    return minimum
      ? message('advice.floor-only', { minimum })
      : message('advice.raise', { reason: message(`reason.${advice.reason}`, {}) });
  }
  return message('advice.no-value', { reason: message(`reason.${advice.reason}`, {}) });
}

/** A minimum from which the weights are all that fits. */
const fullOfWeights = 0.99;

/** An offered value, what it serves and what it leaves. */
export function offerMessage(advice: Extract<Advice, { kind: 'fraction' }>): Message {
  const { flag, need, openNeed } = advice;
  const { pool, tokens, left } = advice.row;
  const why = whyMessage(advice);
  const plain =
    left &&
    (tokens
      ? message('advice.fraction', { flag, tokens, left, why })
      : pool && message('advice.fraction-pool', { flag, pool, left, why }));
  if (plain === undefined) {
    return message('advice.none', {});
  }
  if (need !== undefined) {
    return plain;
  }
  return openNeed === undefined
    ? message('advice.need-none', { advice: plain })
    : message('advice.need-open', { advice: plain, need: needMessage(openNeed) });
}

/** Why this value: the need, the reserve, or what the release itself keeps. */
function whyMessage(advice: Extract<Advice, { kind: 'fraction' }>): Message {
  const { need, isMeasured, reserve, isOwn, own } = advice;
  if (need !== undefined) {
    return isMeasured
      ? message('why.smallest', { need: needMessage(need) })
      : message('why.smallest-unmeasured', { need: needMessage(need), reserve });
  }
  if (own !== undefined && isOwn === true) {
    return message('why.own', { fraction: own });
  }
  const largest = message(isMeasured ? 'why.largest' : 'why.largest-unmeasured', { reserve });
  return own === undefined ? largest : message('why.above-own', { why: largest, fraction: own });
}

export function needMessage(need: Need | undefined): Message {
  return need === undefined
    ? message('need.unknown', {})
    : message(`need.${need.kind}`, { tokens: need.tokens });
}

function doesNotFitMessage(advice: Extract<Advice, { kind: 'none' }>): Message {
  const { need, reserve } = advice;
  if (reserve === undefined) {
    return message('advice.none', {});
  }
  if (need === undefined) {
    return message('advice.no-room', { reserve });
  }
  const levers = leverMessages(advice.levers);
  return levers.length === 0
    ? message('advice.does-not-fit-plain', { need: needMessage(need), reserve })
    : message('advice.does-not-fit', { need: needMessage(need), reserve, levers });
}

function leverMessages(levers: readonly Lever[]): Message[] {
  return levers.map(({ id, gain, flag }) => message(`lever.${id}`, { gain, flag }));
}

/** What relieves a shortage of device memory: one direction, by how much, and what else helps. */
function reliefMessage(shortage: Shortage, relief: Relief): Message {
  const cure = mainCure(shortage, relief);
  return relief.levers.length === 0 || beforePools.has(shortage.place)
    ? cure
    : message('cure.with-levers', { cure, levers: leverMessages(relief.levers) });
}

/** Places where nothing that the pools are cut from is the matter. */
const beforePools: ReadonlySet<Shortage['place']> = new Set(['start', 'load']);

function mainCure(shortage: Shortage, relief: Relief): Message {
  const cure = ownCure(shortage, relief);
  const { missing, unused } = shortage;
  const isInPieces =
    missing !== undefined && unused !== undefined && afterStart.has(shortage.place)
      ? (derive('unused - missing', { unused, missing: inGiB(missing) ?? unused })?.interval.lo ??
          0) > 0
      : false;
  const variable = variableOf(shortage);
  return isInPieces && unused && missing && variable !== undefined
    ? message('cure.fragmented', { variable, unused, missing, cure })
    : cure;
}

/** What sets the allocator, of devices whose allocator knows expandable segments in every release. */
const allocatorVariables: Readonly<Record<string, string>> = {
  CUDA: 'PYTORCH_CUDA_ALLOC_CONF',
  NPU: 'PYTORCH_NPU_ALLOC_CONF',
};

function variableOf({ record }: Shortage): string | undefined {
  return allocatorVariables[record.words['device'] ?? 'CUDA'];
}

/** Places whose allocations come and go, so that what the allocator keeps may lie in pieces. */
const afterStart: ReadonlySet<Shortage['place']> = new Set(['capture', 'warm-up', 'serving']);

function ownCure(shortage: Shortage, relief: Relief): Message {
  const { lowerBy: by, row, flag, ceiling, isStuck } = relief;
  const { others, device } = shortage;
  if (beforePools.has(shortage.place) && others && device) {
    return message('cure.free-card', { device, others });
  }
  if (shortage.taken !== undefined && device) {
    return message('cure.taken', { device, taken: shortage.taken });
  }
  if (shortage.place === 'start') {
    return message('cure.start', {});
  }
  if (!helpsToLower(shortage)) {
    return message(shortage.isSizedLater ? 'cure.sized-later' : 'cure.load', {});
  }
  if (relief.limit !== undefined) {
    return limitCure(relief.limit);
  }
  if (isStuck && ceiling !== undefined) {
    return message('cure.stuck', { ceiling });
  }
  if (by === undefined) {
    const isInPieces = shortage.asked !== undefined && shortage.free !== undefined;
    const variable = variableOf(shortage);
    return isInPieces && shortage.missing === undefined && variable !== undefined
      ? message('cure.pieces', { variable })
      : message('cure.lower', {});
  }
  if (row === undefined || flag === undefined) {
    return message('cure.lower-by', { by });
  }
  const { tokens } = row;
  return tokens && tokens.interval.lo * 2 >= tokens.interval.hi
    ? message('cure.lower-to', { flag, tokens, by })
    : message('cure.lower-to-plain', { flag, by });
}

/** A lower fraction frees nothing where a limit of tokens decides the pool. */
function limitCure({ limit, by, flag }: LimitRelief): Message {
  if (by === undefined) {
    return message('cure.lower-limit', { limit });
  }
  return flag === undefined
    ? message('cure.lower-limit-by', { limit, by })
    : message('cure.lower-limit-to', { flag, limit, by });
}

/** The cure of a run that ended for want of device memory, and its flag where one is safe. */
export function cureOf(
  account: Account,
): { readonly message: Message; readonly flag: string | undefined } | undefined {
  const { outcome, advice, shortage, relief, between, run } = account;
  // Other engines have other flags, and an error alone does not say whose it is.
  const isOurs = run.engine.value === 'sglang' || run.engine.value === 'fork';
  if (!isOurs || run.isMixed || shortage?.place === 'unknown') {
    return undefined;
  }
  const isStuck = relief?.isStuck === true || between?.isStuck === true;
  if (isStuck && between !== undefined) {
    return {
      message: withSmallerGraphs(account, betweenMessage(account, between)),
      flag: undefined,
    };
  }
  if (outcome.kind === 'not-enough-memory') {
    const other = otherCure(account);
    if (other !== undefined) {
      return { message: other, flag: undefined };
    }
    const flag = advice.kind === 'fraction' ? advice.flag : undefined;
    const plain = adviceMessage(account);
    return flag !== undefined && mayBeMultiplied(run, account.fraction)
      ? { message: message('advice.maybe-multiplied', { advice: plain }), flag }
      : { message: plain, flag };
  }
  if (outcome.kind === 'pool-exhausted') {
    return fullPoolCure(account);
  }
  return shortage && relief
    ? {
        message: withSmallerGraphs(
          account,
          withSmallerChunk(run, shortage, reliefMessage(shortage, relief)),
        ),
        flag: isStuck ? undefined : (relief.limit?.flag ?? relief.flag),
      }
    : undefined;
}

/** What helps where the fraction of the target's budget is not what failed. */
function otherCure({ advice, outcome, quantities }: Account): Message | undefined {
  const reason = advice.kind === 'none' ? advice.reason : undefined;
  if (outcome.cause?.form.id === 'unified-pool-too-small') {
    return message('cure.unified-small', {});
  }
  if (reason === 'draft-sizing') {
    return message('cure.draft-sizing', {});
  }
  if (reason === 'window-cap') {
    const cap = windowCapOf(outcome);
    const available = quantities.get('availableAfterLoad');
    return cap && available && cap.cap.interval.lo > available.interval.hi
      ? message('cure.window-cap-stuck', { available })
      : message('cure.window-cap', {});
  }
  return reason === 'state-pool' && outcome.cause?.form.id === 'state-too-small'
    ? message('advice.raise', { reason: message('reason.state-pool', {}) })
    : undefined;
}

/** What graphs take is not known while none was captured: a lever without a number. */
function withSmallerGraphs({ run, shortage, relief, between }: Account, cure: Message): Message {
  const isStuck = relief?.isStuck === true || between?.isStuck === true;
  const isListed = relief?.levers.some(({ id }) => id === 'graphs') === true;
  const flag = flagName('graphs', run.release);
  return flag && shortage?.place === 'capture' && isStuck && !isListed
    ? message('cure.smaller-graphs', { cure, flag })
    : cure;
}

/** A prefill that asked for too much at once can also be cut smaller. */
function withSmallerChunk(
  run: Account['run'],
  { place, record }: Shortage,
  cure: Message,
): Message {
  const smaller = place === 'serving' ? smallerChunk(run, record) : undefined;
  return smaller ? message('cure.smaller-chunk', { cure, ...smaller }) : cure;
}

/** What two runs that fail from opposite sides leave between them. */
export function betweenMessage(account: Account, between: BetweenErrors): Message {
  const { floor, ceiling, room, isStuck } = between;
  const cure =
    isStuck || room === undefined
      ? message('cure.between', { floor, ceiling })
      : message('cure.between-room', { floor, ceiling, room });
  const own = account.relief?.levers ?? [];
  const levers = own.length > 0 || account.advice.kind !== 'none' ? own : account.advice.levers;
  return levers.length === 0
    ? cure
    : message('cure.with-levers', { cure, levers: leverMessages(levers) });
}
