/**
 * What an editor or the command line shows of a Python file, as plain data. Wording is at the edge:
 * a note is an id with typed arguments; the only texts here are pieces of code.
 */
import type { NamedScale } from '../../sglang/source/nameHint';
import type { Quantity } from '../../units/quantity';
import type { Unit } from '../../units/unit';

/** 0-based rows and columns in UTF-16 units; the end is behind the last unit. */
export interface SourceRange {
  readonly row: number;
  readonly column: number;
  readonly endRow: number;
  readonly endColumn: number;
}

/** A place in a file of the package. Line and column start at 1 and 0. */
export interface SourcePlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

export type FunctionRole = 'sizing' | 'cell-size' | 'available-memory' | 'pool-split';

/** What a note says, beside the quantity and unit of its annotation. */
export type PythonNote =
  /** A name, a returned value or a parameter with its value. `text` is Python's, for no number. */
  | { readonly id: 'value'; readonly text?: string }
  | { readonly id: 'unit' }
  /** Nothing but the ending of the name tells a scale. */
  | { readonly id: 'by-name'; readonly scale: NamedScale }
  /** A value that needs an input that is not given; `missing` are expressions or input ids. */
  | { readonly id: 'missing'; readonly missing: readonly string[] }
  /** A call that measures memory; `place` is where its result gets the unit. */
  | { readonly id: 'call'; readonly callee: string; readonly place: SourcePlace | undefined }
  | { readonly id: 'function'; readonly role: FunctionRole }
  /** An exception with what is known of its message; gaps are shown as their source in braces. */
  | { readonly id: 'raises'; readonly text: string; readonly isCertain: boolean }
  /** Two scales of memory that meet in a sum or a comparison. */
  | { readonly id: 'mixed-scales'; readonly left: Unit; readonly right: Unit };

/** One annotation of design section 4. */
export interface PythonAnnotation {
  readonly range: SourceRange;
  readonly kind: 'value' | 'unit' | 'call' | 'function' | 'problem';
  /** The target as the source writes it, `return`, `raise` or the callee. */
  readonly name: string;
  /** Qualified name of the function around it. */
  readonly function: string;
  readonly unit: Unit | undefined;
  /** Undefined where the value is not known. */
  readonly quantity: Quantity | undefined;
  readonly note: PythonNote;
}

/** A function that has a role, with what it is worth under the given values. */
export interface AnnotatedFunction {
  readonly name: string;
  /** 1-based line of its name. */
  readonly line: number;
  readonly range: SourceRange;
  readonly role: FunctionRole;
  /** Numbers in local names where the function is left; names without a unit are left out. */
  readonly locals: ReadonlyMap<string, Quantity>;
  /** Numbers that the function leaves in attributes: `self.full_tokens`, or of a returned object. */
  readonly attributes: ReadonlyMap<string, Quantity>;
  /** Undefined where the function returns no number, or none that is known. */
  readonly returns: Quantity | undefined;
  readonly returnUnit: Unit | undefined;
  /** `ValueError: …`, only where it certainly raises. */
  readonly raises: string | undefined;
  /** Input ids and expressions whose values are not given and were needed. */
  readonly missing: readonly string[];
  /** Input ids that the function reads. */
  readonly inputs: readonly string[];
  /** Parts that the given values rule out. */
  readonly skipped: readonly SourceRange[];
  /** From here to the end of the function nothing is known: the text does not parse. */
  readonly brokenFrom: number | undefined;
}
