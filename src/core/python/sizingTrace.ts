/**
 * Where a run measures free memory and where it computes with the memory fraction, by call. The call
 * in which the two meet is that of the function that sizes, whatever helpers, properties or objects
 * its formula is spread over. Leaves out what is put in place of the measurement.
 */
import type { Term } from '../terms/term';
import { operandsOf, topologicalOrder } from '../terms/term';
import { allStatements } from './statementExpressions';
import type { FunctionDefinition } from './syntax';
import type { FunctionValue } from './value';

type Callable = FunctionValue['definition'];

/** One call on its way; the outermost has no caller. */
interface Activation {
  readonly definition: Callable;
  readonly caller: Activation | undefined;
  readonly depth: number;
}

/** A term, and the call in which it was made. */
interface Place {
  readonly term: Term;
  readonly activation: Activation;
}

/** What a term is made of. */
interface Parts {
  readonly measured: ReadonlySet<Place>;
  readonly scaled: ReadonlySet<Place>;
}

const nothing: ReadonlySet<Place> = new Set();
const joining: ReadonlySet<string> = new Set(['+', '-', 'min', 'max']);

/** Kept by one machine. */
export class SizingTrace {
  #current: Activation | undefined;
  readonly #measuring = new Set<Callable>();
  readonly #measured: Place[] = [];
  readonly #scaled: Place[] = [];
  readonly #replacing = new Set<FunctionDefinition>();

  /** Does the work of a call. */
  inCall<T>(definition: Callable, work: () => T): T {
    const caller = this.#current;
    this.#current = { definition, caller, depth: (caller?.depth ?? -1) + 1 };
    try {
      return work();
    } finally {
      this.#current = caller;
    }
  }

  /** The running function asks a library for an amount of memory. */
  noteLibrary(): void {
    if (this.#current !== undefined) {
      this.#measuring.add(this.#current.definition);
    }
  }

  /** True for a function that itself asks a library for an amount of memory. */
  isMeasuring(definition: Callable): boolean {
    return this.#measuring.has(definition);
  }

  /** The running function called one that measures. */
  noteMeasured(term: Term): void {
    if (this.#current !== undefined) {
      this.#measured.push({ term, activation: this.#current });
    }
  }

  /** The running function computed this with the memory fraction. */
  noteScaled(term: Term): void {
    if (this.#current !== undefined) {
      this.#scaled.push({ term, activation: this.#current });
    }
  }

  /** A measurement was replaced by its input for this function. */
  noteReplaced(definition: FunctionDefinition): void {
    this.#replacing.add(definition);
  }

  /** The innermost of these functions that runs just now. */
  runningOneOf(definitions: ReadonlySet<FunctionDefinition>): FunctionDefinition | undefined {
    for (let one = this.#current; one !== undefined; one = one.caller) {
      if (!('kind' in one.definition) && definitions.has(one.definition)) {
        return one.definition;
      }
    }
    return undefined;
  }

  /** The functions that size, as far as their measurement was replaced already. */
  get replacing(): ReadonlySet<FunctionDefinition> {
    return this.#replacing;
  }

  /**
   * The functions in whose calls a measurement meets what the fraction makes, in a sum or as the
   * smaller of the two, within the given terms; of calls within each other the innermost. `input` stands
   * for a measurement that was replaced: what rests on it is no share of memory but a result.
   */
  ownersIn(roots: readonly Term[], input: Term | undefined): ReadonlySet<FunctionDefinition> {
    const owners = new Set<FunctionDefinition>();
    if (this.#measured.length === 0 || this.#scaled.length === 0) {
      return owners;
    }
    const taken = new Set<Place>();
    const meetings = this.#meetings(roots, input).toSorted((a, b) => b.at.depth - a.at.depth);
    for (const { measured, scaled, at } of meetings) {
      const owner = enclosing(at);
      if (owner === undefined || taken.has(measured) || taken.has(scaled)) {
        continue;
      }
      owners.add(owner);
      [...this.#measured, ...this.#scaled]
        .filter(({ activation }) => isWithin(activation, at))
        .forEach(place => taken.add(place));
    }
    return owners;
  }

  #meetings(
    roots: readonly Term[],
    input: Term | undefined,
  ): { measured: Place; scaled: Place; at: Activation }[] {
    const measuredAt = byTerm(this.#measured);
    const scaledAt = byTerm(this.#scaled);
    const parts = new Map<Term, Parts>();
    const results = new Set<Term>();
    const found: { measured: Place; scaled: Place; at: Activation }[] = [];
    for (const term of topologicalOrder(roots)) {
      const below = operandsOf(term).flatMap(one => parts.get(one) ?? []);
      const made: Parts = {
        measured: union([measuredAt.get(term), ...below.map(({ measured }) => measured)]),
        scaled: union([scaledAt.get(term), ...below.map(({ scaled }) => scaled)]),
      };
      parts.set(term, made);
      if (term === input || operandsOf(term).some(one => results.has(one))) {
        results.add(term);
      }
      if (term.kind !== 'operator' || !joining.has(term.operator)) {
        continue;
      }
      const sides = term.operands.flatMap(one => {
        const side = parts.get(one);
        return side === undefined || results.has(one) ? [] : [side];
      });
      const free = sides.filter(({ scaled }) => scaled.size === 0);
      const shares = sides.filter(({ measured }) => measured.size === 0);
      for (const measured of free.flatMap(side => [...side.measured])) {
        for (const scaled of shares.flatMap(side => [...side.scaled])) {
          found.push({ measured, scaled, at: meet(measured.activation, scaled.activation) });
        }
      }
    }
    return found;
  }
}

function byTerm(places: readonly Place[]): ReadonlyMap<Term, ReadonlySet<Place>> {
  const found = new Map<Term, Set<Place>>();
  for (const place of places) {
    found.set(place.term, (found.get(place.term) ?? new Set<Place>()).add(place));
  }
  return found;
}

/** Most terms have one part that holds anything, whose set is shared. */
function union(sets: readonly (ReadonlySet<Place> | undefined)[]): ReadonlySet<Place> {
  const [first = nothing, ...others] = sets.flatMap(set =>
    set !== undefined && set.size > 0 ? [set] : [],
  );
  return others.every(set => set === first)
    ? first
    : new Set([first, ...others].flatMap(set => [...set]));
}

/**
 * The innermost call around both. A measurement that a caller hands over was made in a run of that
 * caller, which then is the call around both.
 */
function meet(measured: Activation, scaled: Activation): Activation {
  let at = measured;
  while (at.caller !== undefined && !isWithin(scaled, at)) {
    at = at.caller;
  }
  return at;
}

function isWithin(activation: Activation, around: Activation): boolean {
  let one: Activation | undefined = activation;
  while (one !== undefined && one !== around) {
    one = one.caller;
  }
  return one !== undefined;
}

/** The function of the call; of a lambda the one around it. */
function enclosing(activation: Activation): FunctionDefinition | undefined {
  let one: Activation | undefined = activation;
  while (one !== undefined && 'kind' in one.definition) {
    one = one.caller;
  }
  return one === undefined || 'kind' in one.definition ? undefined : one.definition;
}

/** True where the function gives something back. */
export function returnsValue({ body }: FunctionDefinition): boolean {
  return allStatements(body).some(one => one.kind === 'return' && one.value !== undefined);
}
