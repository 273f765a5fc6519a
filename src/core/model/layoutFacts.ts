/**
 * Fills a formula scope from a config and flags, and remembers where each value stands in the file.
 */
import type { FormulaScope } from '../sglang/layout/formulaScope';
import type { LayoutInputName } from '../sglang/layout/layoutInput';
import type { Interval } from '../units/interval';
import { isPoint } from '../units/interval';
import type { ConfigNumber } from './configNumber';
import type { ConfigPlace, ConfigValue } from './configTree';

/** A key and its place, as a source. */
export type ConfigSource = Pick<ConfigNumber | ConfigValue, 'path' | 'place'>;

/** Where the value of a flag comes from. */
export interface FlagOrigin {
  /** Nobody gave the flag. */
  readonly isDefault?: boolean;
  /** Keys that the default follows. */
  readonly sources?: readonly ConfigSource[];
}

/** Statements about the inputs of one scope. */
export class LayoutFacts {
  readonly scope: FormulaScope;
  readonly #places = new Map<string, ConfigPlace>();
  readonly #defaults = new Set<string>();

  constructor(scope: FormulaScope) {
    this.scope = scope;
  }

  /** Places of the config keys that facts name. */
  get places(): ReadonlyMap<string, ConfigPlace> {
    return this.#places;
  }

  /** Flags that nobody gave. */
  get defaults(): ReadonlySet<string> {
    return this.#defaults;
  }

  /** A value of the config; nothing for an absent key. */
  config(
    name: LayoutInputName,
    number: ConfigNumber | undefined,
    assumptions: readonly string[] = [],
  ): void {
    if (number !== undefined) {
      this.counted(name, number.value, [number], assumptions);
    }
  }

  /** A value that follows from keys: a count of layers, a product. */
  counted(
    name: LayoutInputName,
    value: number,
    sources: readonly ConfigSource[],
    assumptions: readonly string[] = [],
  ): void {
    for (const { path, place } of sources) {
      this.#places.set(path, place);
    }
    this.scope.know(name, BigInt(value), {
      provenance: sources.map(({ path }) => ({ kind: 'config' as const, key: path })),
      assumptions,
    });
  }

  /** As counted, within bounds where stages differ. */
  countedBetween(
    name: LayoutInputName,
    interval: Interval,
    sources: readonly ConfigSource[],
  ): void {
    if (isPoint(interval)) {
      this.counted(name, interval.lo, sources);
    } else {
      const provenance = sources.map(({ path }) => ({ kind: 'config' as const, key: path }));
      this.scope.bound(name, interval, { provenance });
    }
  }

  /** A value that a flag gives, or its default. */
  flag(name: LayoutInputName, value: number, flag: string): void {
    this.scope.know(name, Number.isInteger(value) ? BigInt(value) : value, {
      provenance: [{ kind: 'given', name: flag }],
    });
  }

  /** A value that nothing says. */
  assumed(name: LayoutInputName, value: number, assumption: string): void {
    this.scope.know(name, Number.isInteger(value) ? BigInt(value) : value, {
      provenance: [],
      assumptions: [assumption],
    });
  }

  /** A value that a flag has where nobody gives it. */
  unset(name: LayoutInputName, value: number, flag: string): void {
    this.#defaults.add(flag);
    this.flag(name, value, flag);
  }

  /** Bounds, where something decides between a few values: a flag, or what it follows by default. */
  between(
    name: LayoutInputName,
    interval: Interval,
    flag: string,
    { isDefault = false, sources = [] }: FlagOrigin = {},
  ): void {
    if (isDefault) {
      this.#defaults.add(flag);
    }
    for (const { path, place } of sources) {
      this.#places.set(path, place);
    }
    const provenance = [
      { kind: 'given' as const, name: flag },
      ...sources.map(({ path }) => ({ kind: 'config' as const, key: path })),
    ];
    if (isPoint(interval)) {
      this.scope.know(name, BigInt(interval.lo), { provenance });
    } else {
      this.scope.bound(name, interval, { provenance });
    }
  }
}
