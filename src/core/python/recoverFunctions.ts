/**
 * Finds functions that an unfinished line hides from the parser: an open bracket can turn the rest of
 * a file into one error. Each lost `def` is cut where its text stops being Python, parsed alone at
 * its own place, and ends in a broken statement.
 */
import { headerEnd } from './lineJoin';
import { lowerFunction } from './lowerStatement';
import type { Node, Tree } from './parser';
import type { LocatedFunction } from './sourceModule';
import type { ClassDefinition, FunctionDefinition, Span } from './syntax';

/** Parses a text; the trees stay alive as long as the module does. */
export type Parse = (text: string) => Tree;

interface LostFunction {
  readonly name: string;
  readonly className: string | undefined;
  /** Offset of the line of `def`. */
  readonly start: number;
  readonly end: number;
  readonly row: number;
}

const definition = /^([ \t]*)(?:async[ \t]+)?def[ \t]+(\w+)/;
const classHeader = /^([ \t]*)class[ \t]+(\w+)/;

/** Functions of the text whose names are not at any of the known places (offsets of names). */
export function recoverFunctions(
  text: string,
  known: ReadonlySet<number>,
  parse: Parse,
): LocatedFunction[] {
  const byClass = new Map<string | undefined, FunctionDefinition[]>();
  for (const lost of lostFunctions(text, known)) {
    const found = recover(text, lost, parse);
    if (found !== undefined) {
      byClass.set(lost.className, [...(byClass.get(lost.className) ?? []), found]);
    }
  }
  return [...byClass].flatMap(([name, definitions]) => {
    const owner = name === undefined ? undefined : classOf(name, definitions);
    return definitions.map(one => ({ definition: one, owner }));
  });
}

/** A class of which only the recovered methods are known. */
function classOf(
  name: string,
  methods: readonly FunctionDefinition[],
): ClassDefinition | undefined {
  const [first] = methods;
  return (
    first && {
      name,
      qualifiedName: name,
      bases: [],
      decorators: [],
      body: methods.map(method => ({ kind: 'function', definition: method, span: method.span })),
      nameSpan: first.nameSpan,
      span: first.span,
    }
  );
}

function lostFunctions(text: string, known: ReadonlySet<number>): LostFunction[] {
  const lines = text.split('\n');
  const lost: LostFunction[] = [];
  const around: { indent: number; className: string | undefined }[] = [];
  let start = 0;
  for (const [row, line] of lines.entries()) {
    const header = classHeader.exec(line);
    const found = definition.exec(line);
    const indent = (header ?? found)?.[1]?.length ?? 0;
    if (header !== null || found !== null) {
      while ((around.at(-1)?.indent ?? -1) >= indent) {
        around.pop();
      }
    }
    const outer = around.at(-1);
    // Functions inside functions belong to those.
    const isOwn = outer === undefined || outer.className !== undefined;
    if (header !== null || found !== null) {
      around.push({ indent, className: header?.[2] });
    }
    const name = found?.[2];
    if (name !== undefined && isOwn && !known.has(start + line.indexOf(name, indent + 3))) {
      const last = lastRow(lines, row, indent);
      const length = lines.slice(row, last + 1).join('\n').length;
      lost.push({
        name,
        className: outer?.className,
        start,
        end: start + length,
        row,
      });
    }
    start += line.length + 1;
  }
  return lost;
}

/** The last line of the function: before the next one that stands as far left and begins something. */
function lastRow(lines: readonly string[], row: number, indent: number): number {
  for (let at = row + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const column = line.search(/[^ \t\r]/);
    if (column !== -1 && column <= indent && !/[)\]}#]/.test(line.charAt(column))) {
      return at - 1;
    }
  }
  return lines.length - 1;
}

function recover(text: string, lost: LostFunction, parse: Parse): FunctionDefinition | undefined {
  const whole = text.slice(lost.start, lost.end);
  const behindHeader = headerEnd(whole);
  if (behindHeader === undefined) {
    return undefined;
  }
  const cuts = statementStarts(whole, behindHeader);
  const indent = whole.search(/[^ \t]/);
  const isValid = (cut: number): boolean => {
    const tree = parse(`${indent > 0 ? 'class C:\n' : ''}${whole.slice(0, cut)}`);
    return !tree.rootNode.hasError;
  };
  // The first cut is behind nothing but the header; from there on more text is less likely to parse.
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const cut = cuts[middle];
    if (cut !== undefined && isValid(cut)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  const end = cuts[low];
  if (low === 0 || end === undefined) {
    return undefined;
  }
  const tree = parse(placed(text, lost, end));
  const node = tree.rootNode
    .descendantsOfType('function_definition')
    .find(one => one.childForFieldName('name')?.text === lost.name);
  return node && withBrokenEnd(node, lost, whole);
}

/** Offsets where statements of the function's own block begin, and its end. */
function statementStarts(whole: string, behindHeader: number): number[] {
  const first = /^[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*([ \t]*)\S/.exec(whole.slice(behindHeader));
  const indent = first?.[1];
  if (indent === undefined) {
    return [];
  }
  const starts: number[] = [];
  let at = whole.indexOf('\n', behindHeader) + 1;
  for (const line of whole.slice(at).split('\n')) {
    if (line.startsWith(indent) && /[^ \t\r#)\]}]/.test(line.charAt(indent.length))) {
      starts.push(at);
    }
    at += line.length + 1;
  }
  return [...starts, whole.length];
}

/** The function at its own place of the file, everything around it blank. */
function placed(text: string, { start, row }: LostFunction, cut: number): string {
  const before = text.slice(0, start).split('\n').slice(0, row);
  const blank = before.map(line => line.replace(/[^\r]/g, ' '));
  const header = 'class C:';
  const at = blank.findLastIndex(line => line.length >= header.length);
  if (at !== -1) {
    blank[at] = header.padEnd((blank[at] ?? '').length);
  }
  return [...blank, text.slice(start, start + cut)].join('\n');
}

function withBrokenEnd(node: Node, lost: LostFunction, whole: string): FunctionDefinition {
  const made = lowerFunction(node, [], lost.className ?? '');
  const { span } = made;
  const end: Span = { ...span, start: span.end, row: span.endRow, column: span.endColumn };
  return {
    ...made,
    body: [...made.body, { kind: 'broken', span: end }],
    text: whole,
  };
}
