/**
 * The one door for foreign text (logs, Python, configs) to a screen. Control and direction
 * characters go, length is bounded, and nothing in it can act as markup.
 */

/** Where the text will be shown. */
export type EscapeTarget = 'plain' | 'markdown' | 'html';

const longest = 400;

/** C0 and C1 controls, and the characters that reorder or hide text. */
const invisible = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

const markup = /[\\`*_{}[\]()<>#+\-.!|~$&:@]/g;

/** `text` made harmless for the target; cut with an ellipsis beyond 400 characters. */
export function escapeForeign(text: string, target: EscapeTarget): string {
  const visible = text.replace(invisible, ' ');
  const short = visible.length > longest ? `${visible.slice(0, longest)}…` : visible;
  switch (target) {
    case 'plain':
      return short;
    case 'markdown':
      return short.replace(markup, character => `&#${character.charCodeAt(0)};`);
    case 'html':
      return escapeHtml(short);
  }
}

/** `text` as text of an HTML element or of an attribute in quotes: nothing in it acts as markup. */
export function escapeHtml(text: string): string {
  return text
    .replace(invisible, ' ')
    .replace(/[&<>"'`]/g, character => `&#${character.charCodeAt(0)};`);
}
