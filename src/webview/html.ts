/**
 * HTML as a value. Whatever is put into the template is escaped unless it is HTML itself, so text of
 * a log cannot become markup. Attributes are always written in double quotes.
 */
import { escapeHtml } from '../core/message/escape';

/** A piece of HTML that is safe to draw. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template; nothing is drawn for undefined and false. */
export type HtmlValue = string | number | Html | readonly Html[] | undefined | false;

/** The tag of templates. */
export function html(pieces: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(
    pieces.map((piece, at) => (at === 0 ? '' : drawn(values[at - 1])) + piece).join(''),
  );
}

function drawn(value: HtmlValue): string {
  if (value === undefined || value === false) {
    return '';
  }
  if (value instanceof Html) {
    return value.text;
  }
  return typeof value === 'object'
    ? value.map(part => part.text).join('')
    : escapeHtml(String(value));
}
