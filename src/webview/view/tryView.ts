/**
 * The frame of what-if: slider with floor, ceiling and marked values, fields, places for what comes
 * out. Leaves out the answers: live/tryPanel.ts fills them in.
 */
import type { PageRun, PageWhatIf } from '../../core/report/pageModel';
import type { PageTextId } from '../../wording/pageText';
import type { Html } from '../html';
import { html } from '../html';
import type { Drawing } from './drawing';
import { hatch } from './hatch';
import { number, percent, say, section } from './drawing';

/** The range of the slider, in fractions. */
export interface SliderRange {
  readonly least: number;
  readonly most: number;
}

/** From a little below what matters to just below 1. */
export function sliderRange({ minimum, current, offered, fraction }: PageWhatIf): SliderRange {
  const lowest = Math.min(...[minimum, current, offered, fraction].flatMap(value => value ?? []));
  return { least: Math.max(0.01, Math.floor((lowest - 0.03) * 20) / 20), most: 0.99 };
}

/** The section; a saved file has none, nor has a run that cannot be changed. */
export function tryView(drawing: Drawing, { whatIf, hasWindow }: PageRun): Html | undefined {
  return whatIf === undefined || drawing.isStatic
    ? undefined
    : section('try', say(drawing.model, 'try.title'), frame(drawing, whatIf, hasWindow));
}

function frame(drawing: Drawing, whatIf: PageWhatIf, hasWindow = false): Html {
  const { model } = drawing;
  const { least, most } = sliderRange(whatIf);
  return html`<div class="try">
    <div class="try-main">
      <div class="slider-head">
        <label for="slider">${say(model, 'try.slider')}</label>
        <output id="out-fraction" for="slider" class="slider-value"></output>
      </div>
      <div class="slider-box">
        ${scale(drawing, whatIf)}
        <input
          id="slider"
          type="range"
          min="${number(least)}"
          max="${number(most)}"
          step="0.001"
          value="${number(whatIf.fraction)}"
        />
      </div>
      <dl class="tiles answer" aria-label="${say(model, 'try.result')}">
        ${out(drawing, 'tokens', 'try.tokens')}
        ${out(drawing, 'pool', hasWindow ? 'table.pools' : 'try.pool')}
        ${whatIf.context !== undefined && out(drawing, 'requests', 'try.requests')}
        ${out(drawing, 'left', 'try.left')}
      </dl>
      <p id="out-note" class="note"></p>
      <dl id="out-moves" class="facts" aria-label="${say(model, 'try.also')}"></dl>
      <div class="flag">
        <code id="out-flag"></code>
        <vscode-button data-act="copyTried">${say(model, 'tool.copy-launch')}</vscode-button>
      </div>
      <p id="out-spoken" class="sr" role="status" aria-live="polite"></p>
    </div>
    <div class="fields" role="group" aria-label="${say(model, 'try.title')}">
      ${field(drawing, 'fraction', 'try.fraction', '')}
      ${field(drawing, 'tokens', 'try.tokens', '', say(model, 'try.tokens-hint'))}
      ${field(drawing, 'total', 'try.total', 'GiB')}
      ${field(drawing, 'available', 'try.available', 'GiB')}
      ${field(drawing, 'cell', 'try.cell', 'B/token')}
      <vscode-button secondary data-act="reset">${say(model, 'try.reset')}</vscode-button>
    </div>
  </div>`;
}

function out({ model }: Drawing, id: string, label: PageTextId): Html {
  return html`<div class="tile">
    <dt>${say(model, label)}</dt>
    <dd id="out-${id}"></dd>
  </div>`;
}

function field(
  { model }: Drawing,
  id: string,
  label: PageTextId,
  unit: string,
  placeholder = '',
): Html {
  const text = say(model, label);
  return html`<div class="field">
    <span class="field-label" aria-hidden="true">${text}</span>
    <span class="field-box">
      <vscode-textfield
        id="in-${id}"
        data-label="${unit === '' ? text : `${text} (${unit})`}"
        placeholder="${placeholder}"
      ></vscode-textfield>
      <span class="unit" aria-hidden="true">${unit}</span>
    </span>
    <span class="field-error" id="error-${id}" role="alert"></span>
  </div>`;
}

/** Floor and ceiling as zones, current and offered value as marks, all over the slider. */
function scale({ model }: Drawing, whatIf: PageWhatIf): Html {
  const range = sliderRange(whatIf);
  const place = (value: number): number => (value - range.least) / (range.most - range.least);
  const { minimum, maximum, current, offered } = whatIf;
  const floor = minimum === undefined ? 0 : place(minimum);
  const ceiling = maximum === undefined ? 1 : place(maximum);
  const marks = [
    ...(current === undefined ? [] : [{ at: current, id: 'current' as const }]),
    ...(offered === undefined || offered === current
      ? []
      : [{ at: offered, id: 'offered' as const }]),
  ].sort((a, b) => a.at - b.at);
  return html`<svg class="scale ${marks.length === 0 ? 'bare' : ''}" aria-hidden="true">
    ${hatch('hatch-bad', 'hatch-bad')}
    <svg class="labels" y="0" height="16">
      ${
        minimum !== undefined &&
        mark(floor, 12, say(model, 'mark.floor'), floor > 0.12 ? 'end' : 'start', 'quiet-text')
      }
      ${
        maximum !== undefined &&
        maximum < range.most &&
        mark(ceiling, 12, say(model, 'mark.ceiling'), ceiling > 0.9 ? 'end' : 'start', 'quiet-text')
      }
    </svg>
    <svg y="18" height="10">
      <rect class="zone-free" width="100%" height="100%" />
      <rect class="zone-floor" width="${percent(floor)}" height="100%" />
      <rect
        class="zone-ceiling"
        x="${percent(ceiling)}"
        width="${percent(1 - ceiling)}"
        height="100%"
      />
    </svg>
    <svg y="29" height="7">
      ${marks.map(
        ({ at }) =>
          html`<line
            class="tick"
            x1="${percent(place(at))}"
            x2="${percent(place(at))}"
            y2="100%"
          />`,
      )}
    </svg>
    <svg class="labels" y="37" height="18">
      ${marks.map(({ at, id }, index) =>
        mark(
          place(at),
          12,
          `${say(model, `mark.${id}`)} ${number(at)}`,
          anchorOf(
            index,
            marks.map(each => place(each.at)),
          ),
          `mark-text-${id} lean-${place(at) < 0.4 ? 'start' : place(at) > 0.6 ? 'end' : 'middle'}`,
        ),
      )}
    </svg>
  </svg>`;
}

/** Share of a narrow scale that the two labels of marks take together. */
const labelsWidth = 0.6;

/**
 * Two labels lean away from each other where they would touch, else into the picture; one alone
 * leans into the picture. Places are shares of the scale.
 */
function anchorOf(
  index: number,
  [first = 0, second]: readonly number[],
): 'start' | 'middle' | 'end' {
  if (second === undefined) {
    return first < 0.15 ? 'start' : first > 0.85 ? 'end' : 'middle';
  }
  if (index === 0) {
    return first < 0.2 ? 'start' : 'end';
  }
  return second > 0.75 || second - first > labelsWidth ? 'end' : 'start';
}

function mark(
  at: number,
  y: number,
  text: string,
  anchor: 'start' | 'middle' | 'end',
  className: string,
): Html {
  return html`<text class="${className}" x="${percent(at)}" y="${y}" text-anchor="${anchor}"
    >${text}</text
  >`;
}
