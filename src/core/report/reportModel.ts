/**
 * The report as data: sections of headings, sentences, tables and notes. Markdown, HTML and the
 * terminal are renderings of it; nothing here knows which.
 */
import type { PrintedPlace } from '../account/ledger';
import type { Message } from '../message/message';
import type { Origin } from '../model/modelMessages';
import type { FormulaPart } from '../terms/explain';
import type { Term } from '../terms/term';
import type { Quantity } from '../units/quantity';

/** A cell of a table. */
export type Cell =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'quantity'; readonly quantity: Quantity }
  | { readonly kind: 'lines'; readonly places: readonly PrintedPlace[] }
  | { readonly kind: 'foreign'; readonly text: string }
  /** Where a value of a receipt comes from; a config key has a place, for a link. */
  | { readonly kind: 'origins'; readonly origins: readonly Origin[] }
  | { readonly kind: 'empty' };

export interface TableRow {
  readonly cells: readonly Cell[];
  /** `current`: the value in force; `offered`: the recommended one; `binding`: the deciding rank. */
  readonly mark: 'current' | 'offered' | 'binding' | undefined;
}

export type Block =
  | { readonly kind: 'sentence'; readonly message: Message; readonly isHeadline: boolean }
  | {
      readonly kind: 'table';
      readonly columns: readonly ColumnId[];
      readonly rows: readonly TableRow[];
    }
  | {
      readonly kind: 'derivation';
      readonly term: Term;
      readonly formula: readonly FormulaPart[];
      readonly valueOf: (term: Term) => Quantity | undefined;
    }
  /** Something to paste into a shell. */
  | { readonly kind: 'flag'; readonly flag: string };

export type ColumnId =
  | 'what'
  | 'size'
  | 'lines'
  | 'fraction'
  | 'pool'
  /** As `pool`, beside a window pool: without it, and both together. */
  | 'fullPool'
  | 'pools'
  | 'tokens'
  | 'left'
  | 'rank'
  | 'begin'
  | 'weights'
  | 'end'
  | 'final'
  /** As `final`, where ranks end in different phases. */
  | 'last'
  | 'unaccounted'
  | 'a'
  | 'b'
  | 'share'
  | 'origin';

export type SectionId =
  | 'run'
  | 'fractions'
  | 'derivation'
  | 'receipt'
  | 'ledger'
  | 'ranks'
  | 'table'
  | 'serving'
  | 'assumptions'
  | 'problems'
  | 'comparison'
  | 'predictions';

export interface Section {
  readonly id: SectionId;
  readonly blocks: readonly Block[];
}

export interface Report {
  readonly sections: readonly Section[];
}
