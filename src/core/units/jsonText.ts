/**
 * JSON with positions: strict but for comments, trailing commas and Python's NaN and Infinity. Damage
 * gives undefined, never part of a value. Leaves out what the values mean.
 */

/** A value of the text; offsets and lengths are UTF-16 units. */
export interface JsonNode {
  readonly offset: number;
  readonly length: number;
  readonly content: JsonContent;
}

export type JsonContent =
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, JsonNode> }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null };

/** Nothing that describes a model is nested deeper. */
const deepest = 64;

class DamagedText extends Error {}

/** The value of the whole text; undefined where it is damaged or too deep. */
export function readJson(text: string): JsonNode | undefined {
  try {
    return new Reader(text).document();
  } catch (error) {
    if (error instanceof DamagedText) {
      return undefined;
    }
    throw error;
  }
}

const words: ReadonlyMap<string, boolean | number | null> = new Map<
  string,
  boolean | number | null
>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

const blank = /(?:\s+|\/\/[^\n\r]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/y;
const numberText = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const wordText = /-?[A-Za-z]+/y;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonNode {
    const value = this.#value(0);
    this.#skip();
    if (this.#at < this.#text.length) {
      throw new DamagedText();
    }
    return value;
  }

  #value(depth: number): JsonNode {
    this.#skip();
    const offset = this.#at;
    const content = this.#content(depth);
    return { offset, length: this.#at - offset, content };
  }

  #content(depth: number): JsonContent {
    const first = this.#text[this.#at];
    if ((first === '{' || first === '[') && depth >= deepest) {
      throw new DamagedText();
    }
    switch (first) {
      case '{':
        return { kind: 'object', members: this.#members(depth + 1) };
      case '[':
        return { kind: 'array', items: this.#items(depth + 1) };
      case '"':
        return { kind: 'scalar', value: this.#string() };
      default:
        return { kind: 'scalar', value: this.#plain() };
    }
  }

  /** Of duplicate keys the last counts, as in Python. */
  #members(depth: number): ReadonlyMap<string, JsonNode> {
    const members = new Map<string, JsonNode>();
    this.#list('}', () => {
      const key = this.#string();
      this.#expect(':');
      members.set(key, this.#value(depth));
    });
    return members;
  }

  #items(depth: number): JsonNode[] {
    const items: JsonNode[] = [];
    this.#list(']', () => {
      items.push(this.#value(depth));
    });
    return items;
  }

  /** What stands between brackets, parted by commas; a comma may follow the last. */
  #list(close: string, read: () => void): void {
    this.#at++;
    this.#skip();
    while (this.#text[this.#at] !== close) {
      read();
      this.#skip();
      if (this.#text[this.#at] !== close) {
        this.#expect(',');
        this.#skip();
      }
    }
    this.#at++;
  }

  #string(): string {
    const start = this.#at;
    if (this.#text[start] !== '"') {
      throw new DamagedText();
    }
    let end = start + 1;
    while (end < this.#text.length && this.#text[end] !== '"') {
      end += this.#text[end] === '\\' ? 2 : 1;
    }
    this.#at = end + 1;
    return unescaped(this.#text.slice(start, end + 1));
  }

  #plain(): number | boolean | null {
    const number = this.#match(numberText);
    if (number !== undefined && number !== '') {
      return Number(number);
    }
    const value = words.get(this.#match(wordText) ?? '');
    if (value === undefined) {
      throw new DamagedText();
    }
    return value;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #skip(): void {
    this.#match(blank);
  }

  #expect(text: string): void {
    this.#skip();
    if (this.#text[this.#at] !== text) {
      throw new DamagedText();
    }
    this.#at++;
  }
}

function unescaped(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    throw new DamagedText();
  }
}
