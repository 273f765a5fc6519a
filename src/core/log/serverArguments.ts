/**
 * The launch arguments that a server prints at its start, read by a whitelist: the line can hold
 * secrets, so only named memory-related keys are kept. Leaves out every other key.
 */

/** One argument as printed. */
export interface ServerArgument {
  /** Python literal: None is null; a list is only kept as its printed text. */
  readonly value: number | bigint | string | boolean | null;
  readonly text: string;
  /** 1-based physical line and UTF-16 columns of the value. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Whitelisted launch arguments of one line. */
export interface ServerArguments {
  readonly values: ReadonlyMap<string, ServerArgument>;
  /** False when the line was cut before its end: a missing key may have been printed. */
  readonly isComplete: boolean;
}
