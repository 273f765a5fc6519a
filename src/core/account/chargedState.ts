/**
 * What a state pool takes of the budget, from the sizes that its line prints: up to 0.5.16 the buffers
 * have a row of padding that no budget counts, and intermediate states of speculation are counted for
 * the limit of requests. Leaves out lines that print no slots (to 0.5.3.post2), whose padding is not
 * known, pipeline stages with fewer state layers than the fullest (0.5.17 on), and ring buffers and
 * checkpoints, which no budget counts. A decode server prints other slots than the budget gives it.
 */
import type { LogRecord } from '../log/record';
import type { Run } from '../log/run';
import { isSince } from '../sglang/layout/eraTable';
import { ownRequestLimit } from '../sglang/layout/requestLimit';
import type { Interval } from '../units/interval';
import { printedInterval } from '../units/printed';
import type { Quantity } from '../units/quantity';
import { RunArguments } from './layoutOptions';
import type { RankFigures } from './rankFigures';

/** From here on padding is counted, and draft states as they are allocated. */
const paddedFrom = '0.5.17';

/** From here on overlapping windows of a chain of drafts are allocated once, and counted in full. */
const overlappedFrom = '0.5.14';

/** Intermediate states are counted apart from slots from here on. */
const apartFrom = '0.5.7';

/** Only as many requests as slots can serve are counted from here on. */
const servedFrom = '0.5.13';

/** The most slots that a request takes. */
const mostSlots = 5;

/** GiB of the budget: as printed, or less by the padding of a release that counts none. */
export function chargedState(
  run: Run,
  { statePool, stateSlots }: RankFigures,
): Quantity | undefined {
  const printed = statePool?.quantity;
  const slots = stateSlots?.quantity.interval.lo;
  if (new RunArguments(run).word('disaggregation_mode') === 'decode') {
    return chargedOnDecode(run, printed, slots);
  }
  if (!printed || !slots) {
    return printed;
  }
  const { unit, basis, assumptions, provenance } = printed;
  const folded = foldedWindows(run, statePool.record);
  if (isSince(run.release, paddedFrom) === true) {
    const { lo, hi } = printed.interval;
    return folded.hi > 0
      ? {
          interval: { lo: lo + folded.lo, hi: hi + folded.hi },
          unit,
          basis,
          assumptions,
          provenance,
        }
      : printed;
  }
  const drafts = ['intermediateSsm', 'intermediateConv'].reduce(
    (total, name) => total + Number(statePool.record.fields[name]?.value ?? 0),
    0,
  );
  const counted = slots / (slots + 1);
  if (drafts === 0) {
    // Forks may count the row: the printed size stays the most that it can be.
    const value = printed.exact ?? printed.printed ?? printed.nominal;
    return {
      interval: { lo: printed.interval.lo * counted, hi: printed.interval.hi },
      unit,
      basis,
      assumptions,
      provenance,
      ...(value !== undefined && { nominal: Number(value) }),
    };
  }
  if (isSince(run.release, paddedFrom) === undefined) {
    const { lo, hi } = printed.interval;
    return { interval: { lo, hi: hi + folded.hi }, unit, basis, assumptions, provenance };
  }
  const { lo, hi } = intermediateShare(run, slots);
  const least = Math.max(0, printed.interval.lo - drafts) * counted;
  const interval = {
    lo: Math.max(0, least + (drafts + folded.lo) * lo),
    hi: printed.interval.hi + folded.hi + (drafts + folded.hi) * Math.max(0, hi - 1),
  };
  return { interval, unit, basis, assumptions, provenance };
}

/**
 * GiB by which the windows of drafts count more than their line prints. In full they are to their
 * states as the windows of slots to those of slots; where they overlap, less of them is allocated.
 */
function foldedWindows(run: Run, { fields }: LogRecord): Interval {
  const [conv, ssm, draftConv, draftSsm] = [
    'conv',
    'ssm',
    'intermediateConv',
    'intermediateSsm',
  ].map(name => {
    const field = fields[name];
    return field && printedInterval(field.text);
  });
  const isTree = (new RunArguments(run).count('speculative_eagle_topk') ?? 0) > 1;
  const isWhole = isTree || isSince(run.release, overlappedFrom) === false;
  if (!conv || !ssm || !draftConv || !draftSsm || isWhole) {
    return { lo: 0, hi: 0 };
  }
  const least = (draftSsm.lo * Math.max(0, conv.lo)) / ssm.hi - draftConv.hi;
  const most = ssm.lo > 0 ? (draftSsm.hi * conv.hi) / ssm.lo - draftConv.lo : Infinity;
  return { lo: Math.max(0, least), hi: Math.max(0, most) };
}

/**
 * On a decode server the buffers have room for requests under way, and the slots of the budget are those
 * that flags ask for. Undefined where a share of the budget decides them, or drafts have states too.
 */
function chargedOnDecode(
  run: Run,
  printed: Quantity | undefined,
  held: number | undefined,
): Quantity | undefined {
  const args = new RunArguments(run);
  const groups = args.is('enable_dp_attention') ? (args.count('dp_size') ?? 1) : 1;
  const isDrafting = args.word('speculative_algorithm') !== undefined;
  const asked = args.count('max_mamba_cache_size') ?? args.count('max_running_requests');
  const isPadded = isSince(run.release, paddedFrom);
  if (!printed || !held || !asked || isDrafting || isPadded === undefined) {
    return undefined;
  }
  const slots = Math.max(1, Math.floor(asked / groups)) + (isPadded ? 1 : 0);
  const counted = slots / (held + 1);
  const { unit, basis, assumptions, provenance, interval } = printed;
  return {
    interval: { lo: interval.lo * counted, hi: interval.hi * counted },
    unit,
    basis,
    assumptions,
    provenance,
  };
}

/** How many times its printed size the intermediate state counts, at least and at most. */
function intermediateShare(run: Run, slots: number): { readonly lo: number; readonly hi: number } {
  const args = new RunArguments(run);
  const groups = args.is('enable_dp_attention') ? (args.count('dp_size') ?? 1) : 1;
  const all =
    args.count('max_running_requests') ??
    ownRequestLimit(run.release, { isSpeculative: true, isCompressed: false });
  if (all === undefined || isSince(run.release, apartFrom) !== true) {
    return { lo: 0, hi: 1 };
  }
  const requests = Math.max(1, Math.floor(all / groups));
  const fewest = Math.max(1, Math.min(requests, Math.floor(slots / mostSlots)));
  if (isSince(run.release, servedFrom) === true) {
    return { lo: fewest / (fewest + 1), hi: 1 };
  }
  // The first of these releases counts the requests of all groups.
  const isWhole = isSince(run.release, '0.5.8') !== true;
  return { lo: requests / (requests + 1), hi: (isWhole ? all : requests) / (fewest + 1) };
}
