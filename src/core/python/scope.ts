/**
 * Local names of one running function and the heap of a run. Both are copied where an undecided
 * branch forks and joined behind it.
 */
import type { Value } from './value';

/** What a mutable value holds. Contents are replaced, never changed in place. */
export type HeapContent =
  | { readonly kind: 'items'; readonly items: readonly Value[] }
  | { readonly kind: 'entries'; readonly entries: ReadonlyMap<string, readonly [Value, Value]> }
  | { readonly kind: 'attributes'; readonly attributes: ReadonlyMap<string, Value> }
  /** Changed by something that was not followed. */
  | { readonly kind: 'lost'; readonly missing: readonly string[] };

/** Keys are the ids of the run's own values, and path texts of opaque objects that were written to. */
export type Heap = Map<number | string, HeapContent>;

/** The names of one function call. A closure keeps the scope, not a copy of its names. */
export class Scope {
  names: Map<string, Value>;
  readonly outer: Scope | undefined;

  /** True for the scope of a comprehension, which `:=` passes through. */
  readonly isInner: boolean;

  constructor(names: Map<string, Value>, outer: Scope | undefined, isInner = false) {
    this.names = names;
    this.outer = outer;
    this.isInner = isInner;
  }

  /** The scope that `:=` binds in. */
  get assignable(): Scope {
    return this.isInner && this.outer !== undefined ? this.outer.assignable : this;
  }

  find(name: string): Value | undefined {
    return this.names.get(name) ?? this.outer?.find(name);
  }
}
