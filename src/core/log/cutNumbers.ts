/**
 * Tells numbers that were cut from whole ones: terminals, tools and people cut lines at any column,
 * and half a number is none. Leaves out how lines are read.
 */
import type { Spelling } from '../sglang/form/lineForm';
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import { intersectReleases } from '../sglang/form/releaseInterval';
import type { DraftRecord } from './lineAssembler';
import type { LogRecord } from './record';

/** Lines shorter than this are not taken for cut at a terminal's width. */
const narrowestTerminal = 60;

/** Drops numbers that touch the end of a line that was cut, and spellings of cut lines. */
export function withoutCutNumbers(drafts: readonly DraftRecord[]): readonly LogRecord[] {
  const cutWidths = findCutWidths(drafts);
  const release = releaseOfWholeLines(drafts);
  return drafts.map(({ record, touching, lineWidth, endsTerminated }) => {
    const isAtCut = lineWidth >= narrowestTerminal && cutWidths.has(lineWidth);
    const isForeign = touching.length > 0 && !canPrint(release, record.spelling);
    if (endsTerminated && !isAtCut && !isForeign) {
      return record;
    }
    const fields = Object.fromEntries(
      Object.entries(record.fields).filter(([name]) => !touching.includes(name)),
    );
    return { ...record, spelling: undefined, fields };
  });
}

/** Releases that can have printed the lines that end in no number, as far as one can have. */
function releaseOfWholeLines(drafts: readonly DraftRecord[]): ReleaseInterval {
  const allowed = new Set<Spelling['releases']>();
  for (const { record, touching } of drafts) {
    if (touching.length === 0 && record.spelling !== undefined && record.form.owner === 'sglang') {
      allowed.add(record.spelling.releases);
    }
  }
  return intersectReleases([...allowed]);
}

/** False where the releases of the log never end a line as the spelling does, so that it was cut. */
function canPrint(release: ReleaseInterval, spelling: Spelling | undefined): boolean {
  if (release.kind === 'unknown' || spelling === undefined || spelling.releases.length === 0) {
    return true;
  }
  const [from, to] =
    release.kind === 'range' ? [release.from, release.to] : [release.after, release.before];
  const own = { from, ...(to !== undefined && { to }) };
  return intersectReleases([[own], spelling.releases]).kind === 'range';
}

/**
 * Widths at which lines were cut: those of lines that stop where a whole one does not, and the
 * largest width where lines of different forms have exactly it.
 */
function findCutWidths(drafts: readonly DraftRecord[]): ReadonlySet<number> {
  const ended = drafts.filter(draft => draft.endsTerminated);
  const widest = ended.reduce((most, draft) => Math.max(most, draft.lineWidth), 0);
  const forms = new Set(
    ended.filter(draft => draft.lineWidth === widest).map(draft => draft.record.form),
  );
  return new Set([
    ...ended.filter(draft => draft.isCut).map(draft => draft.lineWidth),
    ...(forms.size > 1 ? [widest] : []),
    ...continuedWidths(ended),
  ]);
}

/** Widths of lines whose last number is the head of a longer one: the same quantity, the same rank. */
function continuedWidths(drafts: readonly DraftRecord[]): readonly number[] {
  const suspects = drafts.flatMap(({ record, touching, lineWidth: width }) => {
    const numbers = width < narrowestTerminal ? [] : touching.map(name => numberOf(record, name));
    return numbers.flatMap(number => (number === undefined ? [] : { ...number, width }));
  });
  if (suspects.length === 0) {
    return [];
  }
  const printed = new Map<string, Set<string>>();
  for (const { record } of drafts) {
    for (const name of Object.keys(record.fields)) {
      const number = numberOf(record, name);
      if (number !== undefined) {
        printed.set(number.key, (printed.get(number.key) ?? new Set()).add(number.text));
      }
    }
  }
  return suspects.flatMap(({ key, text, width }) => {
    const isHead = (other: string): boolean => other.length > text.length && other.startsWith(text);
    return [...(printed.get(key) ?? [])].some(isHead) ? width : [];
  });
}

/** An integer that is a quantity of its rank, as printed; undefined for any other field. */
function numberOf(
  { form, rank, stream, fields }: LogRecord,
  name: string,
): { readonly key: string; readonly text: string } | undefined {
  const field = form.fields[name];
  const quantity = field?.unit === 'text' ? undefined : field?.quantity;
  const value = fields[name];
  return quantity === undefined || typeof value?.value !== 'bigint'
    ? undefined
    : { key: `${stream} ${rank} ${quantity}`, text: value.text };
}
