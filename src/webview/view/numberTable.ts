/** A table of numbers that scrolls by itself where it is wider than the page. */
import type { Html } from '../html';
import { html } from '../html';

export interface NumberTable {
  /** What the frame is called for those who do not see it. */
  readonly name: string;
  readonly caption: string;
  readonly columns: readonly string[];
  /** Rows of the body; the first cell of each is its heading. */
  readonly rows: readonly Html[];
}

/** Draws the frame and the head around the rows. */
export function numberTable({ name, caption, columns, rows }: NumberTable): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${name}">
    <table class="numbers">
      <caption class="sr">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(column => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}
