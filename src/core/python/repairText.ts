/**
 * Makes a text that parses of one that is half written: an open bracket can turn the rest of a file
 * into one error. In each function, what stands from its first broken statement on becomes blank but
 * for a mark; outside of functions a broken statement does alone. Every place stays where it is.
 */
import { headerEnd } from './lineJoin';

/** A text of the same length that parses, as far as that can be had. */
export interface RepairedText {
  readonly text: string;
  /** What it was made of. */
  readonly source: string;
  /** Offsets of the marks, `0` where a broken statement begins, and where what is blank ends. */
  readonly marks: ReadonlyMap<number, number>;
}

/** True for a text that has no error. */
export type IsValid = (text: string) => boolean;

interface Lines {
  readonly texts: readonly string[];
  /** Offsets of their first letters. */
  readonly starts: readonly number[];
}

/** Rows of a function, its decorators included; `last` is inside. */
interface FunctionRows {
  readonly first: number;
  readonly header: number;
  readonly last: number;
  readonly indent: number;
}

const mark = '0';
const definition = /^([ \t]*)(?:async[ \t]+)?def[ \t]+\w+/;
const classHeader = /^([ \t]*)class[ \t]+\w+/;
/** More broken statements outside of functions than this are no half-written file. */
const maximumOutside = 8;

/** `isWhole` says of the first and the last row of a function that it is free of errors. */
export function repairText(
  source: string,
  isWhole: (header: number, last: number) => boolean,
  isValid: IsValid,
): RepairedText {
  const text = source.replace(/\r(?!\n)/g, '\n');
  const lines = linesOf(text);
  const repaired = text.split('');
  const outside = text.split('');
  const marks = new Map<number, number>();
  for (const rows of outerFunctions(lines)) {
    const [first, end] = [lines.starts[rows.first] ?? 0, endOf(lines, rows.last)];
    const start = (lines.starts[rows.header] ?? 0) + rows.indent;
    const broken = isWhole(rows.header, lastWritten(lines, rows.last))
      ? undefined
      : brokenIn(text, lines, rows, isValid);
    if (broken !== undefined) {
      blank(repaired, broken === start ? first : broken, end);
      repaired[broken] = mark;
      marks.set(broken, end);
    }
    blank(outside, first, end);
    outside[start] = mark;
  }
  for (let count = 0; count < maximumOutside; count++) {
    const left = outside.join('');
    const current = linesOf(left);
    const all = { first: 0, header: -1, last: current.texts.length - 1, indent: 0 };
    const broken = brokenIn(left, current, all, isValid);
    if (broken === undefined) {
      break;
    }
    const row = rowAt(current, broken);
    const header = classHeader.exec(current.texts[row] ?? '')?.[0].trim();
    const end = header === undefined ? pieceEnd(current, row) : endOf(current, row);
    const written = header === undefined ? mark : `${header}:`;
    for (const letters of [repaired, outside]) {
      blank(letters, broken, end);
      letters.splice(broken, written.length, ...written.split(''));
    }
    if (header === undefined) {
      marks.set(broken, end);
    }
  }
  return { text: repaired.join(''), source, marks };
}

function linesOf(text: string): Lines {
  const texts = text.split('\n');
  const starts: number[] = [];
  let at = 0;
  for (const line of texts) {
    starts.push(at);
    at += line.length + 1;
  }
  return { texts, starts };
}

function endOf({ texts, starts }: Lines, row: number): number {
  return (starts[row] ?? 0) + (texts[row] ?? '').length;
}

function blank(letters: string[], from: number, to: number): void {
  for (let at = from; at < to; at++) {
    if (letters[at] !== '\n' && letters[at] !== '\r') {
      letters[at] = ' ';
    }
  }
}

/** Column of the first letter; undefined for a blank line, a comment, or one that closes brackets. */
function columnOf(line: string): number | undefined {
  const column = line.search(/[^ \t\r\f]/);
  return column === -1 || /[)\]}#]/.test(line.charAt(column)) ? undefined : column;
}

