/** What every part of the page draws with: texts, line links, icons, numbers of SVG. */
import type { PageModel, PagePart, PageTone } from '../../core/report/pageModel';
import type { PageTextId } from '../../wording/pageText';
import type { Html } from '../html';
import { html } from '../html';

/** The model and how it is drawn: `isStatic` for a file without scripts. */
export interface Drawing {
  readonly model: PageModel;
  readonly isStatic: boolean;
  /** 0-based rank whose waterfall is shown. */
  readonly rank: number;
}

/** One of the page's own words, with its gaps filled. */
export function say(
  { texts }: Pick<PageModel, 'texts'>,
  id: PageTextId,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return (texts[id] ?? '').replace(/\{(\w+)\}/g, (gap, name: string) =>
    String(values[name] ?? gap),
  );
}

const mostLines = 3;

/** `line 37`, `lines 18, 28, 38 …`. */
export function linesText({ model }: Drawing, lines: readonly number[]): string {
  const [only] = lines;
  if (lines.length <= 1) {
    return only === undefined ? '' : say(model, 'line.one', { line: only });
  }
  const shown = lines.slice(0, mostLines).join(', ');
  return say(model, 'line.many', { lines: lines.length > mostLines ? `${shown} …` : shown });
}

/** A link to lines of the log; plain text where there is no log to show. */
export function linesLink(
  drawing: Drawing,
  lines: readonly number[],
  { text = linesText(drawing, lines), log }: LineLinkOptions = {},
): Html | undefined {
  if (lines.length === 0) {
    return undefined;
  }
  return canReveal(drawing, log)
    ? html`<button type="button" class="link" ${revealing(lines, log)}>${text}</button>`
    : html`<span class="quiet">${text}</span>`;
}

/** What a link says in place of its lines, and which log of a comparison it is of. */
interface LineLinkOptions {
  readonly text?: string | undefined;
  readonly log?: 0 | 1;
}

/** True where lines can be shown: of the log, or of one of the two that are compared. */
export function canReveal({ model, isStatic }: Drawing, log?: 0 | 1): boolean {
  const hasLog =
    log === undefined ? model.hasLog : (model.comparison?.starts[log] ?? null) !== null;
  return hasLog && !isStatic;
}

/** The attributes by which a click shows lines, of one of two logs where they are compared. */
export function revealing(lines: readonly number[], log?: 0 | 1): Html {
  return html`data-reveal="${lines.join(' ')}" ${log !== undefined && html`data-log="${log}"`}`;
}

/** Parts of a formula, those with lines as links. */
export function partsOf(drawing: Drawing, parts: readonly PagePart[]): Html[] {
  return parts.map(({ text, lines }) =>
    lines.length > 0 && canReveal(drawing)
      ? html`<button
          type="button"
          class="link value"
          ${revealing(lines)}
          title="${linesText(drawing, lines)}"
        >
          ${text}
        </button>`
      : html`<span>${text}</span>`,
  );
}

/** A number as SVG and CSS write it. */
export function number(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** A share as a percentage of the width. */
export function percent(share: number): string {
  return `${number(Math.min(1, Math.max(0, share)) * 100)}%`;
}

const iconPaths: Readonly<Record<PageTone, string>> = {
  good: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm3.4 5.1-4 4.6a.75.75 0 0 1-1.1 0L4.5 8.8l1-1 1.3 1.3 3.5-4z',
  bad: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm2.8 8.7-1.1 1.1L8 9.1l-1.7 1.7-1.1-1.1L6.9 8 5.2 6.3l1.1-1.1L8 6.9l1.7-1.7 1.1 1.1L9.1 8z',
  warning: 'M8 1.2.9 14.2h14.2zM8.8 12H7.2v-1.6h1.6zm0-3H7.2V5.6h1.6z',
  neutral: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm.8 10.5H7.2V7h1.6zm0-5.7H7.2V4.2h1.6z',
};

/** The sign of a tone; the word beside it says the same. */
export function toneIcon(tone: PageTone): Html {
  return html`<svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
    <path fill="currentColor" fill-rule="evenodd" d="${iconPaths[tone]}" />
  </svg>`;
}

/** A section with a heading that names it. */
export function section(
  id: string,
  title: string,
  content: Html | readonly Html[],
  className = '',
): Html {
  return html`<section class="part ${className}" id="part-${id}" aria-labelledby="title-${id}">
    <h2 id="title-${id}">${title}</h2>
    ${content}
  </section>`;
}

/** What is not broken at the end of a line: a flag with its value, an amount with its unit. */
const wholePattern =
  /(--[a-z][\w-]*(?: [\d.]+)?|(?:≈ )?-?\d[\d.,…-]* (?:[KMG]i?B|B\/token|tokens?|requests?)(?![\w/]))/;

/** Running text whose flags and amounts stay whole. */
export function prose(text: string): Html[] {
  return text
    .split(wholePattern)
    .map((piece, at) =>
      at % 2 === 1 ? html`<span class="whole">${piece}</span>` : html`${piece}`,
    );
}

/** Letters of a name on a button or above a column; the heading of the page has all of it. */
const longestName = 32;

/** The beginning and the end of a long name: what tells one log from another stands at either. */
export function shortName(name: string): string {
  const letters = Array.from(name);
  const half = Math.floor((longestName - 1) / 2);
  return letters.length <= longestName
    ? name
    : `${letters.slice(0, half).join('')}…${letters.slice(-half).join('')}`;
}

/** The first letter of a label as a capital; names in formulas stay. */
export function titled(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
