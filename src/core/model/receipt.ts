/**
 * The receipt of a number: every input that it rests on, with its value and the config key, flag or
 * assumption behind it, and what is replicated or divided. It is a walk over the graph; words are at
 * the edge.
 */
import type { Solution } from '../terms/solve';
import type { Term } from '../terms/term';
import { topologicalOrder } from '../terms/term';
import { nameOf } from '../terms/explain';
import type { Quantity } from '../units/quantity';
import type { ConfigPlace } from './configTree';

/** Where a value of a receipt comes from. */
export type ReceiptSource =
  | { readonly kind: 'config'; readonly key: string; readonly place: ConfigPlace | undefined }
  | { readonly kind: 'flag'; readonly flag: string }
  | { readonly kind: 'default'; readonly flag: string }
  | { readonly kind: 'assumption'; readonly assumption: string };

/** One line: an input or an intermediate result by the name that the formula gives it. */
export interface ReceiptLine {
  readonly name: string;
  readonly term: Term;
  readonly quantity: Quantity;
  /** Empty for an intermediate result. */
  readonly sources: readonly ReceiptSource[];
  /** How heads or rows are spread over the ranks. */
  readonly spread: 'replicated' | 'divided' | undefined;
}

/** Inputs before what is made of them. */
export type Receipt = readonly ReceiptLine[];

/** Where the keys of a receipt stand, and which of its flags nobody gave. */
export interface ReceiptOrigins {
  readonly places: ReadonlyMap<string, ConfigPlace>;
  readonly defaults: ReadonlySet<string>;
}

/** What decides how rows are spread. */
export interface Spread {
  readonly name: string;
  readonly spread: 'replicated' | 'divided';
}

/** The lines behind the roots, in the order in which the formula needs them. */
export function receiptOf(
  roots: readonly Term[],
  solution: Solution,
  origins: ReceiptOrigins,
  spreads: readonly Spread[],
): Receipt {
  const lines = topologicalOrder(roots).flatMap((term): ReceiptLine[] => {
    const name = nameOf(term);
    const quantity = name === undefined ? undefined : solution.quantityOf(term);
    // Names with an underscore in front are steps that a formula needs and nobody asks for.
    if (name === undefined || name.startsWith('_') || quantity === undefined) {
      return [];
    }
    const sources =
      term.kind === 'input' ? sourcesOf(ownOf(term, solution) ?? quantity, origins) : [];
    const spread = spreads.find(candidate => candidate.name === name)?.spread;
    return [{ name, term, quantity, sources, spread }];
  });
  // Releases that stay possible each have a term of a name; the last joins them.
  return [...new Map(lines.map(line => [line.name, line])).values()];
}

/** What is said of the input itself; others may only narrow it. */
function ownOf(term: Term, solution: Solution): Sources | undefined {
  const own = solution.supportOf(term).filter(fact => fact.term === term);
  return own.length === 0
    ? undefined
    : {
        provenance: own.flatMap(({ provenance }) => provenance),
        assumptions: own.flatMap(({ assumptions = [] }) => assumptions),
      };
}

type Sources = Pick<Quantity, 'provenance' | 'assumptions'>;

function sourcesOf(
  { provenance, assumptions }: Sources,
  { places, defaults }: ReceiptOrigins,
): ReceiptSource[] {
  return [
    ...provenance.flatMap((source): ReceiptSource[] => {
      switch (source.kind) {
        case 'config':
          return [{ kind: 'config', key: source.key, place: places.get(source.key) }];
        case 'given':
          return [{ kind: defaults.has(source.name) ? 'default' : 'flag', flag: source.name }];
        default:
          return [];
      }
    }),
    ...assumptions.map(assumption => ({ kind: 'assumption' as const, assumption })),
  ];
}

/** The lines that a person needs: each once, without flags at their usual values. */
export function tellingLines(receipt: Receipt): Receipt {
  return [...new Map(receipt.map(line => [line.name, line])).values()].filter(isTelling);
}

/** Flags that are as they always are, and reserves of nothing, say nothing. */
function isTelling({ name, sources, quantity }: ReceiptLine): boolean {
  if (name.startsWith('release >=')) {
    return false;
  }
  const isFlag = sources.every(({ kind }) => kind === 'flag' || kind === 'default');
  const { lo, hi } = quantity.interval;
  const isUsual = lo === 0 || (lo === 1 && sources.length > 0 && name !== 'kv_element_size');
  return !isFlag || lo !== hi || !isUsual;
}
