/**
 * Turns physical lines into records: strips prefixes, splits glued messages, rejoins fragments and
 * wrapped lines, and gives the rank of a traceback's head to the error lines below it. Leaves out
 * where lines come from and what a run is.
 */
import type { LineForm } from '../sglang/form/lineForm';
import type { FormMatch } from './formMatcher';
import { candidateForms, matchForm, matchForms } from './formMatcher';
import type { PhysicalLine } from './joinedText';
import { JoinedText } from './joinedText';
import type { CollectorPrefix, OwnPrefix } from './prefix';
import { findOwnPrefixes, readCollectorPrefix, readOwnPrefix } from './prefix';
import type { LogRecord, LogTime, RankKey } from './record';
import { readServerArguments } from './serverArguments';

/** A record whose numbers at a line's end may still turn out to be cut. */
export interface DraftRecord {
  readonly record: LogRecord;
  /** Fields that end where the physical line ends. */
  readonly touching: readonly string[];
  /** UTF-16 length of the physical line that the match ends in. */
  readonly lineWidth: number;
  readonly endsTerminated: boolean;
  /** The line stops where a whole one does not: lines of its width were cut. */
  readonly isCut: boolean;
}

/** A message with the prefix that stands before it. */
interface Segment {
  readonly text: JoinedText;
  readonly prefix: OwnPrefix | undefined;
  readonly collector: CollectorPrefix;
  readonly endsPhysicalLine: boolean;
}

/** A message of a form that can continue in the next line. */
interface Pending {
  readonly segment: Segment;
  readonly form: LineForm;
  readonly match: FormMatch | undefined;
  readonly joinedLines: number;
  /** Blank lines after the last joined one; people put them between sentences. */
  readonly blankLines: number;
}

interface Traceback {
  readonly ranks: readonly RankKey[];
  readonly time: LogTime | undefined;
  readonly stream: string;
  readonly linesLeft: number;
}

const maximumFragmentLength = 4_000_000;
const maximumFragments = 1024;
const maximumJoinedLines = 7;
const maximumBlankLines = 1;
/** Pods or hosts that one file may hold. */
const maximumHeads = 64;
const tracebackLines = 400;
const gluedMark = ' \u23ce ';

/** Feed it every line with an anchor, and every next line while it `wantsNext`. */
export class LineAssembler {
  readonly #forms: readonly LineForm[];
  readonly #emit: (draft: DraftRecord) => void;
  #fragments: Map<
    string,
    { readonly text: JoinedText; readonly collector: CollectorPrefix; readonly pieces: number }
  >;
  #heads: Set<string>;
  #pending: Pending | undefined;
  #traceback: Traceback | undefined;

  constructor(forms: readonly LineForm[], emit: (draft: DraftRecord) => void) {
    this.#forms = forms;
    this.#emit = emit;
    this.#fragments = new Map();
    this.#heads = new Set();
  }

