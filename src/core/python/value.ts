/**
 * The values of the abstract interpreter. Numbers are terms, so the value of an expression is also
 * its derivation. What is not known is `opaque` and says which expression is missing. Mutable
 * values (lists, dicts, instances) are references into the heap of a run.
 */
import { constant } from '../terms/build';
import type { Term } from '../terms/term';
import type { PythonNumber } from '../units/pythonNumber';
import type { Scope } from './scope';
import type { SourceModule } from './sourceModule';
import type { ClassDefinition, Expression, FunctionDefinition } from './syntax';

/** An int, float or bool. A bool is a term with the values 0 and 1. */
export interface NumberValue {
  readonly kind: 'number';
  readonly term: Term;
  readonly isBoolean: boolean;
}

/** A gap in a text whose value is not known, or is known only within bounds. */
export interface TextGap {
  readonly value: Value;
  /** The source of the expression in the gap. */
  readonly source: string;
  /** The format behind the colon, where it is known. */
  readonly format?: string;
}

/** A str. More than one part, or a gap, means that it is known in parts only. */
export interface TextValue {
  readonly kind: 'text';
  readonly parts: readonly (string | TextGap)[];
}

export interface NoneValue {
  readonly kind: 'none';
}

export interface TupleValue {
  readonly kind: 'tuple';
  readonly items: readonly Value[];
}

/** A reference to a list or set in the heap. */
export interface CollectionValue {
  readonly kind: 'list' | 'set';
  readonly id: number;
}

/** A reference to a dict in the heap. */
export interface DictValue {
  readonly kind: 'dict';
  readonly id: number;
}

/** An instance that the run itself made. */
export interface InstanceValue {
  readonly kind: 'instance';
  readonly id: number;
  readonly type: ClassValue;
}

export interface FunctionValue {
  readonly kind: 'function';
  readonly name: string;
  readonly definition: FunctionDefinition | (Expression & { readonly kind: 'lambda' });
  readonly module: SourceModule;
  /** The class that the function is a method of. */
  readonly owner: ClassValue | undefined;
  readonly receiver: Value | undefined;
  /** The scope around a nested function. */
  readonly closure: Scope | undefined;
}

export interface ClassValue {
  readonly kind: 'class';
  readonly definition: ClassDefinition;
  readonly module: SourceModule;
}

export interface ModuleValue {
  readonly kind: 'module';
  readonly module: SourceModule;
}

/** A built-in function, or a method of a built-in value. */
export interface BuiltinValue {
  readonly kind: 'builtin';
  readonly name: string;
  readonly receiver: Value | undefined;
}

/** `super()`: attributes come from the classes behind, in order, and are bound to the receiver. */
export interface SuperValue {
  readonly kind: 'super';
  readonly receiver: Value;
  readonly order: readonly ClassValue[];
}

/** An exception object. `name` is its class. */
export interface ExceptionValue {
  readonly kind: 'exception';
  readonly name: string;
  readonly message: Value | undefined;
  /** The conditions that led to it, as far as they were decided; undefined for a failed operation. */
  readonly tests?: readonly Term[];
}

/**
 * How an unknown value is reached: `self.shape.side` has the steps `self`,
 * `shape`, `side`; a call is a step that ends in `()`.
 */
export interface ValuePath {
  /** As the source would write it. */
  readonly text: string;
  readonly steps: readonly string[];
  /** Arguments of the call that the last step is. */
  readonly arguments?: readonly Value[];
}

/** A value that is not known. */
export interface OpaqueValue {
  readonly kind: 'opaque';
  readonly path: ValuePath;
  /** The class, where an annotation or a constructor tells it. */
  readonly type: ClassValue | undefined;
  /** True for something that is certainly not None and not falsy. */
  readonly isObject: boolean;
  /** The expressions whose values are missing. */
  readonly missing: readonly string[];
  /** What it is where it is a number and not None. */
  readonly number: Term | undefined;
}

export type Value =
  | NumberValue
  | TextValue
  | NoneValue
  | TupleValue
  | CollectionValue
  | DictValue
  | InstanceValue
  | FunctionValue
  | ClassValue
  | ModuleValue
  | BuiltinValue
  | ExceptionValue
  | SuperValue
  | OpaqueValue;

export const none: NoneValue = { kind: 'none' };

export function numberOf(value: PythonNumber): NumberValue {
  return { kind: 'number', term: constant(value), isBoolean: false };
}

export function fromTerm(term: Term): NumberValue {
  return { kind: 'number', term, isBoolean: false };
}

export function truth(term: Term): NumberValue {
  return { kind: 'number', term, isBoolean: true };
}

export function boolean(value: boolean): NumberValue {
  return truth(constant(value ? 1n : 0n));
}

export function text(value: string): TextValue {
  return { kind: 'text', parts: value === '' ? [] : [value] };
}

/** The string, where it is known in full. */
export function plainText(value: Value): string | undefined {
  if (value.kind !== 'text') {
    return undefined;
  }
  const [only = '', ...others] = value.parts;
  return typeof only === 'string' && others.length === 0 ? only : undefined;
}

export function opaque(
  path: ValuePath,
  options: {
    readonly type?: ClassValue | undefined;
    readonly isObject?: boolean;
    readonly missing?: readonly string[];
    readonly number?: Term;
  } = {},
): OpaqueValue {
  const { type, isObject = false, missing = [path.text], number } = options;
  return { kind: 'opaque', path, type, isObject, missing, number };
}

/** The letters of a text, as Python counts them: code points. */
export function letters(value: string): string[] {
  return Array.from(value);
}

/** A path of one step. */
export function rootPath(name: string): ValuePath {
  return { text: name, steps: [name] };
}

export function attributePath(path: ValuePath, name: string): ValuePath {
  return { text: `${path.text}.${name}`, steps: [...path.steps, name] };
}
