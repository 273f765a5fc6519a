/** Messages of annotations: hovers, notes after lines, lenses, outline. Wording is at the edge. */
import type { Quantity } from '../units/quantity';
import type { ForeignText, Message } from './message';

export interface AnnotationMessages {
  /** `rest -20.60 GiB: cannot fit below f 0.770` */
  'note.rest-negative': { rest: Quantity; minimum: Quantity };
  'note.rest': { rest: Quantity; tokens: Quantity };
  'note.fraction': { fraction: Quantity };
  'note.minimum': { minimum: Quantity };
  'note.bytes-per-token': { cell: Quantity };
  'note.gap': { gap: Quantity };
  'note.requests': { requests: Quantity };
  'note.missing': { missing: Quantity };
  'note.left': { left: Quantity };
  /** A field of a line: its name, its value, what it is. */
  'field.value': { name: Message; value: Quantity };
  'field.name': { form: string; field: string };
  'hover.title': { form: string };
  'hover.gib-label': Record<string, never>;
  /** After a derivation: whether it comes to what the line prints. */
  'hover.check-agrees': Record<string, never>;
  'hover.check-differs': { printed: Quantity };
  'hover.minimum-of-ranks': Record<string, never>;
  /** Between the floor and a value that serves there is a difference. */
  'hover.floor': Record<string, never>;
  'hover.emitter': { emitter: ForeignText };
  'hover.emitters': { emitter: ForeignText; others: number };
  'hover.release': { from: string };
  'hover.releases': { from: string; to: string };
  'hover.releases-since': { from: string };
  'name.memory-fraction': { which: string };
  /** A name in a hover, the parts of its title. */
  'hover.rank': { title: Message; rank: ForeignText };
  'lens.verdict': { summary: Message };
  'lens.open-report': Record<string, never>;
  'lens.copy-flag': { flag: string };
  /** A verdict in a few words; `verdict` is its kind. */
  'short.ok': { tokens: Quantity };
  'short.ok-plain': Record<string, never>;
  'short.not-enough-memory': { rest: Quantity; fraction: Quantity };
  'short.verdict': { verdict: string };
  'status.one-run': { verdict: Message };
  'status.runs': { runs: number; verdict: Message };
  'outline.run': { number: number; summary: Message };
  'outline.rank': { rank: ForeignText };
  'outline.only-rank': Record<string, never>;
  'outline.phase': { phase: string };
}
