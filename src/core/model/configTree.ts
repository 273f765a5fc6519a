/**
 * A config.json as a tree whose values know where they stand. Tolerant: comments and trailing commas
 * are read, of duplicate keys the last counts as in Python, damage is an answer and never an
 * exception. Leaves out what keys mean.
 */
import type { JsonNode } from '../units/jsonText';
import { readJson } from '../units/jsonText';

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

/** The root object; undefined for what is no JSON object, and for huge or very deep files. */
export function readConfigTree(text: string): ConfigObject | undefined {
  const source = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
  const root = source.length > maximumLength ? undefined : readJson(source);
  return root?.content.kind === 'object'
    ? new ConfigObject(root.content.members, new SourceText(source), '')
    : undefined;
}

/** Text with line starts; a line ends at LF, CRLF or a lone CR. */
class SourceText {
  readonly text: string;
  #starts: readonly number[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  placeOf({ offset, length }: JsonNode): ConfigPlace {
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
  readonly #members: ReadonlyMap<string, JsonNode>;

  constructor(members: ReadonlyMap<string, JsonNode>, source: SourceText, path: string) {
    this.path = path;
    this.#source = source;
    this.#members = members;
  }

  has(key: string): boolean {
    return this.#members.has(key);
  }

  /** The path that a key of this object has, present or not. */
  pathOf(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`;
  }

  /** The value of a key; undefined where the key is absent or null, as configs use the two alike. */
  get(key: string): ConfigValue | undefined {
    const node = this.#members.get(key);
    const isNull = node?.content.kind === 'scalar' && node.content.value === null;
    return node === undefined || isNull ? undefined : this.#read(node, this.pathOf(key));
  }

  /** The object of a key; undefined for anything else. */
  child(key: string): ConfigObject | undefined {
    const value = this.get(key)?.value;
    return value instanceof ConfigObject ? value : undefined;
  }

  #read(node: JsonNode, path: string): ConfigValue {
    const { text } = this.#source;
    return {
      path,
      place: this.#source.placeOf(node),
      text: text.slice(node.offset, node.offset + node.length),
      value: this.#valueOf(node, path),
    };
  }

  #valueOf({ content }: JsonNode, path: string): ConfigValue['value'] {
    switch (content.kind) {
      case 'object':
        return new ConfigObject(content.members, this.#source, path);
      case 'array':
        return content.items.map((item, at) => this.#read(item, `${path}[${at}]`));
      case 'scalar':
        return content.value;
    }
  }
}
