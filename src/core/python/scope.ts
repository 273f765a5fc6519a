/**
 * Local names of one running function and the heap of a run. Both fork where an undecided branch does
 * and are joined behind it.
 */
import type { Value } from './value';

/** What a mutable value holds. Contents are replaced, never changed in place. */
export type HeapContent =
  | { readonly kind: 'items'; readonly items: readonly Value[] }
  | { readonly kind: 'entries'; readonly entries: ReadonlyMap<string, readonly [Value, Value]> }
  | { readonly kind: 'attributes'; readonly attributes: ReadonlyMap<string, Value> }
  /** Changed by something that was not followed. */
  | { readonly kind: 'lost'; readonly missing: readonly string[] };

/** The id of one of the run's own values, or the path text of an opaque object that was written to. */
export type HeapKey = number | string;

/** Contents by key. Forks share their entries until one of them writes: most branches never do. */
export class Heap {
  #entries: Map<HeapKey, HeapContent>;
  #isShared = false;

  constructor(entries = new Map<HeapKey, HeapContent>()) {
    this.#entries = entries;
  }

  get entries(): ReadonlyMap<HeapKey, HeapContent> {
    return this.#entries;
  }

  get(key: HeapKey): HeapContent | undefined {
    return this.#entries.get(key);
  }

  set(key: HeapKey, content: HeapContent): void {
    if (this.#isShared) {
      this.#entries = new Map(this.#entries);
      this.#isShared = false;
    }
    this.#entries.set(key, content);
  }

  /** The same contents, on which writing leaves this heap as it is. */
  fork(): Heap {
    const fork = new Heap(this.#entries);
    this.#isShared = true;
    fork.#isShared = true;
    return fork;
  }
}

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