  /** A copy in the same state that emits elsewhere: for lines that may still grow. */
  fork(emit: (draft: DraftRecord) => void): LineAssembler {
    const copy = new LineAssembler(this.#forms, emit);
    copy.#fragments = new Map(this.#fragments);
    copy.#heads = new Set(this.#heads);
    copy.#pending = this.#pending;
    copy.#traceback = this.#traceback;
    return copy;
  }

  /** True while the meaning of the lines so far depends on the next line. */
  get wantsNext(): boolean {
    return this.#pending !== undefined || this.#traceback !== undefined || this.#fragments.size > 0;
  }

  /** @param forms those whose anchors occur in the line. */
  feed(line: PhysicalLine, forms: readonly LineForm[]): void {
    const whole = JoinedText.from(line);
    const collector = readCollectorPrefix(whole.text, this.#heads);
    if (collector.head !== undefined && this.#heads.size < maximumHeads) {
      this.#heads.add(collector.head);
    }
    const rest = withoutInnerStamps(
      whole.slice(collector.end, collector.messageEnd ?? whole.text.length),
    );
    const { fragment } = collector;
    if (fragment === undefined) {
      this.#read(rest, collector, forms);
      return;
    }
    const key = `${collector.stream} ${fragment.channel}`;
    const before = this.#fragments.get(key);
    const text = before === undefined ? rest : before.text.join('', rest);
    const first = before?.collector ?? collector;
    const pieces = (before?.pieces ?? 0) + 1;
    if (
      fragment.isPartial &&
      text.text.length < maximumFragmentLength &&
      pieces < maximumFragments
    ) {
      this.#fragments.set(key, { text, collector: first, pieces });
      return;
    }
    this.#fragments.delete(key);
    this.#read(text, first, before === undefined ? forms : this.#forms);
  }

  /** Nothing follows: emits what was waiting for a next line. */
  flush(): void {
    for (const { text, collector } of this.#fragments.values()) {
      this.#read(text, collector, this.#forms);
    }
    this.#fragments.clear();
    this.#settle();
    this.#traceback = undefined;
  }

  #read(text: JoinedText, collector: CollectorPrefix, forms: readonly LineForm[]): void {
    const segments = splitMessages(text, collector);
    const first = segments[0];
    if (first !== undefined && this.#continue(first)) {
      return;
    }
    this.#settle();
    for (const segment of segments) {
      this.#readSegment(segment, forms);
    }
  }

  /** Joins the line to the waiting message, if it continues it. */
  #continue(next: Segment): boolean {
    const pending = this.#pending;
    if (pending === undefined || next.prefix !== undefined) {
      return false;
    }
    const words = next.text.text.trim();
    if (words === '' && pending.blankLines < maximumBlankLines) {
      this.#pending = { ...pending, blankLines: pending.blankLines + 1 };
      return true;
    }
    const isSameStream = next.collector.stream === pending.segment.collector.stream;
    if (!isSameStream || pending.form.wraps?.test(words) !== true) {
      return false;
    }
    const text = joinWrapped(pending.segment.text, next.text);
    const match = matchForm(pending.form, text, next.endsPhysicalLine).at(-1);
    if (
      match === undefined
        ? !endsOpen(text.text)
        : pending.form.looksAhead !== true && !saysMore(match, pending)
    ) {
      return false;
    }
    const segment = { ...pending.segment, text, endsPhysicalLine: next.endsPhysicalLine };
    this.#pending = {
      segment,
      form: pending.form,
      match: match ?? pending.match,
      joinedLines: pending.joinedLines + 1,
      blankLines: pending.blankLines,
    };
    if (this.#pending.joinedLines >= maximumJoinedLines) {
      this.#settle();
    }
    return true;
  }

  #settle(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending?.match !== undefined) {
      this.#emitMatch(pending.match, pending.segment);
    }
  }

  #readSegment(segment: Segment, candidates: readonly LineForm[]): void {
    this.#followTraceback(segment);
    const forms = candidateForms(candidates, segment.text.text);
    if (forms.length === 0) {
      return;
    }
    const matches = matchForms(forms, segment.text, segment.endsPhysicalLine);
    const waiting = segment.endsPhysicalLine ? findWaiting(forms, matches, segment) : undefined;
    for (const match of matches) {
      if (match !== waiting?.match) {
        this.#emitMatch(match, segment);
      }
    }
    this.#pending = waiting;
  }

  #followTraceback(segment: Segment): void {
    const traceback = this.#traceback;
    if (traceback === undefined) {
      return;
    }
    const isOther = segment.collector.stream !== traceback.stream;
    if (isOther) {
      return;
    }
    this.#traceback =
      segment.prefix !== undefined || traceback.linesLeft === 0
        ? undefined
        : { ...traceback, linesLeft: traceback.linesLeft - 1 };
  }

  #emitMatch(match: FormMatch, segment: Segment): void {
    const { form } = match;
    const isProgress = form.level === 'progress' && match.start > 1;
    const printed = isProgress ? undefined : segment.prefix;
    const inherited =
      printed === undefined && !isProgress && this.#traceback?.stream === segment.collector.stream
        ? this.#traceback
        : undefined;
    const ranks = printed?.ranks ?? inherited?.ranks ?? [''];
    const time = printed?.time ?? segment.collector.time ?? inherited?.time;
    if (form.event === 'traceback' && segment.prefix !== undefined) {
      this.#traceback = {
        ranks,
        time,
        stream: segment.collector.stream,
        linesLeft: tracebackLines,
      };
    }
    const { text } = segment;
    const source = text.firstLine;
    const start = text.place(match.start);
    const end = text.placeAfter(match.end);
    const firstSource = start.line === source.line ? source : undefined;
    const serverArguments =
      form.event === 'server-arguments'
        ? readServerArguments(text, match.end, !text.lastLine.isTerminated)
        : undefined;
    for (const rank of ranks) {
      this.#emit({
        record: {
          form,
          spelling: match.spelling,
          file: 0,
          line: start.line,
          endLine: end.line,
          start: start.column,
          end: end.column,
          byteOffset: (firstSource ?? text.lastLine).byteOffset,
          rank,
          rankBasis:
            printed !== undefined ? 'printed' : inherited !== undefined ? 'inherited' : 'none',
          exception: readException(text.text, match.start),
          stream: segment.collector.stream,
          time,
          fields: match.fields,
          words: match.words,
          ...(serverArguments === undefined ? {} : { serverArguments }),
        },
        touching: match.touching,
        lineWidth: text.lastLine.text.length,
        endsTerminated: text.lastLine.isTerminated,
        isCut: match.isCut || serverArguments?.isComplete === false,
      });
    }
  }
}

