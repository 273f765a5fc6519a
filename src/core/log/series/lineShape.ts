/**
 * Reads serving lines at the speed of comparing bytes: a line that the full reader has read shows
 * where its numbers stand, and later lines that differ from it in digits only are read by the same
 * places. Gives exactly what the full reader gives, or nothing. Leaves out what is gathered.
 */

/** Slots of a shape are bytes below this: 1 for an integer, 1 + d for a number with d decimals. */
const firstLiteral = 32;
const mostDigits = 15;
const digitMask = 1;
const powersOfTen = Array.from({ length: 23 }, (_, power) => 10 ** power);

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
  readonly #bytes: Uint8Array;
  readonly #mask: Uint8Array;

  /**
   * @param mask 1 where any digit may stand.
   * @param owner whose lines have this prefix.
   */
  constructor(bytes: Uint8Array, mask: Uint8Array, clock: ClockPlace | undefined, owner: T) {
    this.#bytes = bytes;
    this.#mask = mask;
    this.clock = clock;
    this.owner = owner;
  }

  get length(): number {
    return this.#bytes.length;
  }

  isAt(bytes: Uint8Array, start: number, end: number): boolean {
    const own = this.#bytes;
    const mask = this.#mask;
    const { length } = own;
    if (start + length > end) {
      return false;
    }
    for (let index = 0; index < length; index += 1) {
      const byte = bytes[start + index] ?? 0;
      if (mask[index] === digitMask ? byte < 48 || byte > 57 : byte !== own[index]) {
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
    const two = (index: number): number =>
      ((bytes[at + index] ?? 0) - 48) * 10 + (bytes[at + index + 1] ?? 0) - 48;
    let fraction = 0;
    for (let digit = 0; digit < clock.fractionDigits; digit += 1) {
      fraction = fraction * 10 + (bytes[at + 9 + digit] ?? 0) - 48;
    }
    const time = two(0) * 3600 + two(3) * 60 + two(6);
    return (
      clock.midnight +
      (clock.fractionDigits === 0
        ? time
        : time + fraction / (powersOfTen[clock.fractionDigits] ?? 1))
    );
  }
}

/** A message: the same bytes but for its numbers. */
export class MessageShape<T> {
  readonly owner: T;
  readonly #pattern: Uint8Array;

  constructor(pattern: Uint8Array, owner: T) {
    this.#pattern = pattern;
    this.owner = owner;
  }

  /** Reads the message in [at, end) into `values`, by slot; false where it has another shape. */
  read(bytes: Uint8Array, from: number, end: number, values: Float64Array): boolean {
    const pattern = this.#pattern;
    const { length } = pattern;
    let at = from;
    let slot = 0;
    for (let index = 0; index < length; index += 1) {
      const want = pattern[index] ?? 0;
      if (want >= firstLiteral) {
        if (at >= end || bytes[at] !== want) {
          return false;
        }
        at += 1;
        continue;
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
      if (want > 1) {
        const lastDecimal = at + want - 1;
        if (lastDecimal >= end || bytes[at] !== 46 || lastDecimal - first > mostDigits) {
          return false;
        }
        for (at += 1; at <= lastDecimal; at += 1) {
          const digit = (bytes[at] ?? 0) - 48;
          if (digit < 0 || digit > 9) {
            return false;
          }
          mantissa = mantissa * 10 + digit;
        }
        mantissa /= powersOfTen[want - 1] ?? 1;
      }
      values[slot] = mantissa;
      slot += 1;
    }
    return at === end;
  }
}

/** The numbers of a text by their places, and the text as the pattern of a shape. */
export interface ShapedText {
  readonly pattern: Uint8Array;
  /** Start of each number; a number ends where its last digit does. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** More numbers than any serving line prints. */
export const mostSlots = 64;

/** The shape of an ASCII text; undefined where it has bytes or numbers that a shape cannot have. */
export function shapeOfText(text: string): ShapedText | undefined {
  const pattern: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const number = /\d+(?:\.(\d+))?/y;
  for (let index = 0; index < text.length;) {
    number.lastIndex = index;
    const match = number.exec(text);
    if (match === null) {
      const code = text.charCodeAt(index);
      if (code < firstLiteral || code > 126) {
        return undefined;
      }
      pattern.push(code);
      index += 1;
      continue;
    }
    const decimals = match[1]?.length ?? 0;
    if (decimals > mostDigits || match[0].length > mostDigits + 1 || starts.length === mostSlots) {
      return undefined;
    }
    pattern.push(1 + decimals);
    starts.push(index);
    index += match[0].length;
    ends.push(index);
  }
  return { pattern: Uint8Array.from(pattern), starts, ends };
}
