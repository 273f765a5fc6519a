/**
 * What a config says of a run, in messages: bytes per token, whether the printed sizes are its, which
 * dtype they are of, how many requests fit and what one costs. Silent about what is not decided.
 */
import { foreign, message } from '../message/message';
import type { Message } from '../message/message';
import { draftBytes } from '../model/draftBytes';
import { openDtypes } from '../model/kvDtype';
import { cellMessage, dtypeMessage } from '../model/modelMessages';
import { concurrentRequests, requestCost } from '../model/requestCost';
import { tokenBytes } from '../model/tokenBytes';
import type { QuantityId } from '../sglang/quantityId';
import { derive } from '../terms/derive';
import { givenQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import type { AutomaticFraction } from './automaticFraction';
import type { RunLayout } from './runLayout';

type Known = ReadonlyMap<QuantityId, Quantity>;

/** The messages, the bytes per token first. */
export function layoutMessages(join: RunLayout, quantities: Known): readonly Message[] {
  // Bytes that the printed sizes contradict are not what was budgeted.
  const own = join.agreement === 'differs' ? [] : cellMessages(join);
  return [...own, ...checkMessages(join), ...requestMessages(join, quantities)];
}

function cellMessages({ bytes, slot, options, config: { layout } }: RunLayout): Message[] {
  const cell = cellMessage({ bytes, hasDraft: options.draft !== undefined });
  const choices = openDtypes(options.kvDtype, layout, options.release).flatMap(dtype => {
    const own = tokenBytes(layout, { ...options, kvDtype: dtype });
    return own.kind === 'known' ? [{ dtype, bytes: own.value }] : [];
  });
  const byDtype = dtypeMessage(choices);
  return [
    ...(cell ? [cell] : []),
    ...(byDtype ? [byDtype] : []),
    ...(slot ? [message('plan.slot', { slot: slot.onRank })] : []),
  ];
}

/** Whether printed sizes and config go together. */
export function checkMessages(join: RunLayout): Message[] {
  const { agreement, checks, inferredDtypes, idleFlag, inferredRanks, options } = join;
  const { isDtypeUnasked, refuted } = join;
  if (agreement === 'differs') {
    const failed = [
      ...checks.filter(({ agrees }) => agrees === false),
      ...(refuted ? [refuted] : []),
    ];
    const differences = failed.flatMap(({ expected, implied }) =>
      expected && implied ? [message('layout.differs', { expected, implied })] : [],
    );
    return [...differences, ...otherModel(join)];
  }
  const agrees = agreement === 'agrees' ? agreements(checks) : [];
  const dtypes = inferredDtypes.map(dtype => message('origin.key-only', { key: foreign(dtype) }));
  const { kvDtype, dtypeBasis } = options;
  const isShown = agreement === 'agrees' && dtypeBasis === 'flag' && kvDtype !== undefined;
  const flag =
    idleFlag === undefined
      ? isShown
        ? [
            message('layout.flag-in-effect', {
              flag: `--kv-cache-dtype ${kvDtype}`,
              dtypes: [message('origin.key-only', { key: foreign(kvDtype) })],
            }),
          ]
        : dtypes.length > 0
          ? [message(isDtypeUnasked ? 'layout.dtypes-unasked' : 'layout.dtypes', { dtypes })]
          : []
      : [message('layout.flag-without-effect', { flag: `--kv-cache-dtype ${idleFlag}`, dtypes })];
  const ranks =
    inferredRanks === undefined ? [] : [message('layout.ranks', { ranks: inferredRanks })];
  return [...agrees, ...flag, ...askedMessages(join), ...ranks];
}

/** Whether the flag came to the dtype that the log prints. */
function askedMessages({ askedDtype }: RunLayout): Message[] {
  if (askedDtype === undefined) {
    return [];
  }
  const { name, printed, isInEffect } = askedDtype;
  const id = isInEffect ? 'layout.flag-in-effect-printed' : 'layout.flag-without-effect-printed';
  return [message(id, { flag: `--kv-cache-dtype ${name}`, dtype: foreign(printed) })];
}

/** What the config has for the pools that a log prints: the full one, and that of window layers. */
function agreements(checks: RunLayout['checks']): Message[] {
  const [cell, window] = checks.flatMap(({ expected }) => expected ?? []);
  if (cell !== undefined && window !== undefined) {
    return [message('layout.agrees-pools', { full: cell, window })];
  }
  return cell ? [message('layout.agrees', { cell })] : [];
}

/** That config and log are of two classes of models, where both name theirs. */
function otherModel({ config, shownModel }: RunLayout): Message[] {
  const { architecture } = config.layout;
  return architecture === undefined || shownModel === undefined
    ? []
    : [message('layout.other-model', { own: foreign(architecture), shown: foreign(shownModel) })];
}

/** How many requests the pool holds, of full and of average length, and what one costs on a rank. */
function requestMessages(join: RunLayout, quantities: Known): Message[] {
  const { agreement, averageRequest } = join;
  const tokens = quantities.get('maxTotalTokens');
  const context = quantities.get('contextLength');
  if (agreement === 'differs') {
    return [];
  }
  const room = (length: Quantity): Message[] => {
    const requests = tokens && roomFor(join, quantities, tokens, length);
    return requests ? [concurrencyMessage(join, quantities, requests, length)] : [];
  };
  const cost = context && costOf(join, context);
  return [
    ...(context ? room(context) : []),
    ...(cost ? [message('plan.request-cost', { cost, length: context })] : []),
    ...averageMessages(join, quantities, averageRequest),
  ];
}

/** Room of one group of data parallelism: each has tokens and a limit of its own. */
function concurrencyMessage(
  { options }: RunLayout,
  quantities: Known,
  requests: Quantity,
  length: Quantity,
): Message {
  const most = quantities.get('maxRunningRequests');
  if (most !== undefined && most.interval.hi < requests.interval.lo) {
    return message('layout.concurrency-limited', { requests, length, most });
  }
  const { dp: groups = 1 } = options.parallel;
  return groups > 1
    ? message('layout.concurrency-groups', { requests, length, groups })
    : message('layout.concurrency', { requests, length });
}

function averageMessages(
  join: RunLayout,
  quantities: Known,
  length: Quantity | undefined,
): Message[] {
  const tokens = quantities.get('maxTotalTokens');
  const cost = length && costOf(join, length);
  const requests = length && tokens && roomFor(join, quantities, tokens, length);
  return cost && requests ? [message('layout.average', { length, cost, requests })] : [];
}

/** Requests that tokens and slots of state hold at once; unknown where slots are. */
function roomFor(
  { slot, options }: RunLayout,
  quantities: Known,
  tokens: Quantity,
  length: Quantity,
): Quantity | undefined {
  if (slot !== undefined && options.areSlotsOpen === true) {
    return undefined;
  }
  const byTokens = concurrentRequests(tokens, length);
  const slots = quantities.get('stateSlots');
  const each = givenQuantity(
    BigInt(options.slotsPerRequest ?? 3),
    units.one,
    '--disable-radix-cache',
  );
  const found =
    slot === undefined
      ? byTokens
      : byTokens && slots && derive('min(byTokens, slots // each)', { byTokens, slots, each });
  return found && { ...found, unit: units.request };
}

/** MiB of a request on one rank, in the buffers of a draft too; unknown where its layers are. */
function costOf({ bytes, config, options, slot }: RunLayout, length: Quantity) {
  const draft = draftBytes(bytes, config.layout, options);
  const areSlotsOpen = slot !== undefined && options.areSlotsOpen === true;
  if ((options.draft !== undefined && draft === undefined) || areSlotsOpen) {
    return undefined;
  }
  const state = slot && {
    perSlot: slot.onRank,
    slotsPerRequest: options.slotsPerRequest ?? 3,
  };
  return requestCost(bytes, config.layout, length, state, draft);
}

/** Whether the fraction is the release's own. */
export function automaticMessage({ origin, value, claimed }: AutomaticFraction): Message {
  const { plain, multiplier, effective } = value;
  if (origin === 'typed') {
    return message('fraction.is-typed', { fraction: claimed, automatic: effective });
  }
  return multiplier === undefined || multiplier.interval.lo === 1
    ? message('fraction.is-automatic', { fraction: claimed })
    : message('fraction.is-multiplied', { fraction: claimed, plain, multiplier });
}
