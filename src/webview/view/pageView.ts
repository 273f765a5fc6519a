/** The page from its model: the order of its parts. Nothing here needs a document. */
import type { PageModel } from '../../core/report/pageModel';
import type { Html } from '../html';
import { html } from '../html';
import { comparisonView } from './comparisonView';
import { coursesView } from './courseView';
import type { Drawing } from './drawing';
import { say } from './drawing';
import { figuresView, problemsView, topView, verdictView } from './headlineView';
import { memoryView } from './memoryView';
import { missingView } from './missingView';
import { assumptionsView, stepsView } from './stepsView';
import { fractionsView, receiptView, tableView } from './tableView';
import { tryView } from './tryView';

/** The content of the body. */
export function pageView(drawing: Drawing): Html {
  const { model, isStatic } = drawing;
  return html`<div class="page">
    ${topView(drawing)}
    <main>
      ${model.notice !== undefined && noticeView(model, model.notice)} ${content(drawing)}
    </main>
    ${isStatic && html`<footer class="quiet">${say(model, 'page.saved')}</footer>`}
  </div>`;
}

function noticeView(model: PageModel, notice: string): Html {
  const readOn = html`<vscode-button secondary data-act="readOn"
    >${say(model, 'tool.read-on')}</vscode-button
  >`;
  return html`<div class="notice">
    <p role="status">${notice}</p>
    ${
      model.isPartial === true &&
      html`<div id="reading" class="reading">${model.isStopped === true && readOn}</div>`
    }
  </div>`;
}

function content(drawing: Drawing): Html | undefined {
  const { model } = drawing;
  const { run, comparison } = model;
  if (comparison !== undefined) {
    return comparisonView(drawing, comparison);
  }
  return run === undefined
    ? html`<p class="empty">${say(model, 'page.empty')}</p>`
    : html`${verdictView(drawing, run)} ${figuresView(drawing, run.figures)}
      ${problemsView(drawing, run)} ${memoryView(drawing, run)} ${tryView(drawing, run)}
      ${tableView(drawing, run)} ${fractionsView(drawing, run)} ${receiptView(drawing, run)}
      ${coursesView(drawing, run)} ${stepsView(drawing, run)}
      ${model.isPartial !== true && missingView(drawing, run)} ${assumptionsView(drawing, run)}`;
}

/** The rank that is shown at first: the one that decides. */
export function firstRank({ run }: PageModel): number {
  const ranks = run?.ranks.filter(({ blocks }) => blocks.length > 0) ?? [];
  return Math.max(
    0,
    ranks.findIndex(({ isBinding }) => isBinding),
  );
}
