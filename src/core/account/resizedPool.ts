/**
 * A pool that gets its memory after the capture of graphs (0.5.16 on, opt-in): its lines before are of
 * addresses only. Leaves out how a window pool shares the result, which no line tells.
 */
import type { LogRecord } from '../log/record';
import type { Run } from '../log/run';
import { budgetTerms } from '../sglang/budgetFormula';
import { isWithin } from '../sglang/release';
import { largestPage } from '../sglang/printedCell';
import { derive } from '../terms/derive';
import type { Fact } from '../terms/fact';
import { boundedQuantity } from '../units/givenQuantity';
import { units } from '../units/unit';
import { sampleDriftGiB, pageBelowGiB } from './assumption';
import type { Figure } from './figure';
import { figure } from './figure';
import type { PoolFigure } from './rankFigures';

/** True for a run whose lines show that its pools get their memory after the capture. */
export function isSizedAfterCapture({ records }: Pick<Run, 'records'>): boolean {
  return records.some(
    ({ form, words }) => form.id === 'post-capture-pool' || words['virtual'] !== undefined,
  );
}

/** The line that says what the pool came to. */
export function resizedLine(records: readonly LogRecord[]): LogRecord | undefined {
  return records.findLast(
    ({ form, fields }) =>
      form.id === 'post-capture-pool' && (fields['kv'] ?? fields['tokens']) !== undefined,
  );
}

/** Free memory of the rank once the pool has its memory. */
export function freeAfterResize(record: LogRecord): Figure | undefined {
  return figure(record, 'avail', 'poolEndAvailable') ?? figure(record, 'free', 'poolEndAvailable');
}

/**
 * Its final size: as printed, or what the tokens take at the bytes of the reserved pool (0.5.16
 * prints no size). Undefined beside a window.
 * @param reserved what was printed before the capture, of addresses.
 */
export function resizedPool(
  records: readonly LogRecord[],
  reserved: readonly PoolFigure[],
): PoolFigure | undefined {
  const record = resizedLine(records);
  const hasWindow = records.some(
    ({ form, fields }) =>
      form.id === 'swa-pool' ||
      form.id === 'swa-split' ||
      (form.id === 'post-capture-pool' && Number(fields['swa']?.value ?? 0) > 0),
  );
  const tokens = record && figure(record, 'tokens', 'maxTotalTokens');
  const size = record && (figure(record, 'kv', 'kvPool') ?? shareOf(reserved, tokens, record));
  return size === undefined || hasWindow
    ? undefined
    : { size, tokens, dtype: record?.words['dtype'] ?? reserved.at(-1)?.dtype, parts: [] };
}

/** The pool of a draft that got its memory with the target's, of its own line. */
export function resizedDraftPool(record: LogRecord): PoolFigure[] {
  const size =
    record.form.id === 'post-capture-draft-pool' ? figure(record, 'kv', 'draftPool') : undefined;
  return size === undefined
    ? []
    : [
        {
          size,
          tokens: figure(record, 'tokens', 'maxTotalTokens'),
          dtype: record.words['dtype'],
          parts: [],
        },
      ];
}

function shareOf(
  reserved: readonly PoolFigure[],
  tokens: Figure | undefined,
  record: LogRecord,
): Figure | undefined {
  const [whole, ...others] = reserved;
  const count = whole?.tokens?.quantity;
  const rows = boundedQuantity({ lo: 1, hi: largestPage }, units.token, 1);
  const quantity =
    whole &&
    count &&
    tokens &&
    others.length === 0 &&
    derive('size - size * (count - tokens) / (count + rows)', {
      size: whole.size.quantity,
      tokens: tokens.quantity,
      count,
      rows,
    });
  return quantity ? { id: 'kvPool', quantity, record } : undefined;
}

/**
 * What the fraction kept free: the sizing gives the pool all but that, so it is what is free after it
 * on the rank with least. Less than that where a limit, or a reserve for activations, decided: then
 * only a bound.
 */
export function slackAfterCapture(run: Run): Fact[] {
  const lines = run.records.filter(record => resizedLine([record]) !== undefined);
  const free = lines.flatMap(record => freeAfterResize(record)?.quantity ?? []);
  const least = free.reduce<(typeof free)[number] | undefined>(
    (best, next) => (best === undefined || next.interval.lo < best.interval.lo ? next : best),
    undefined,
  );
  if (least === undefined) {
    return [];
  }
  const mayBeMore =
    run.records.some(
      ({ form, fields }) =>
        form.id === 'multimodal-reservation' ||
        form.id === 'state-pool' ||
        form.id === 'post-capture-workspace' ||
        (form.id === 'post-capture-pool' && fields['maxBatch'] !== undefined),
    ) ||
    isWithin(run.release, reservesForSampling) ||
    isCapped(run, lines);
  return [
    {
      term: budgetTerms.slack,
      basis: 'proved',
      provenance: least.provenance,
      interval: {
        lo: mayBeMore ? 0 : least.interval.lo - pageBelowGiB,
        hi: least.interval.hi + sampleDriftGiB + roundedUp(lines),
      },
    },
  ];
}

/** Releases that keep what sampling took in a trial, where it is more than the fraction keeps free. */
const reservesForSampling = { from: '0.5.20' };

/** GiB by which whole granules of every buffer come to more than the budget, at most. */
const mostGranulesGiB = 0.25;

function roundedUp(lines: readonly LogRecord[]): number {
  return lines.every(({ fields }) => fields['kv'] !== undefined) ? pageBelowGiB : mostGranulesGiB;
}

/** True where the pool kept all tokens of its addresses, or nothing tells how many these were. */
function isCapped({ records }: Run, lines: readonly LogRecord[]): boolean {
  const before = records.findLast(({ form }) => form.id === 'kv-allocated')?.fields['tokens'];
  const after = lines.at(-1)?.fields['tokens'];
  return before === undefined || after === undefined || Number(after.value) >= Number(before.value);
}
