/**
 * Tells in a few nanoseconds per line whether it can hold a known form. Batch lines make up
 * most of a long log: where they are not wanted, they are recognised by their first words at the
 * place where such words stood before. Leaves out reading the lines.
 */
import type { LineForm } from '../sglang/form/lineForm';
import { AnchorScanner } from './anchorScanner';
import { longestPlainLine } from './lineFeed';

/** Prefixes of collectors and of SGLang are shorter than this. */
const longestPrefix = 160;
const rememberedPlaces = 4;

/** Which lines there are, by the literal text in them. */
export interface LineKinds {
  /** Forms that are always wanted. */
  readonly forms: readonly LineForm[];
  /** Forms that are wanted only now and then; their anchors start their messages. */
  readonly batchForms: readonly LineForm[];
  /** Text of further lines that are wanted. */
  readonly otherAnchors: readonly string[];
}

/** The kinds, ready to be looked for; can be shared by sieves. */
export interface CompiledKinds {
  readonly scanner: AnchorScanner;
  /** The forms of each anchor of the scanner. */
  readonly formsOfAnchor: readonly (readonly LineForm[])[];
  readonly isBatch: readonly boolean[];
  /** Words that end a line of forms which have no anchor there. */
  readonly soleWords: readonly { readonly word: Uint8Array; readonly forms: readonly LineForm[] }[];
  /** The first words of lines that are not always wanted, by their first byte. */
  readonly heads: readonly (readonly Uint8Array[] | undefined)[];
}

/** Prepares kinds of lines for sieves. */
export function compileKinds(kinds: LineKinds): CompiledKinds {
  const { forms, batchForms, otherAnchors } = kinds;
  const formsOf = new Map<string, LineForm[]>();
  for (const form of [...forms, ...batchForms]) {
    for (const anchor of form.anchors) {
      formsOf.set(anchor, [...(formsOf.get(anchor) ?? []), form]);
    }
  }
  const anchors = [...new Set([...formsOf.keys(), ...otherAnchors])];
  const batchHeads = batchForms.flatMap(form => form.anchors);
  const soleWords = forms.flatMap(form =>
    form.soleWord === undefined ? [] : [{ word: toBytes(form.soleWord), forms: [form] }],
  );
  return {
    soleWords,
    scanner: new AnchorScanner(anchors),
    formsOfAnchor: anchors.map(anchor => formsOf.get(anchor) ?? []),
    isBatch: anchors.map(anchor => batchHeads.includes(anchor)),
    heads: byFirstByte(batchHeads),
  };
}

function byFirstByte(heads: readonly string[]): readonly (readonly Uint8Array[] | undefined)[] {
  const table: (Uint8Array[] | undefined)[] = new Array<Uint8Array[] | undefined>(256);
  for (const head of heads) {
    const bytes = toBytes(head);
    (table[bytes[0] ?? 0] ??= []).push(bytes);
  }
  return table;
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.from(text, character => character.charCodeAt(0));
}

/** Sorts lines by the anchors that they hold. */
export class LineSieve {
  readonly #kinds: CompiledKinds;
  readonly #keepsBatches: boolean;
  readonly #heads: CompiledKinds['heads'];
  /** Places after the line start where heads of lines that were not wanted stood last. */
  readonly #places: number[] = [];

  /** @param keepsBatches batch lines are always wanted. */
  constructor(kinds: CompiledKinds, keepsBatches = false) {
    this.#kinds = kinds;
    this.#keepsBatches = keepsBatches;
    this.#heads = kinds.heads;
  }

  /** The forms that can occur in the bytes. */
  formsIn(bytes: Uint8Array): readonly LineForm[] {
    const found = this.#kinds.scanner.findAll(bytes, 0, bytes.length);
    const ended = this.#kinds.soleWords.flatMap(({ word, forms }) =>
      endsWith(bytes, 0, bytes.length, word) ? forms : [],
    );
    const anchored = [...found].flatMap(anchor => this.#kinds.formsOfAnchor[anchor] ?? []);
    return [...new Set([...anchored, ...ended])];
  }

  /** Bytes from the line start to the end of a head of a line that is not wanted; 0 for none. */
  plainHead(bytes: Uint8Array, at: number, end: number): number {
    for (const place of this.#places) {
      const heads = this.#heads[bytes[at + place] ?? 0];
      if (heads === undefined) {
        continue;
      }
      for (const head of heads) {
        if (startsWith(bytes, at + place, end, head)) {
          return place + head.length;
        }
      }
    }
    return 0;
  }

  /** Whether the line in [start, end) is wanted. */
  wants(bytes: Uint8Array, start: number, end: number, withBatches: boolean): boolean {
    const hit = this.#kinds.scanner.find(bytes, start, end);
    if (hit === -1) {
      return this.#kinds.soleWords.some(({ word }) => endsWith(bytes, start, end, word));
    }
    const found = this.#kinds.scanner.foundAnchor;
    const isUnwanted = !withBatches && !this.#keepsBatches && this.#kinds.isBatch[found] === true;
    const place = hit - start;
    if (!isUnwanted || place > longestPrefix || end - start > longestPlainLine) {
      return true;
    }
    if (!this.#places.includes(place)) {
      this.#places.unshift(place);
      this.#places.length = Math.min(this.#places.length, rememberedPlaces);
    }
    return false;
  }
}

function endsWith(bytes: Uint8Array, start: number, end: number, word: Uint8Array): boolean {
  const at = end - word.length;
  return (
    at >= start &&
    bytes[end - 1] === word[word.length - 1] &&
    word.every((byte, index) => bytes[at + index] === byte)
  );
}

function startsWith(bytes: Uint8Array, at: number, end: number, head: Uint8Array): boolean {
  if (at + head.length > end) {
    return false;
  }
  for (let index = 1; index < head.length; index += 1) {
    if (bytes[at + index] !== head[index]) {
      return false;
    }
  }
  return true;
}
