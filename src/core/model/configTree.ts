/**
 * A config.json as a tree whose values know where they stand. Tolerant: comments and trailing commas
 * are read, of duplicate keys the last counts as in Python, damage is an answer and never an
 * exception. Leaves out what keys mean.
 */
import { parseTree } from 'jsonc-parser';
import type { Node } from 'jsonc-parser';

/** A place in the text: 0-based UTF-16 offset and length, 1-based line and column. */
export interface ConfigPlace {
  readonly offset: number;
  readonly length: number;
  readonly line: number;
  readonly column: number;
}

/** A value with its path (`text_config.head_dim`) and place. */
export interface ConfigValue {
  readonly path: string;
  readonly place: ConfigPlace;
  readonly value: string | number | boolean | null | ConfigObject | readonly ConfigValue[];
  /** The text of the value as it stands. */
  readonly text: string;
}

/** Larger files are no model configs. */
const maximumLength = 8 * 2 ** 20;

const deepest = 64;

/** The root object; undefined for what is no JSON object, and for huge or very deep files. */
export function readConfigTree(text: string): ConfigObject | undefined {
  const source = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
  if (source.length > maximumLength || isDeeperThan(deepest, source)) {
    return undefined;
  }
  const root = parsed(source);
  return root?.type === 'object' ? new ConfigObject(root, new SourceText(source), '') : undefined;
}

/** Undefined also where quotes in comments have hidden a depth that the parser cannot follow. */
function parsed(text: string): Node | undefined {
  try {
    return parseTree(text, [], { allowTrailingComma: true });
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

/** The parser is recursive, so depth is looked at first; brackets in strings do not count. */
function isDeeperThan(limit: number, text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length && depth <= limit; at++) {
    const character = text[at];
    if (character === '"') {
      isString = !isString;
    } else if (isString) {
      at += character === '\\' ? 1 : 0;
    } else if (character === '{' || character === '[') {
      depth++;
    } else if (character === '}' || character === ']') {
      depth--;
    }
  }
  return depth > limit;
}

/** Text with line starts; a line ends at LF, CRLF or a lone CR. */
class SourceText {
  readonly text: string;
  #starts: readonly number[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  placeOf({ offset, length }: Node): ConfigPlace {
    const starts = (this.#starts ??= [
      0,
      ...[...this.text.matchAll(/\r\n|\n|\r/g)].map(({ index, 0: end }) => index + end.length),
    ]);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return { offset, length, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }
}

/** An object of the config. Keys are own keys: `constructor` is a key only if the file has it. */
export class ConfigObject {
  readonly path: string;
  readonly #source: SourceText;
  readonly #values: ReadonlyMap<string, Node>;

  constructor(node: Node, source: SourceText, path: string) {
    this.path = path;
    this.#source = source;
    this.#values = new Map(
      (node.children ?? []).flatMap(property => {
        const [key, value] = property.children ?? [];
        return typeof key?.value === 'string' && value ? [[key.value, value] as const] : [];
      }),
    );
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** The path that a key of this object has, present or not. */
  pathOf(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`;
  }

  /** The value of a key; undefined where the key is absent or null, as configs use the two alike. */
  get(key: string): ConfigValue | undefined {
    const node = this.#values.get(key);
    return node === undefined || node.type === 'null'
      ? undefined
      : this.#read(node, this.pathOf(key));
  }

  /** The object of a key; undefined for anything else. */
  child(key: string): ConfigObject | undefined {
    const value = this.get(key)?.value;
    return value instanceof ConfigObject ? value : undefined;
  }

  #read(node: Node, path: string): ConfigValue {
    const { text } = this.#source;
    return {
      path,
      place: this.#source.placeOf(node),
      text: text.slice(node.offset, node.offset + node.length),
      value: this.#valueOf(node, path),
    };
  }

  #valueOf(node: Node, path: string): ConfigValue['value'] {
    switch (node.type) {
      case 'object':
        return new ConfigObject(node, this.#source, path);
      case 'array':
        return (node.children ?? []).map((child, at) => this.#read(child, `${path}[${at}]`));
      case 'string':
      case 'number':
      case 'boolean':
        return node.value as string | number | boolean;
      default:
        return null;
    }
  }
}
