/**
 * Lowers string literals: prefixes, escapes, implicit concatenation and the gaps of f-strings.
 * Bytes are unsupported; named unicode escapes stay as they are written.
 */
import { lowerExpression } from './lowerExpression';
import type { Node } from './parser';
import { significantChildren } from './parser';
import type { Expression, Interpolation, Span, StringPart } from './syntax';

export function lowerString(node: Node, span: Span): Expression {
  const pieces = node.type === 'string' ? [node] : significantChildren(node);
  const parts: StringPart[] = [];
  for (const piece of pieces) {
    const prefix = (piece.firstChild?.text ?? '').replace(/["']+$/, '').toLowerCase();
    if (piece.type !== 'string' || prefix.includes('b')) {
      return { kind: 'unsupported', span };
    }
    parts.push(...piecesOf(piece, prefix.includes('r'), prefix.includes('f')));
  }
  return { kind: 'string', parts: joined(parts), span };
}

function piecesOf(node: Node, raw: boolean, formatted: boolean): StringPart[] {
  return node.children.flatMap((child): StringPart[] => {
    if (child.type === 'interpolation') {
      return [lowerInterpolation(child)];
    }
    if (child.type !== 'string_content') {
      return [];
    }
    const braces = formatted ? child.text.replaceAll('{{', '{').replaceAll('}}', '}') : child.text;
    return [raw ? braces : unescaped(braces)];
  });
}

function lowerInterpolation(node: Node): Interpolation {
  const expression = node.childForFieldName('expression');
  const conversion = node.childForFieldName('type_conversion')?.text.slice(1);
  const specifier = node.childForFieldName('format_specifier');
  const equals = node.children.find(child => child.type === '=');
  return {
    value: lowerExpression(expression),
    conversion:
      conversion === 'r' || conversion === 's' || conversion === 'a' ? conversion : undefined,
    format: specifier === null ? [] : lowerFormat(specifier),
    debug: equals === undefined ? undefined : debugText(node, equals),
  };
}

/** `{x = }` prints the text from the brace up to and including the blanks after the sign. */
function debugText(node: Node, equals: Node): string {
  const start = node.startIndex;
  const until = equals.endIndex - start;
  const blanks = /^\s*/.exec(node.text.slice(until))?.[0] ?? '';
  return node.text.slice(1, until) + blanks;
}

/** The text after the colon, with nested gaps. */
function lowerFormat(node: Node): StringPart[] {
  const parts: StringPart[] = [];
  let at = node.startIndex + 1;
  const text = (from: number, to: number): string =>
    node.text.slice(from - node.startIndex, to - node.startIndex);
  for (const gap of significantChildren(node)) {
    parts.push(text(at, gap.startIndex));
    const expression = gap.childForFieldName('expression');
    parts.push({
      value: lowerExpression(expression),
      conversion: undefined,
      format: [],
      debug: undefined,
    });
    at = gap.endIndex;
  }
  parts.push(text(at, node.endIndex));
  return joined(parts);
}

function joined(parts: readonly StringPart[]): StringPart[] {
  const result: StringPart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (typeof part === 'string' && typeof last === 'string') {
      result[result.length - 1] = last + part;
    } else if (part !== '') {
      result.push(part);
    }
  }
  return result;
}

const simpleEscapes: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\n': '',
};

const escape =
  /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([0-7]{1,3})|\r?(.|\n))/gs;

function unescaped(text: string): string {
  return text.replace(
    escape,
    (all, u?: string, U?: string, x?: string, octal?: string, one?: string) => {
      const hex = u ?? U ?? x;
      if (hex !== undefined || octal !== undefined) {
        const code = hex === undefined ? parseInt(octal ?? '0', 8) : parseInt(hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : all;
      }
      return one === undefined ? all : (simpleEscapes[one] ?? all);
    },
  );
}
