/**
 * Learns the shapes of serving lines from what the full reader made of them, and reads later lines of
 * the same shapes without it. A shape of another day, rank or wording is learned anew. Leaves out
 * lines with escapes, without ASCII, glued, wrapped or folded ones: the full reader keeps those.
 */
import type { DraftRecord } from '../lineAssembler';
import { findOwnPrefixes, readCollectorPrefix, readOwnPrefix } from '../prefix';
import type { LogTime, RankKey } from '../record';
import type { ClockPlace, LineBytes } from './lineShape';
import { MessageShape, mostSlots, PrefixShape, shapeOfText } from './lineShape';
import { metricsOfForm } from './seriesMetric';
import type { SeriesCollector, SeriesCourse } from './seriesCollector';

/** Longer lines are left to the full reader. */
const longestShapedLine = 1000;
const rememberedPrefixes = 256;
const rememberedMessages = 32;

interface Origin {
  readonly stream: string;
  readonly rank: RankKey;
  course: SeriesCourse | undefined;
  generation: number;
}

interface SlotReading {
  readonly metric: number;
  readonly slot: number;
  /** The number ends the line, so that it can have been cut. */
  readonly isLast: boolean;
}

interface Reading {
  readonly slots: readonly SlotReading[];
  readonly isCut: boolean;
}

/** Reads lines of known shapes into a collector. */
export class ShapeReader {
  readonly #collector: SeriesCollector;
  readonly #prefixes: PrefixShape<Origin>[] = [];
  readonly #messages: MessageShape<Reading>[] = [];
  readonly #values = new Float64Array(mostSlots);
  #line: LineBytes = lineBytes(new Uint8Array(0));

  constructor(collector: SeriesCollector) {
    this.#collector = collector;
  }