/** Docker splits longer lines, and `docker logs -t` stamps each part without a line end between. */
const dockerPartLength = 16_000;
const innerStamp = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6,9}Z /g;

function withoutInnerStamps(text: JoinedText): JoinedText {
  if (text.text.length <= dockerPartLength) {
    return text;
  }
  let clean: JoinedText | undefined;
  let from = 0;
  for (const match of text.text.matchAll(innerStamp)) {
    const part = text.slice(from, match.index);
    clean = clean === undefined ? part : clean.join('', part);
    from = match.index + match[0].length;
  }
  return clean === undefined ? text : clean.join('', text.slice(from, text.text.length));
}

/** Splits a line where an editor or a progress bar glued several messages into it. */
function splitMessages(text: JoinedText, collector: CollectorPrefix): readonly Segment[] {
  const source = text.text;
  const segments: Segment[] = [];
  const add = (from: number, to: number, prefix: OwnPrefix | undefined, isLast: boolean): void => {
    if (to > from || isLast) {
      segments.push({
        text: text.slice(from, to),
        prefix,
        collector,
        endsPhysicalLine: isLast && collector.messageEnd === undefined,
      });
    }
  };
  let partStart = 0;
  while (partStart <= source.length) {
    const mark = source.indexOf(gluedMark, partStart);
    const partEnd = mark === -1 ? source.length : mark;
    const isLastPart = mark === -1;
    let prefix = readOwnPrefix(source, partStart);
    let from = prefix?.end ?? partStart;
    for (const next of findOwnPrefixes(source.slice(0, partEnd), from)) {
      add(from, next.start, prefix, false);
      prefix = next;
      from = next.end;
    }
    add(from, partEnd, prefix, isLastPart);
    partStart = isLastPart ? source.length + 1 : mark + gluedMark.length;
  }
  return segments;
}

function joinWrapped(before: JoinedText, next: JoinedText): JoinedText {
  const indent = next.text.length - next.text.trimStart().length;
  return before
    .slice(0, before.text.trimEnd().length)
    .join(' ', next.slice(indent, next.text.length));
}

/** True where the joined line gives a longer match than before it, or one with more fields. */
function saysMore(match: FormMatch, { match: before, segment }: Pending): boolean {
  const longest = before?.end ?? segment.text.text.trimEnd().length;
  const fieldsOf = (each: FormMatch | undefined): number => Object.keys(each?.fields ?? {}).length;
  return match.end > longest || fieldsOf(match) > fieldsOf(before);
}

/** True where a text stops at a comma: more items were to come. */
function endsOpen(text: string): boolean {
  return /,\s*$/.test(text);
}

/** The form whose message may go on in the next physical line. */
function findWaiting(
  forms: readonly LineForm[],
  matches: readonly FormMatch[],
  segment: Segment,
): Pending | undefined {
  const content = segment.text.text.trimEnd();
  for (const form of forms) {
    if (form.wraps === undefined) {
      continue;
    }
    const match = matches.filter(each => each.form === form).at(-1);
    const isWhole = form.closes?.some(name => match?.fields[name] !== undefined) === true;
    if (isWhole) {
      continue;
    }
    const reaches =
      match !== undefined &&
      (form.looksAhead === true || /^[\s,.]*$/.test(content.slice(match.end)));
    if (reaches || (match === undefined && endsOpen(content))) {
      return { segment, form, match, joinedLines: 1, blankLines: 0 };
    }
  }
  return undefined;
}

const exceptionBefore = /(?:^|[\s:.])([A-Za-z_]\w*(?:Error|Exception|Interrupt)): ?$/;

function readException(text: string, at: number): string | undefined {
  return exceptionBefore.exec(text.slice(Math.max(0, at - 160), at))?.[1];
}
