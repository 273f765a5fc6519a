/** What built-in functions and methods are given; each gives undefined where its result is not known. */
import type { Frame, Machine } from './machine';
import type { Value } from './value';

/** One call. */
export interface BuiltinCall {
  readonly machine: Machine;
  readonly frame: Frame;
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  readonly source: string;
  /** The result of another built-in function. */
  readonly apply: (name: string, positional: readonly Value[]) => Value | undefined;
}

/** Gives undefined where the result is not known. */
export type BuiltinFunction = (call: BuiltinCall) => Value | undefined;