/** Functions of the module and of its classes, not those inside functions. */
function outerFunctions({ texts }: Lines): FunctionRows[] {
  const found: FunctionRows[] = [];
  const around: { indent: number; isClass: boolean }[] = [];
  for (const [row, line] of texts.entries()) {
    const match = classHeader.exec(line) ?? definition.exec(line);
    if (match === null) {
      continue;
    }
    const indent = match[1]?.length ?? 0;
    while ((around.at(-1)?.indent ?? -1) >= indent) {
      around.pop();
    }
    const isOwn = around.every(({ isClass }) => isClass);
    const isClass = classHeader.test(line);
    around.push({ indent, isClass });
    if (!isClass && isOwn) {
      let first = row;
      while (texts[first - 1]?.startsWith(`${line.slice(0, indent)}@`) === true) {
        first--;
      }
      found.push({ first, header: row, last: lastRow(texts, row, indent), indent });
    }
  }
  return found;
}

/** The last row before the next line that stands as far left and begins something. */
function lastRow(texts: readonly string[], row: number, indent: number): number {
  for (let at = row + 1; at < texts.length; at++) {
    const column = columnOf(texts[at] ?? '');
    if (column !== undefined && column <= indent) {
      return at - 1;
    }
  }
  return texts.length - 1;
}

/** The last row up to one that has more than blanks and a comment. */
function lastWritten({ texts }: Lines, last: number): number {
  return texts.slice(0, last + 1).findLastIndex(line => !/^\s*(#|$)/.test(line));
}

function rowAt({ starts }: Lines, offset: number): number {
  return starts.findLastIndex(start => start <= offset);
}

/** Where a statement ends: before the next one that stands as far left. */
function pieceEnd(lines: Lines, row: number): number {
  const column = columnOf(lines.texts[row] ?? '') ?? 0;
  return endOf(lines, lastRow(lines.texts, row, column));
}

/**
 * The offset of the first broken statement between two rows, the innermost that can be told;
 * undefined where all of it parses.
 */
function brokenIn(
  text: string,
  lines: Lines,
  { header, last, indent }: FunctionRows,
  isValid: IsValid,
): number | undefined {
  const from = header === -1 ? 0 : (lines.starts[header] ?? 0);
  const frame = indent > 0 ? 'if 0:\n' : '';
  const holds = (cut: number, column: number): boolean =>
    isValid(`${frame}${text.slice(from, cut)}${' '.repeat(column)}${mark}\n`);
  const whole = text.slice(from, endOf(lines, last));
  if (isValid(`${frame}${whole}`)) {
    return undefined;
  }
  const behindHeader = header === -1 ? 0 : headerEnd(whole);
  let rows = { first: header, last };
  let broken = from + indent;
  if (behindHeader === undefined) {
    return broken;
  }
  for (;;) {
    const cuts = statementRows(lines, rows.first + 1, rows.last);
    const good = lastThat(cuts, row => {
      const column = columnOf(lines.texts[row] ?? '') ?? 0;
      return holds(lines.starts[row] ?? 0, column);
    });
    const row = cuts[good];
    if (row === undefined) {
      return broken;
    }
    broken = (lines.starts[row] ?? 0) + (columnOf(lines.texts[row] ?? '') ?? 0);
    const next = (cuts[good + 1] ?? rows.last + 1) - 1;
    if (next <= row) {
      return broken;
    }
    rows = { first: row, last: next };
  }
}

/** Rows that begin statements of the block that the first of them begins. */
function statementRows({ texts }: Lines, first: number, last: number): number[] {
  const rows: number[] = [];
  let column: number | undefined;
  for (let row = first; row <= last; row++) {
    const own = columnOf(texts[row] ?? '');
    column ??= own;
    if (own !== undefined && own === column) {
      rows.push(row);
    }
  }
  return rows;
}

/** The index of the last one for which the test holds, which holds for all before it; -1 for none. */
function lastThat(rows: readonly number[], test: (row: number) => boolean): number {
  let [low, high] = [-1, rows.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const row = rows[middle];
    if (row !== undefined && test(row)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}
