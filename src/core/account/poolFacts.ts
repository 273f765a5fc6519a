/**
 * What the printed pools say of the budget: tokens, sizes, what shares it with them, and bytes per
 * token. Leaves out the request-to-token table, which no budget counts.
 */
import type { LogRecord } from '../log/record';
import type { Run } from '../log/run';
import { budgetTerms } from '../sglang/budgetFormula';
import { printedCell } from '../sglang/printedCell';
import { isWithin, mayBeWithin } from '../sglang/release';
import { derive, factOf, sum } from '../terms/derive';
import type { Fact } from '../terms/fact';
import { point } from '../units/interval';
import type { Quantity } from '../units/quantity';
import { assumptions, pageBelowGiB } from './assumption';
import { chargedState } from './chargedState';
import { fieldQuantity } from './figure';
import { minimumBelowFraction } from './hiddenReserve';
import { RunArguments, draftKindOf, hasOwnDraft } from './layoutOptions';
import type { PoolFigure, RankFigures } from './rankFigures';
import { kvDtypeOf } from './runKvDtype';
import { hasStateModel } from './stateModel';
import { assumed, fact } from './statedFact';

/** The tokens of the pool as the deciding rank prints them; none where no line does. */
export function tokensFact(run: Run, binding: RankFigures | undefined): Fact[] {
  const summary = binding?.summary ?? run.records.findLast(({ form }) => form.id === 'summary');
  const field = summary?.fields['tokens'];
  const fromSummary = summary && field && fieldQuantity(summary, field);
  const quantity = binding?.kvPool?.tokens?.quantity ?? fromSummary;
  return quantity ? [factOf(budgetTerms.tokens, quantity)] : [];
}