  /** Takes the line in [start, end), without its line end, if its shape is known. */
  take(bytes: Uint8Array, start: number, end: number, line: number): boolean {
    if (end - start > longestShapedLine) {
      return false;
    }
    if (bytes.buffer !== this.#line.view.buffer || bytes.byteOffset !== 0) {
      this.#line = lineBytes(bytes);
    }
    const prefix = this.#prefixAt(start, end);
    if (prefix === undefined) {
      return false;
    }
    const message = this.#messageAt(start + prefix.length, end);
    if (message === undefined) {
      return false;
    }
    const collector = this.#collector;
    const { owner } = prefix;
    if (owner.course === undefined || owner.generation !== collector.generation) {
      owner.course = collector.courseOf(owner.stream, owner.rank);
      owner.generation = collector.generation;
    }
    const { course } = owner;
    if (course === undefined) {
      return true;
    }
    const width = end - start;
    const { slots, isCut } = message.owner;
    if (isCut) {
      collector.cutAt(width);
    }
    collector.begin(course, line, prefix.seconds(bytes, start), prefix.clock?.hasDate === true);
    for (const { metric, slot, isLast } of slots) {
      if (!isLast || collector.endsLine(metric, width)) {
        course.buckets.put(metric, this.#values[slot] ?? 0);
      }
    }
    return true;
  }

  #prefixAt(start: number, end: number): PrefixShape<Origin> | undefined {
    const shapes = this.#prefixes;
    for (let index = 0; index < shapes.length; index += 1) {
      const shape = shapes[index];
      if (shape?.isAt(this.#line, start, end) === true) {
        moveToFront(shapes, index);
        return shape;
      }
    }
    return undefined;
  }

  #messageAt(at: number, end: number): MessageShape<Reading> | undefined {
    const shapes = this.#messages;
    for (let index = 0; index < shapes.length; index += 1) {
      const shape = shapes[index];
      if (shape?.read(this.#line, at, end, this.#values) === true) {
        moveToFront(shapes, index);
        return shape;
      }
    }
    return undefined;
  }

  /** Learns from a line that the full reader made this one record of, and nothing else. */
  learn(bytes: Uint8Array, text: string, draft: DraftRecord): void {
    if (text.length > longestShapedLine || text.length !== bytes.length) {
      return;
    }
    const prefix = learnPrefix(bytes, text, draft);
    const message = prefix && learnMessage(text, prefix.length, draft);
    if (prefix === undefined || message === undefined) {
      return;
    }
    const line = lineBytes(bytes);
    if (!this.#prefixes.some(each => each.isAt(line, 0, bytes.length))) {
      remember(this.#prefixes, prefix, rememberedPrefixes);
    }
    const isKnown = this.#messages.some(each =>
      each.read(line, prefix.length, bytes.length, this.#values),
    );
    if (!isKnown) {
      remember(this.#messages, message, rememberedMessages);
    }
  }
}

function learnPrefix(
  bytes: Uint8Array,
  text: string,
  { record }: DraftRecord,
): PrefixShape<Origin> | undefined {
  const collector = readCollectorPrefix(text);
  const own = readOwnPrefix(text, collector.end);
  const end = own?.end ?? collector.end;
  if (
    record.start !== end ||
    record.line !== record.endLine ||
    collector.fragment?.isPartial === true ||
    (own !== undefined && own.ranks.length !== 1) ||
    findOwnPrefixes(text, end).length > 0
  ) {
    return undefined;
  }
  const mask = new Uint8Array(end);
  const isOwnTime = own?.time !== undefined;
  const timeStamp = isOwnTime
    ? { start: own.start + (text[own.start] === '[' ? 1 : 0), end: own.end }
    : collector.stamps.at(-1);
  for (const stamp of collector.stamps) {
    if (isOwnTime || stamp !== timeStamp) {
      maskDigits(text, stamp.start, stamp.end, mask);
    }
  }
  const clock = timeStamp && record.time && placeClock(text, timeStamp.start, record.time, mask);
  const owner = { stream: record.stream, rank: record.rank, course: undefined, generation: -1 };
  const shape = new PrefixShape<Origin>(bytes.slice(0, end), mask, clock, owner);
  // What the shape says of the line that it was learned from is what the full reader says.
  return Object.is(shape.seconds(bytes, 0), record.time?.seconds ?? NaN) ? shape : undefined;
}

function maskDigits(text: string, start: number, end: number, mask: Uint8Array): void {
  for (let index = start; index < end; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 48 && code <= 57) {
      mask[index] = 1;
    }
  }
}

const stampedClock = /(?:\d{4}-\d\d-\d\d[ T])?(\d\d:\d\d:\d\d(?:[.,](\d{1,9}))?)/y;

/** Leaves the date as it is, so that lines of another day have another shape. */
function placeClock(
  text: string,
  start: number,
  time: LogTime,
  mask: Uint8Array,
): ClockPlace | undefined {
  stampedClock.lastIndex = start;
  const match = stampedClock.exec(text);
  if (match === null) {
    return undefined;
  }
  const end = start + match[0].length;
  const at = end - (match[1] ?? '').length;
  maskDigits(text, at, end, mask);
  return {
    at,
    fractionDigits: match[2]?.length ?? 0,
    midnight: time.hasDate ? Math.floor(time.seconds / 86_400) * 86_400 : 0,
    hasDate: time.hasDate,
  };
}

function learnMessage(
  text: string,
  at: number,
  { record, touching, isCut }: DraftRecord,
): MessageShape<Reading> | undefined {
  const shaped = shapeOfText(text.slice(at));
  if (shaped === undefined) {
    return undefined;
  }
  const slots: SlotReading[] = [];
  for (const { metric, fields } of metricsOfForm(record.form.id) ?? []) {
    const name = fields.find(each => record.fields[each] !== undefined);
    const field = name === undefined ? undefined : record.fields[name];
    if (name === undefined || field === undefined) {
      continue;
    }
    const slot = shaped.starts.indexOf(field.start - at);
    if (slot === -1 || shaped.ends[slot] !== field.end - at) {
      return undefined;
    }
    slots.push({ metric, slot, isLast: touching.includes(name) });
  }
  return new MessageShape(shaped, { slots, isCut });
}

/** The next line is likely to have the same shape. */
function moveToFront(shapes: unknown[], index: number): void {
  const shape = shapes[index];
  if (index > 0) {
    shapes.copyWithin(1, 0, index);
    shapes[0] = shape;
  }
}

function lineBytes(bytes: Uint8Array): LineBytes {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

function remember<T>(shapes: T[], shape: T, most: number): void {
  shapes.unshift(shape);
  shapes.length = Math.min(shapes.length, most);
}
