/** The top of the page: what it is of, what can be done with it, the verdict and the one thing to do. */
import type { PageAction, PageFigure, PageHeadline, PageRun } from '../../core/report/pageModel';
import type { Html } from '../html';
import { html } from '../html';
import { amount } from './amount';
import type { Drawing } from './drawing';
import { linesLink, prose, revealing, say, section, shortName, titled, toneIcon } from './drawing';

/** Title, run picker, buttons. A saved file has the title alone. */
export function topView(drawing: Drawing): Html {
  const { model, isStatic } = drawing;
  return html`<header class="top">
    <div class="titles">
      <h1>${model.title}</h1>
      ${model.subtitle !== '' && html`<p class="quiet">${model.subtitle}</p>`}
    </div>
    ${!isStatic && toolbar(drawing)}
  </header>`;
}

/** While the rest of the log is read, nothing is offered that is of all of it. */
function toolbar({ model }: Drawing): Html {
  const button = (act: string, text: string): Html =>
    html`<vscode-button secondary data-act="${act}">${text}</vscode-button>`;
  const isWhole = model.isPartial !== true;
  const isRun = model.hasLog && model.run !== undefined;
  return html`<div class="tools" role="group" aria-label="${say(model, 'tool.label')}">
    ${model.choices.length > 1 && runPicker(model)}
    ${model.hasLog && button('openLog', say(model, 'tool.open-log'))} ${openLogs(model)}
    ${isWhole && isRun && button('compare', say(model, 'tool.compare'))}
    ${isWhole && button('copyMarkdown', say(model, 'tool.copy-markdown'))}
    ${isWhole && button('saveHtml', say(model, 'tool.save-html'))}
  </div>`;
}

/** Either log of a comparison, at the start of its run. */
function openLogs(model: Drawing['model']): Html[] {
  const { comparison } = model;
  return ([0, 1] as const).flatMap(log => {
    const line = comparison?.starts[log] ?? null;
    return comparison === undefined || line === null
      ? []
      : [
          html`<vscode-button secondary ${revealing([line], log)}
            >${say(model, 'tool.open-named', { name: shortName(comparison.names[log]) })}</vscode-button
          >`,
        ];
  });
}

function runPicker(model: Drawing['model']): Html {
  return html`<vscode-single-select data-act="showRun" label="${say(model, 'tool.run')}">
    ${model.choices.map(
      ({ label, detail }, at) =>
        html`<vscode-option
          value="${at}"
          description="${detail}"
          ${at === model.chosen ? html`selected` : undefined}
          >${label}</vscode-option
        >`,
    )}
  </vscode-single-select>`;
}

/** The verdict, what to do, who the server is. */
export function verdictView(drawing: Drawing, { headline, action, facts }: PageRun): Html {
  return html`<section class="verdict ${headline.tone}" aria-labelledby="title-verdict">
    ${headlineView(drawing, headline)} ${action && actionView(drawing, action)}
    ${facts.length > 0 && factsView(drawing, facts)}
  </section>`;
}

/** Word, sentence and lines of a verdict. */
export function headlineView(drawing: Drawing, headline: PageHeadline): Html {
  return html`<h2 id="title-verdict" class="verdict-word">
      ${toneIcon(headline.tone)}
      <span>${prose(titled(headline.verdict))} ${linesLink(drawing, headline.lines)}</span>
    </h2>
    ${headline.sentence !== '' && html`<p class="sentence">${prose(headline.sentence)}</p>`}`;
}

/** The one thing to do, with the flag to copy. */
export function actionView(drawing: Drawing, { sentence, flag }: PageAction): Html {
  const { model, isStatic } = drawing;
  return html`<div class="action">
    <h3>${say(model, 'head.do')}</h3>
    <p>${prose(sentence)}</p>
    ${
      flag !== undefined &&
      html`<div class="flag">
        <code>${flag}</code>
        ${
          !isStatic &&
          html`<vscode-button data-act="copyFlag" data-flag="${flag}"
            >${say(model, 'tool.copy-launch')}</vscode-button
          >`
        }
      </div>`
    }
  </div>`;
}

function factsView({ model }: Drawing, facts: readonly PageFigure[]): Html {
  return html`<dl class="facts" aria-label="${say(model, 'head.about')}">
    ${facts.map(
      ({ label, text }) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${text}</dd>
        </div>`,
    )}
  </dl>`;
}

/** The few numbers that people look for first. */
export function figuresView(drawing: Drawing, figures: readonly PageFigure[]): Html | undefined {
  return figures.length === 0
    ? undefined
    : html`<section aria-label="${say(drawing.model, 'head.figures')}">
        <dl class="tiles">${figures.map(figure => tile(drawing, figure))}</dl>
      </section>`;
}

function tile(drawing: Drawing, { label, text, lines }: PageFigure): Html {
  return html`<div class="tile">
    <dt>${titled(label)}</dt>
    <dd>
      ${amount(text)}
      <div class="where">${linesLink(drawing, lines)}</div>
    </dd>
  </div>`;
}

/** Problems that the verdict does not say. */
export function problemsView(drawing: Drawing, { problems }: PageRun): Html | undefined {
  const { model } = drawing;
  if (problems.length === 0) {
    return undefined;
  }
  const tones = { error: 'bad', warning: 'warning', information: 'neutral' } as const;
  return section(
    'problems',
    say(model, 'head.problems'),
    html`<ul class="problems">
      ${problems.map(
        ({ severity, text, line, flag }) =>
          html`<li class="${tones[severity]}">
            ${toneIcon(tones[severity])}
            <div>
              <span class="sr">${say(model, `severity.${severity}`)}: </span>${prose(text)}
              ${linesLink(drawing, [line])}
              ${flag !== undefined && html`<div class="flag"><code>${flag}</code></div>`}
            </div>
          </li>`,
      )}
    </ul>`,
  );
}
