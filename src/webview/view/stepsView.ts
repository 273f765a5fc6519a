/** How the budget was calculated, and what that rests on. */
import type { PageRun, PageStep } from '../../core/report/pageModel';
import type { Html } from '../html';
import { html } from '../html';
import type { Drawing } from './drawing';
import { linesLink, partsOf, prose, say, section, titled } from './drawing';

/** Each step with names, with values, what it comes to; its sources fold out. */
export function stepsView(drawing: Drawing, { steps }: PageRun): Html | undefined {
  const { model } = drawing;
  return steps.length === 0
    ? undefined
    : section(
        'steps',
        say(model, 'steps.title'),
        html`<p class="quiet">${say(model, 'steps.legend')}</p>
          <div class="steps">${steps.map(step => stepView(drawing, step))}</div>`,
      );
}

function stepView(drawing: Drawing, step: PageStep): Html {
  const { symbol, name, formula, values, result, sources } = step;
  const lines = [...new Set(sources.flatMap(source => source.lines))].sort((a, b) => a - b);
  const others = sources.filter(source => source.text !== '').map(source => source.text);
  return html`<div class="step">
    ${name !== '' && html`<h3>${titled(name)}</h3>`}
    <div class="formula">
      <div>
        <span class="symbol">${symbol}</span> =
        ${partsOf(
          drawing,
          formula.map(part => ({ ...part, lines: [] })),
        )}
      </div>
      <div class="indent">= ${partsOf(drawing, values)}</div>
      <div class="indent comes-to">${/^[≈≥≤]/.test(result) ? '' : '= '}${result}</div>
    </div>
    ${
      (lines.length > 0 || others.length > 0) &&
      html`<details ${drawing.isStatic ? html`open` : undefined}>
        <summary>${say(drawing.model, 'steps.sources')}</summary>
        <ul class="sources">
          ${lines.map(line => html`<li>${linesLink(drawing, [line])}</li>`)}
          ${others.map(text => html`<li>${text}</li>`)}
        </ul>
      </details>`
    }
  </div>`;
}

/** The assumptions behind what is shown. */
export function assumptionsView(
  { model }: Drawing,
  { assumptions, steps }: PageRun,
): Html | undefined {
  if (steps.length === 0 && assumptions.length === 0) {
    return undefined;
  }
  return section(
    'rests',
    say(model, 'rests.title'),
    assumptions.length === 0
      ? html`<p>${say(model, 'rests.printed')}</p>`
      : html`<p>${say(model, 'rests.assumed')}</p>
          <ul class="plain">
            ${assumptions.map(text => html`<li>${prose(text)}</li>`)}
          </ul>`,
  );
}
