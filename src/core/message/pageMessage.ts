/** Messages of the report page that are no part of the Markdown report. Wording is at the edge. */
import type { Quantity } from '../units/quantity';
import type { ForeignText, Message } from './message';

export interface PageMessages {
  'page.engine': Record<string, never>;
  'page.release': Record<string, never>;
  'page.model': Record<string, never>;
  'page.parallel': Record<string, never>;
  'page.ranks': Record<string, never>;
  'page.lines': Record<string, never>;
  'page.ranks-seen': { seen: number };
  'page.ranks-of': { seen: number; expected: number };
  'page.ranks-alike': { gap: Quantity };
  'page.lines-of': { first: number; last: number };
  'page.release-since': { from: string };
  'page.release-range': { from: string; to: string };
  'page.release-between': { after: string; before: string };
  /** A word of the log as it stands. */
  'page.foreign': { text: ForeignText };
  'page.moved': { names: readonly Message[] };
  'page.nothing-moved': Record<string, never>;
  'page.tokens-against': { a: Quantity; b: Quantity };
  'page.tokens-unknown': Record<string, never>;
  /** Values that a person gave come to nothing. */
  'page.unknown': Record<string, never>;
  'page.metric': { metric: string };
  /** Why other values cannot be tried. */
  'page.shares-unknown': Record<string, never>;
  /** What an assumption supposes. */
  'page.assumed': { assumed: string };
  'page.no-config': Record<string, never>;
  /** Short name of a quantity, for a label above its number. */
  'page.short-name': { short: string };
}
