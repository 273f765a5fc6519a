/**
 * What the interpreter is told about the world outside the source: which expressions are inputs,
 * which values hold unless something else is said, and what library calls return. The tables are
 * data of another layer; here are their shapes only.
 *
 * A reach is written like the expression it stands for: `.width` is that attribute of anything,
 * `get_world().size` an attribute of a call, `f()` any call of f, `f(.dtype)` a call with such an
 * argument, `len(.ids)` the length of an attribute, `.kind == .BIG` a comparison (of a text: `.kind == 'big'`), `parameter n` a
 * parameter of the function that is evaluated. `not` before it turns the value round. A `*` step is
 * any attribute, `*()` any call.
 */

/** An input: an id, its unit, and the expressions that reach it. */
export interface InputFact {
  readonly id: string;
  /** As `Unit.parse` reads it. */
  readonly unit: string;
  /**
   * The unit that takes part in the flow where it says more than `unit`: widths of a cache row are
   * counts per token.
   */
  readonly flowUnit?: string;
  readonly isInteger?: boolean;
  readonly isBoolean?: boolean;
  /** The smallest amount that it can have, where that settles what is computed with it. */
  readonly least?: bigint;
  readonly reach: readonly string[];
  /** Calls and comparisons that give a value made of inputs; `argument` is the first argument. */
  readonly formulas?: readonly { readonly reach: string; readonly formula: string }[];
  /** Where no value is given: another input, a plain number, or a sum of inputs that are given. */
  readonly fallback?:
    | { readonly input: string; readonly assumption: string }
    | { readonly value: bigint | number; readonly assumption: string }
    | { readonly sum: readonly string[] };
  /** What the input means to the arithmetic. */
  readonly tag?: 'fraction' | 'split';
}

/** A value that holds unless an input says otherwise. */
export interface DefaultFact {
  readonly reach: readonly string[];
  /**
   * `object` is something that exists and is not known further, `absent` an attribute that the object
   * does not have, `fallback` what the call names for where there is nothing (None where it names
   * nothing).
   */
  readonly value: boolean | number | bigint | null | 'object' | 'absent' | 'fallback' | readonly [];
  readonly assumption: string;
  /** Holds only when one of these inputs is given. */
  readonly when?: readonly string[];
  /** When one of these inputs is given, `otherwise` holds instead and nothing is assumed. */
  readonly unless?: readonly string[];
  readonly otherwise?: boolean | number | bigint | null | 'object' | 'unknown';
}

export type MeasuredMemory = 'free-memory' | 'capacity' | 'in-use';

/** What a library's call or attribute gives. */
export interface LibraryFact {
  readonly reach: readonly string[];
  readonly result:
    | { readonly unit: string; readonly isInteger?: boolean }
    | { readonly tuple: readonly { readonly unit: string }[] }
    /** The first argument, with another value of the same unit. */
    | { readonly like: 'argument' | 'receiver' }
    | { readonly value: bigint | number; readonly unit: string };
  /**
   * What of a device the amount, or the first of a tuple, measures now. A capacity from which what is
   * in use was taken is what is free.
   */
  readonly measures?: MeasuredMemory;
}

/** A call that sets attributes to its keyword arguments. */
export interface WriterFact {
  readonly reach: readonly string[];
  /** The expression of the object whose attributes are set; the receiver where it is left out. */
  readonly to?: string;
}

/** Function results that are inputs: a followed call whose value is what was measured. */
export interface MeasurementFact {
  readonly id: string;
  readonly unit: string;
  readonly measures: 'free-memory';
  /** The call as reached where its definition cannot be found; then the unit is an assumption. */
  readonly unfollowed: readonly string[];
  readonly assumption: string;
}

/** The parameter of a function that is scaled by the memory fraction. */
export interface ScaledParameterFact {
  readonly id: string;
  readonly unit: string;
}

export interface SourceFacts {
  readonly inputs: readonly InputFact[];
  readonly defaults: readonly DefaultFact[];
  readonly library: readonly LibraryFact[];
  readonly writers?: readonly WriterFact[];
  readonly measurement: MeasurementFact;
  readonly scaledParameter: ScaledParameterFact;
}
