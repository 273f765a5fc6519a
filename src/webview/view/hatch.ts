/** A hatched fill, for what no colour stands for. */
import type { Html } from '../html';
import { html } from '../html';

/** The pattern that `fill: url('#<id>')` refers to; `className` colours its lines. */
export function hatch(id: string, className: string): Html {
  return html`<defs>
    <pattern
      id="${id}"
      width="6"
      height="6"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <rect class="hatch-ground" width="6" height="6" />
      <rect class="${className}" width="2" height="6" />
    </pattern>
  </defs>`;
}
