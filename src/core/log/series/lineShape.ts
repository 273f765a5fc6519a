/**
 * Reads serving lines at the speed of comparing bytes: a line that the full reader has read shows
 * where its numbers stand, and later lines that differ from it in digits only are read by the same
 * places. Gives exactly what the full reader gives, or nothing. Leaves out what is gathered.
 */

const mostDigits = 15;
const powersOfTen = Array.from({ length: 23 }, (_, power) => 10 ** power);

/** Bytes and the same memory by words. */
export interface LineBytes {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** Where the clock stands in a prefix. */
export interface ClockPlace {
  /** Index of the first digit of the hours. */
  readonly at: number;
  /** Digits after the seconds and a separator; 0 where none are printed. */
  readonly fractionDigits: number;
  /** Seconds from 1970 to the midnight before; 0 where no date is printed. */
  readonly midnight: number;
  readonly hasDate: boolean;
}

/** What stands before the message: the same bytes but for the clock and the stamps of collectors. */
export class PrefixShape<T> {
  readonly owner: T;
  readonly clock: ClockPlace | undefined;
  readonly length: number;
  /** The bytes by words: of digits the upper half, at the end nothing. */
  readonly #words: Int32Array;
  /** Which bits of each word are given. */
  readonly #masks: Int32Array;
  /** 6 for each digit: added to one above 9 it changes the upper half. */
  readonly #sixes: Int32Array;

  /**
   * @param mask 1 where any digit may stand.
   * @param owner whose lines have this prefix.
   */
  constructor(bytes: Uint8Array, mask: Uint8Array, clock: ClockPlace | undefined, owner: T) {
    this.owner = owner;
    this.clock = clock;
    this.length = bytes.length;
    const words = new DataView(new ArrayBuffer((bytes.length + 3) & ~3));
    const masks = new DataView(new ArrayBuffer(words.byteLength));
    const sixes = new DataView(new ArrayBuffer(words.byteLength));
    for (const [index, byte] of bytes.entries()) {
      const isDigit = mask[index] === 1;
      words.setUint8(index, isDigit ? byte & 0xf0 : byte);
      masks.setUint8(index, isDigit ? 0xf0 : 0xff);
      sixes.setUint8(index, isDigit ? 6 : 0);
    }
    this.#words = wordsOf(words);
    this.#masks = wordsOf(masks);
    this.#sixes = wordsOf(sixes);
  }

  /** Whether the prefix stands at `start`, in a line that is at least 3 bytes longer. */
  isAt({ view }: LineBytes, start: number, end: number): boolean {
    if (start + this.length + 3 > end) {
      return false;
    }
    const words = this.#words;
    const masks = this.#masks;
    const sixes = this.#sixes;
    for (let index = 0, at = start; index < words.length; index += 1, at += 4) {
      const word = view.getInt32(at, true);
      const mask = masks[index] ?? 0;
      const given = words[index] ?? 0;
      if ((word & mask) !== given || ((word + (sixes[index] ?? 0)) & mask) !== given) {
        return false;
      }
    }
    return true;
  }

  /** The time that a line at `start` prints; NaN where the prefix has none. */
  seconds(bytes: Uint8Array, start: number): number {
    const { clock } = this;
    if (clock === undefined) {
      return NaN;
    }
    const at = start + clock.at;
    let fraction = 0;
    for (let digit = 0; digit < clock.fractionDigits; digit += 1) {
      fraction = fraction * 10 + (bytes[at + 9 + digit] ?? 0) - 48;
    }
    const time =
      twoDigits(bytes, at) * 3600 + twoDigits(bytes, at + 3) * 60 + twoDigits(bytes, at + 6);
    return (
      clock.midnight +
      (clock.fractionDigits === 0
        ? time
        : time + fraction / (powersOfTen[clock.fractionDigits] ?? 1))
    );
  }
}

function twoDigits(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) - 48) * 10 + (bytes[at + 1] ?? 0) - 48;
}

function wordsOf(view: DataView): Int32Array {
  return Int32Array.from({ length: view.byteLength / 4 }, (_, word) =>
    view.getInt32(word * 4, true),
  );
}

