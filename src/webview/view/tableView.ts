/** Tables of the page: other fractions, the five meanings of the fraction, the receipt. */
import type { PageMark, PageReceipt, PageRow, PageRun } from '../../core/report/pageModel';
import type { Html } from '../html';
import { html } from '../html';
import { amount } from './amount';
import type { Drawing } from './drawing';
import { numberTable } from './numberTable';
import { linesLink, prose, say, section, titled } from './drawing';

/** What other fractions give, with the marked rows. */
export function fractionTable(
  drawing: Drawing,
  { rows, hasWindow = false }: Pick<PageRun, 'rows' | 'hasWindow'>,
): Html {
  const { model } = drawing;
  const hasRequests = rows.some(({ requests }) => requests !== '?');
  const columns = [
    say(model, 'table.fraction'),
    say(model, hasWindow ? 'table.pools' : 'table.pool'),
    say(model, 'table.tokens'),
    ...(hasRequests ? [say(model, 'table.requests')] : []),
    say(model, 'table.left'),
  ];
  return numberTable({
    name: say(model, 'table.title'),
    caption: say(model, 'table.caption'),
    columns,
    rows: rows.map(row =>
      isBound(row) ? boundRow(drawing, row, columns.length) : valueRow(drawing, row, hasRequests),
    ),
  });
}

function isBound({ marks }: PageRow): boolean {
  return marks.includes('floor') || marks.includes('ceiling');
}

function boundRow({ model }: Drawing, { fraction, marks }: PageRow, columns: number): Html {
  const mark = marks.includes('floor') ? 'floor' : 'ceiling';
  return html`<tr class="bound ${mark}">
    <th scope="row">${amount(fraction)}</th>
    <td colspan="${columns - 1}">${say(model, `table.${mark}`)}</td>
  </tr>`;
}

function valueRow({ model }: Drawing, row: PageRow, hasRequests: boolean): Html {
  const { fraction, pool, tokens, requests, left, marks, isPossible } = row;
  return html`<tr class="${marks.join(' ')} ${isPossible ? '' : 'impossible'}">
    <th scope="row">
      ${amount(fraction)} ${marks.map(mark => tag(say(model, `mark.${mark}`), mark))}
      ${!isPossible && tag(say(model, 'table.no-pool'), 'none')}
    </th>
    <td>${amount(pool)}</td>
    <td>${isPossible || tokens !== '?' ? amount(tokens, 'tokens') : '–'}</td>
    ${hasRequests && html`<td>${isPossible ? amount(requests, 'requests') : '–'}</td>`}
    <td>${isPossible ? amount(left) : '–'}</td>
  </tr>`;
}

function tag(text: string, mark: PageMark | 'none'): Html {
  return html`<span class="tag tag-${mark}">${text}</span>`;
}

/** The section with the table; undefined where nothing can be known. */
export function tableView(drawing: Drawing, run: PageRun): Html | undefined {
  return run.rows.length === 0
    ? undefined
    : section('table', say(drawing.model, 'table.title'), fractionTable(drawing, run));
}

/** Claimed, in effect, implied, minimum, maximum: those that are known. */
export function fractionsView(drawing: Drawing, { fractions }: PageRun): Html | undefined {
  const { model } = drawing;
  return fractions.length === 0
    ? undefined
    : section(
        'fractions',
        say(model, 'fractions.title'),
        html`<table class="pairs">
          <caption class="sr">
            ${say(model, 'fractions.caption')}
          </caption>
          <thead class="sr">
            <tr>
              <th scope="col">${say(model, 'fractions.what')}</th>
              <th scope="col">${say(model, 'fractions.value')}</th>
              <th scope="col">${say(model, 'fractions.where')}</th>
            </tr>
          </thead>
          <tbody>
            ${fractions.map(
              ({ label, text, lines }) =>
                html`<tr>
                  <th scope="row">${titled(label)}</th>
                  <td class="amount">${text}</td>
                  <td>${linesLink(drawing, lines)}</td>
                </tr>`,
            )}
          </tbody>
        </table>`,
      );
}

/** The factors of bytes per token; undefined where they are not known. */
export function receiptView(drawing: Drawing, { receipt }: PageRun): Html | undefined {
  return (
    receipt &&
    section('receipt', say(drawing.model, 'receipt.title'), receiptTable(drawing, receipt))
  );
}

function receiptTable({ model }: Drawing, { sentence, lines }: PageReceipt): Html {
  return html`<p>${prose(sentence)}</p>
    <table class="pairs receipt">
      <caption class="sr">
        ${say(model, 'receipt.caption')}
      </caption>
      <thead>
        <tr>
          <th scope="col">${say(model, 'receipt.factor')}</th>
          <th scope="col" class="right">${say(model, 'receipt.value')}</th>
          <th scope="col">${say(model, 'receipt.from')}</th>
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          ({ label, text, from, isResult }) =>
            html`<tr class="${isResult ? 'result' : ''}">
              <th scope="row">${titled(label)}</th>
              <td class="amount right">${text}</td>
              <td>${from.join(', ')}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}
