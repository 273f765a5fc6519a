/**
 * The document of a report page in the editor: its policy and what stands on it before its script
 * runs, which draws the same again and answers. Until then it takes no input, which would be lost. The file of its own is savedPage.
 */
import { escapeHtml } from '../core/message/escape';
import type { PageModel } from '../core/report/pageModel';
import { firstRank, pageView } from './view/pageView';

/** Where the page's own files are, as the editor serves them. */
export interface PageSources {
  readonly script: string;
  readonly style: string;
  /** What the policy calls the place that serves the style sheet. */
  readonly styleSource: string;
  /** A text of random letters and digits, of this document alone. */
  readonly nonce: string;
}

/**
 * A document that shows a model, or a text where nothing else is known yet. Nothing may run on it but
 * our script, and nothing is fetched but our script and style sheet.
 */
export function livePage(shown: PageModel | string, sources: PageSources): string {
  const { script, style, styleSource, nonce } = sources;
  const policy = `default-src 'none'; style-src ${styleSource}; script-src 'nonce-${nonce}'`;
  const isText = typeof shown === 'string';
  const content = isText
    ? `<p class="page">${escapeHtml(shown)}</p>`
    : pageView({ model: shown, isStatic: false, rank: firstRank(shown) }).text;
  return `<!DOCTYPE html>
<html lang="${isText ? 'en' : escapeHtml(shown.locale)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="stylesheet" href="${style}" />
    <title>KV Lens</title>
  </head>
  <body>
    <div id="root" inert>${content}</div>
    <script nonce="${nonce}" src="${script}"></script>
  </body>
</html>`;
}