/** A message: the same bytes but for its numbers. */
export class MessageShape<T> {
  readonly owner: T;
  /** What stands between the numbers, each part by words and then by bytes. */
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #wordCounts: Uint8Array;
  readonly #byteCounts: Uint8Array;
  /** Decimals of the number after each part; 255 after the last one. */
  readonly #decimals: Uint8Array;

  constructor({ parts, decimals }: ShapedText, owner: T) {
    this.owner = owner;
    const words: number[] = [];
    const bytes: number[] = [];
    for (const part of parts) {
      const view = new DataView(Uint8Array.from(part).buffer);
      for (let at = 0; at + 4 <= part.length; at += 4) {
        words.push(view.getInt32(at, true));
      }
      bytes.push(...part.slice(part.length & ~3));
    }
    this.#words = Int32Array.from(words);
    this.#bytes = Uint8Array.from(bytes);
    this.#wordCounts = Uint8Array.from(parts, part => part.length >> 2);
    this.#byteCounts = Uint8Array.from(parts, part => part.length & 3);
    this.#decimals = Uint8Array.from([...decimals, noNumber]);
  }

  /** Reads the message in [from, end) into `values`, by slot; false where it has another shape. */
  read({ bytes, view }: LineBytes, from: number, end: number, values: Float64Array): boolean {
    const partCount = this.#wordCounts.length;
    const words = this.#words;
    const singles = this.#bytes;
    let word = 0;
    let single = 0;
    let at = from;
    for (let part = 0; part < partCount; part += 1) {
      const lastWord = word + (this.#wordCounts[part] ?? 0);
      const lastSingle = single + (this.#byteCounts[part] ?? 0);
      if (at + (lastWord - word) * 4 + lastSingle - single > end) {
        return false;
      }
      for (; word < lastWord; word += 1, at += 4) {
        if (view.getInt32(at, true) !== words[word]) {
          return false;
        }
      }
      for (; single < lastSingle; single += 1, at += 1) {
        if (bytes[at] !== singles[single]) {
          return false;
        }
      }
      const decimals = this.#decimals[part] ?? noNumber;
      if (decimals === noNumber) {
        return at === end;
      }
      let mantissa = 0;
      const first = at;
      for (; at < end; at += 1) {
        const digit = (bytes[at] ?? 0) - 48;
        if (digit < 0 || digit > 9) {
          break;
        }
        mantissa = mantissa * 10 + digit;
      }
      if (at === first || at - first > mostDigits) {
        return false;
      }
      if (decimals > 0) {
        const last = at + decimals;
        if (last >= end || bytes[at] !== 46 || last - first > mostDigits) {
          return false;
        }
        for (at += 1; at <= last; at += 1) {
          const digit = (bytes[at] ?? 0) - 48;
          if (digit < 0 || digit > 9) {
            return false;
          }
          mantissa = mantissa * 10 + digit;
        }
        mantissa /= powersOfTen[decimals] ?? 1;
      }
      values[part] = mantissa;
    }
    return false;
  }
}

const noNumber = 255;

/** A text cut at its numbers. */
export interface ShapedText {
  /** Bytes before the first number, between numbers, and after the last one. */
  readonly parts: readonly (readonly number[])[];
  readonly decimals: readonly number[];
  /** Start and end of each number. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** More numbers than any serving line prints. */
export const mostSlots = 64;

/** The shape of an ASCII text; undefined where it has bytes or numbers that a shape cannot have. */
export function shapeOfText(text: string): ShapedText | undefined {
  const parts: number[][] = [[]];
  const decimals: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const number = /\d+(?:\.(\d+))?/y;
  for (let index = 0; index < text.length;) {
    number.lastIndex = index;
    const match = number.exec(text);
    if (match === null) {
      const code = text.charCodeAt(index);
      if (code < 32 || code > 126) {
        return undefined;
      }
      parts.at(-1)?.push(code);
      index += 1;
      continue;
    }
    if (match[0].length > mostDigits + 1 || starts.length === mostSlots) {
      return undefined;
    }
    decimals.push(match[1]?.length ?? 0);
    starts.push(index);
    index += match[0].length;
    ends.push(index);
    parts.push([]);
  }
  const isShort = parts.every(part => part.length < 1000);
  return isShort ? { parts, decimals, starts, ends } : undefined;
}
