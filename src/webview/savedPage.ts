/** A report as one file: no script, nothing fetched, in the reader's light or dark. */
import { escapeHtml } from '../core/message/escape';
import type { PageModel } from '../core/report/pageModel';
import { firstRank, pageView } from './view/pageView';

/** The properties of the editor's themes that the page draws with. */
const light = {
  foreground: '#3b3b3b',
  'editor-background': '#ffffff',
  descriptionForeground: '#5f5f5f',
  'textLink-foreground': '#005fb8',
  'charts-blue': '#1a70d0',
  'charts-green': '#388a34',
  'charts-orange': '#c77710',
  'charts-yellow': '#b68300',
  'charts-purple': '#652d90',
  'charts-red': '#c4262e',
};

const dark: typeof light = {
  foreground: '#cccccc',
  'editor-background': '#1f1f1f',
  descriptionForeground: '#9d9d9d',
  'textLink-foreground': '#4daafc',
  'charts-blue': '#59a4f9',
  'charts-green': '#89d185',
  'charts-orange': '#d18616',
  'charts-yellow': '#cca700',
  'charts-purple': '#b180d7',
  'charts-red': '#f48771',
};

/** The file's text. `css` is the style sheet of the page. */
export function savedPage(model: PageModel, css: string): string {
  const body = pageView({ model, isStatic: true, rank: firstRank(model) }).text;
  return `<!DOCTYPE html>
<html lang="${escapeHtml(model.locale)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(model.title)}</title>
<style>
:root { ${properties(light)} }
@media (prefers-color-scheme: dark) { :root { ${properties(dark)} } }
${css.replaceAll('</', '<\\/')}
</style>
</head>
<body>
${body}
</body>
</html>
`;
}

function properties(theme: typeof light): string {
  return Object.entries(theme)
    .map(([name, value]) => `--vscode-${name}: ${value};`)
    .join(' ');
}
