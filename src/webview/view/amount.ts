/** How a rendered amount is set: the number first, its unit and how far off it may be more quietly. */
import type { Html } from '../html';
import { html } from '../html';

/** `≈ 187,897 tokens (±10)`: about, number, unit, spread. */
const amountPattern = /^([≈≥≤] )?([^A-Za-z(]*[^\sA-Za-z(])(?: ([A-Za-z/]+))?(?: (\(.*\)))?$/;

/**
 * A number with its unit set smaller, and how far the truth may be from it. `known` is a unit that
 * the heading of a column says already.
 */
export function amount(text: string, known?: string): Html {
  const match = amountPattern.exec(text);
  if (!match) {
    return html`<span class="amount">${text}</span>`;
  }
  const [, about, value, unit, spread] = match;
  const isSaid = unit === undefined || unit === known;
  const [low = '', high] = value?.split('…') ?? [];
  // Where there is no room for both bounds beside each other, they stand under each other.
  const shown = high === undefined ? html`${value}` : html`${low}…<wbr />${high}`;
  return html`<span class="amount ${value?.includes('…') ? 'range' : ''}"
      >${about}${shown}${!isSaid && html` <span class="unit">${unit}</span>`}</span
    >${spread !== undefined && html` <span class="spread">${spread}</span>`}`;
}
