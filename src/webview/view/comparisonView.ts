/** Two runs side by side: the shares of the token difference as bars, the inputs, the predictions. */
import type { PageComparison, PageMove, PagePrediction } from '../../core/report/pageModel';
import type { Html } from '../html';
import { html } from '../html';
import { amount } from './amount';
import type { Drawing } from './drawing';
import { linesLink, percent, prose, say, section, shortName, titled } from './drawing';
import { actionView, headlineView } from './headlineView';
import { numberTable } from './numberTable';
import { fractionTable } from './tableView';

/** The whole comparison. */
export function comparisonView(drawing: Drawing, comparison: PageComparison): Html {
  const { model } = drawing;
  const { headline, moves, predictions, difference } = comparison;
  return html`<section class="verdict ${headline.tone}" aria-labelledby="title-verdict">
      ${headlineView(drawing, headline)}
      ${
        difference !== '?' &&
        html`<p class="sentence">${say(model, 'compare.difference', { difference })}</p>`
      }
    </section>
    ${moves.filter(isDrawn).length > 1 && section('shares', say(model, 'compare.chart'), shares(moves))}
    ${moves.length > 0 && section('moves', say(model, 'compare.title'), table(drawing, comparison))}
    ${
      predictions.length > 0 &&
      section(
        'predictions',
        say(model, 'compare.predictions'),
        predictions.map(prediction => predictionView(drawing, prediction)),
      )
    }`;
}

/** What is the same in both runs has no share: its bounds are print rounding. One bar alone says nothing. */
function isDrawn({ size, hasMoved }: PageMove): boolean {
  return size !== null && hasMoved;
}

/** Bars to the left take tokens away, bars to the right give them. */
function shares(moves: readonly PageMove[]): Html {
  const sized = moves.filter(isDrawn).map(move => ({ ...move, size: move.size ?? 0 }));
  const largest = Math.max(1, ...sized.map(({ size }) => Math.abs(size)));
  const sorted = [...sized].sort((a, b) => Math.abs(b.size) - Math.abs(a.size));
  return html`<ol class="shares">
    ${sorted.map(({ label, share, size }) => {
      const half = Math.max(0.003, Math.abs(size) / largest / 2);
      return html`<li class="share">
        <span class="row-name">${titled(label)}</span><span class="row-value">${amount(share)}</span
        ><svg class="row-bar" aria-hidden="true">
          <rect class="track" width="100%" height="100%" />
          <rect
            class="${size < 0 ? 'share-less' : 'share-more'}"
            x="${percent(size < 0 ? 0.5 - half : 0.5)}"
            width="${percent(half)}"
            height="100%"
          />
          <line class="axis" x1="50%" x2="50%" y2="100%" />
        </svg>
      </li>`;
    })}
  </ol>`;
}

function table(drawing: Drawing, { names, moves }: PageComparison): Html {
  const { model } = drawing;
  const where = (lines: readonly number[], log: 0 | 1): Html =>
    html`<div class="where">${linesLink(drawing, lines, { log })}</div>`;
  return numberTable({
    name: say(model, 'compare.title'),
    caption: say(model, 'compare.caption'),
    columns: [say(model, 'compare.what'), ...names.map(shortName), say(model, 'compare.share')],
    rows: moves.map(
      ({ label, a, b, lines, hasMoved, share }) =>
        html`<tr class="${hasMoved ? 'moved' : ''}">
          <th scope="row">
            ${titled(label)}
            ${!hasMoved && html`<span class="tag">${say(model, 'compare.same')}</span>`}
          </th>
          <td>${amount(a)} ${where(lines[0], 0)}</td>
          <td>${amount(b)} ${where(lines[1], 1)}</td>
          <td>${hasMoved ? amount(share) : '–'}</td>
        </tr>`,
    ),
  });
}

function predictionView(drawing: Drawing, prediction: PagePrediction): Html {
  const { sentence, advice, rows } = prediction;
  return html`<div class="prediction">
    <p class="sentence">${prose(sentence)}</p>
    ${advice && actionView(drawing, advice)}
    ${rows.some(({ isPossible }) => isPossible) && fractionTable(drawing, prediction)}
  </div>`;
}
