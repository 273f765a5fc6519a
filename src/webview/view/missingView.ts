/** What the page could not show and why, in one list instead of empty parts, with what would help. */
import type { PageRun } from '../../core/report/pageModel';
import type { Html } from '../html';
import { html } from '../html';
import type { Drawing } from './drawing';
import { canReveal, prose, say, section } from './drawing';
import { hasLedger } from './memoryView';

/** The section; undefined where nothing is missing. */
export function missingView(drawing: Drawing, run: PageRun): Html | undefined {
  const { model } = drawing;
  const { facts, whatIfMissing, receiptMissing } = run;
  // Values that a person gave have no memory to show.
  const isOfLog = facts.length > 0;
  const items = [
    ...(isOfLog && !hasLedger(run) ? [html`<li>${say(model, 'memory.none')}</li>`] : []),
    ...(whatIfMissing === undefined || drawing.isStatic
      ? []
      : [html`<li>${prose(say(model, 'try.none', { reason: whatIfMissing }))}</li>`]),
    ...(receiptMissing === undefined
      ? []
      : [
          html`<li>
            ${prose(receiptMissing)}
            ${
              canReveal(drawing) &&
              html`<button type="button" class="link" data-act="chooseConfig">
                ${say(model, 'receipt.choose')}
              </button>`
            }
          </li>`,
        ]),
  ];
  return items.length === 0
    ? undefined
    : section(
        'missing',
        say(model, 'missing.title'),
        html`<ul class="plain">
          ${items}
        </ul>`,
      );
}