/** The size of the KV pool in GiB and everything that shares its budget. */
export function poolFacts(run: Run, binding: RankFigures | undefined): Fact[] {
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
export function reservedFacts(run: Run, binding: RankFigures | undefined): Fact[] {
  const facts: Fact[] = [];
  const state = binding && chargedState(run, binding);
  const fixed = fixedState(run);
  const isHidden = minimumBelowFraction(run) !== undefined;
  if (state !== undefined) {
    facts.push(factOf(budgetTerms.state, state));
  } else if (fixed !== undefined) {
    facts.push(...fixed);
  } else if (!hasStateModel(run) && !isHidden) {
    facts.push(fact(budgetTerms.state, point(0), [], { nominal: 0 }));
  }
  const reservation = run.records.find(({ form }) => form.id === 'multimodal-reservation');
  const reserved = reservation && firstField(reservation);
  facts.push(
    reserved
      ? factOf(budgetTerms.reservation, reserved)
      : isHidden
        ? fact(budgetTerms.reservation, { lo: 0, hi: Infinity }, [])
        : fact(budgetTerms.reservation, point(0), [], { nominal: 0 }),
  );
  facts.push(...cellFacts(run, binding), draftBufferFact(binding?.draftPools[0]));
  return facts;
}

/** Fields of states and windows of fixed size on the sizing line of compressed attention. */
export const fixedNames = ['c128Fixed', 'c2Fixed', 'c4Fixed', 'swaFixed', 'swaRingFixed'] as const;

/**
 * Compressed attention takes states and windows of fixed size out of the budget first. Nothing is said
 * where the line names one that is not known, and undefined where it names none.
 */
export function fixedState(run: Run): Fact[] | undefined {
  const record = run.records.find(({ form }) => form.id === 'dsv4-budget');
  if (record && takesOutOther(record)) {
    return [];
  }
  const amounts = fixedNames.flatMap(name => {
    const field = record?.fields[name];
    return (record && field && fieldQuantity(record, field)) ?? [];
  });
  const all = sum(amounts);
  return all && [factOf(budgetTerms.state, all)];
}

/** Whether such a line names an amount that is not known to leave the budget alone. */
export function takesOutOther({ words, fields }: LogRecord): boolean {
  return words['otherFixed'] !== undefined || fields['fp4Workspace'] !== undefined;
}

/** A hybrid of two pools whose lines are not both there says nothing of the budget. */
export function isWholePool(run: Run, binding: RankFigures | undefined): boolean {
  const isHybrid = run.records.some(
    ({ form, words }) =>
      form.id === 'swa-pool' ||
      form.id === 'swa-split' ||
      (form.id === 'kv-allocated' && (words['pool'] === 'Full' || words['pool'] === 'SWA')),
  );
  return !isHybrid || (binding?.kvPool !== undefined && binding.swaPool !== undefined);
}

function firstField(record: LogRecord): Quantity | undefined {
  const [field] = Object.values(record.fields);
  return field && fieldQuantity(record, field);
}

/** Buffers of drafts grow with the tokens, whoever budgets them; none where no line shows any. */
function draftBufferFact(draft: PoolFigure | undefined): Fact {
  const cell = printedCell(draft?.size.quantity, draft?.tokens?.quantity);
  return cell
    ? factOf(budgetTerms.draftBufferCell, cell)
    : fact(budgetTerms.draftBufferCell, point(0), [], { nominal: 0 });
}

/**
 * What draft pools take of the budget: their bytes per token from 0.5.14 on, nothing before, and
 * anything between where the release is not known that well.
 */
function draftFact(run: Run, binding: RankFigures | undefined): Fact | undefined {
  const draft = binding?.draftPools[0];
  const isLater = isWithin(run.release, { from: '0.1.0', to: '0.5.13.post1' });
  if (draft === undefined && !isLater && hasDraft(run)) {
    return fact(budgetTerms.draftCell, { lo: 0, hi: Infinity }, []);
  }
  if (draft === undefined || isLater) {
    return fact(budgetTerms.draftCell, point(0), [], { nominal: 0n });
  }
  const cell = printedCell(draft.size.quantity, draft.tokens?.quantity);
  if (cell === undefined) {
    return undefined;
  }
  const shares = shareOfDraft(run, binding, cell);
  return isWithin(run.release, { from: '0.5.14' })
    ? shares
    : fact(budgetTerms.draftCell, { lo: 0, hi: shares.interval.hi }, cell.provenance);
}

/**
 * What the budget counts for a draft that takes so much: its layers as if they were the target's, so the
 * same for one of the target's checkpoint, and nothing that is known for another model of any size. The
 * fraction in the arguments tells whether the layers of a draft are like those of the target.
 */
function shareOfDraft(run: Run, binding: RankFigures | undefined, cell: Quantity): Fact {
  const kind = draftKindOf(new RunArguments(run).word('speculative_algorithm'));
  if (kind === 'standalone') {
    return fact(budgetTerms.draftCell, { lo: 0, hi: Infinity }, cell.provenance);
  }
  if (kind !== 'eagle' || hasOwnDraft(run) || isDraftAlike(run, binding)) {
    return factOf(budgetTerms.draftCell, cell);
  }
  const { lo, hi } = cell.interval;
  return assumed(budgetTerms.draftCell, { lo: lo / 2, hi: hi * 2 }, assumptions.draftNearTarget, {
    provenance: cell.provenance,
  });
}

/** By how much of a draft's pool the rest of the budget may differ from it, and still be it. */
const alikeShare = 0.25;

/** Whether the fraction in the arguments leaves as much for the draft as its pool takes. */
function isDraftAlike(run: Run, binding: RankFigures | undefined): boolean {
  const fraction = new RunArguments(run).number('mem_fraction_static');
  const total = binding?.loadBegin?.quantity;
  const available = (binding?.draftLoadEnd ?? binding?.loadEnd)?.quantity;
  const draft = binding?.draftPools[0]?.size.quantity;
  if (binding === undefined || fraction === undefined || !total || !available || !draft) {
    return false;
  }
  const reserved = run.records.find(({ form }) => form.id === 'multimodal-reservation');
  const parts = [
    binding.kvPool?.size.quantity,
    binding.swaPool?.size.quantity,
    chargedState(run, binding),
    reserved && firstField(reserved),
  ];
  const taken = sum(parts.flatMap(part => part ?? []));
  const left =
    taken && derive(`available - total * ${1 - fraction} - taken`, { available, total, taken });
  const middle = (quantity: Quantity): number => (quantity.interval.lo + quantity.interval.hi) / 2;
  return left !== undefined && Math.abs(middle(left) - middle(draft)) <= alikeShare * middle(draft);
}

/** True for a server with a draft model, whose pool the log may stop before; one kind has none. */
function hasDraft(run: Run): boolean {
  const algorithm = new RunArguments(run).word('speculative_algorithm');
  if (algorithm?.toUpperCase() === 'FROZEN_KV_MTP') {
    return false;
  }
  return draftKindOf(algorithm) !== undefined || run.ranks.some(({ draft }) => draft.length > 0);
}

/**
 * Budgeted against allocated bytes per token. DSA with
 * FP8 rows was budgeted with 576 + 132 bytes a layer and allocated with 656 + 132 up to 0.5.16
 * (reference 3.1), and a single-buffer FP8 pool in those releases may be one.
 */
function cellFacts(run: Run, binding: RankFigures | undefined): Fact[] {
  const facts = [draftFact(run, binding)].flatMap(found => found ?? []);
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
    /float8|fp8/.test(kvDtypeOf(run, binding).name ?? '') &&
    mayBeWithin(run.release, { from: '0.5.3.post1', to: '0.5.16' })
  );
}
