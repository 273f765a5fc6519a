/**
 * Serving over time as drawings that need no script: mean as a line, least to greatest as a band,
 * retractions as marks. In the editor a chart takes their place (live/courseChart.ts).
 */
import type { PageChannel, PageCourse, PageRun } from '../../core/report/pageModel';
import type { Html } from '../html';
import { html } from '../html';
import { amount } from './amount';
import type { Drawing } from './drawing';
import { linesLink, number, prose, say, section, titled } from './drawing';
import { numberTable } from './numberTable';

/** Measures that share a chart. */
const chartGroups: readonly (readonly string[])[] = [
  ['usage', 'swaUsage', 'stateUsage'],
  ['generationThroughput', 'inputThroughput'],
  ['running', 'queue'],
  ['acceptLength'],
];

/** The charts of a course: those whose measures it has. */
export function chartsOf({ channels }: PageCourse): readonly (readonly PageChannel[])[] {
  return chartGroups
    .map(ids => ids.flatMap(id => channels.filter(channel => channel.id === id)))
    .filter(group => group.length > 0);
}

/** The section; undefined where no serving line was read. */
export function coursesView(drawing: Drawing, run: PageRun, chosen = 0): Html | undefined {
  const { model } = drawing;
  const { courses, serving } = run;
  const course = courses[chosen] ?? courses[0];
  return course === undefined
    ? undefined
    : section('course', say(model, 'course.title'), [
        ...(serving.length > 0 ? [html`<p class="serving">${prose(serving.join(' '))}</p>`] : []),
        ...(courses.length > 1 ? [courseName(drawing, courses, chosen)] : []),
        html`<div id="course">${courseView(drawing, course)}</div>`,
      ]);
}

/** Which rank the charts are of: to be chosen, or by name in a file. */
function courseName(drawing: Drawing, courses: readonly PageCourse[], chosen: number): Html {
  const { model, isStatic } = drawing;
  if (isStatic) {
    return html`<h3>${say(model, 'memory.of-rank', { rank: courses[chosen]?.rank ?? '' })}</h3>`;
  }
  return html`<p>
    <vscode-single-select data-act="showCourse" label="${say(model, 'course.rank')}">
      ${courses.map(
        ({ rank }, at) =>
          html`<vscode-option value="${at}" ${at === chosen ? html`selected` : undefined}
            >${rank === '' ? say(model, 'memory.one-rank') : rank}</vscode-option
          >`,
      )}
    </vscode-single-select>
  </p>`;
}

/** Charts of one rank with the table that says the same. */
export function courseView(drawing: Drawing, course: PageCourse): Html {
  const { model } = drawing;
  return html`${isCourse(course) && charts(drawing, course)} ${retractions(drawing, course)}
  ${numberTable({
    name: say(model, 'course.caption'),
    caption: say(model, 'course.caption'),
    columns: (['what', 'min', 'mean', 'max'] as const).map(id => say(model, `course.${id}`)),
    rows: course.channels.map(
      ({ label, summary, line }) =>
        html`<tr>
          <th scope="row">${titled(label)}</th>
          <td>${amount(summary[0])}</td>
          <td>${amount(summary[1])}</td>
          <td>${amount(summary[2])} ${linesLink(drawing, [line])}</td>
        </tr>`,
    ),
  })}`;
}

/** Samples of one moment have no course: the table says all of it. */
function isCourse({ at }: PageCourse): boolean {
  return at.some(moment => moment !== at[0]);
}

function charts(drawing: Drawing, course: PageCourse): Html {
  return html`<div class="charts">
      ${chartsOf(course).map((group, at) => chart(drawing, course, group, at))}
    </div>
    <p class="quiet note">${say(drawing.model, `course.axis-${course.axis}`)}</p>`;
}

function chart(
  { model }: Drawing,
  course: PageCourse,
  group: readonly PageChannel[],
  at: number,
): Html {
  const names = group.map(({ label }) => titled(label)).join(', ');
  return html`<figure class="chart-box">
    <figcaption>
      ${group.map(
        ({ label, unit }, index) =>
          html`<span class="legend legend-${index}"
            >${titled(label)}${unit.includes('/') ? `, ${unit}` : ''}</span
          >`,
      )}
      ${
        at === 0 &&
        course.retractions.length > 0 &&
        html`<span class="legend legend-retraction">${say(model, 'course.retractions')}</span>`
      }
    </figcaption>
    <div
      class="chart"
      data-chart="${at}"
      role="img"
      aria-label="${say(model, 'course.chart', { what: names })}"
    >
      ${drawnChart(course, group)}
    </div>
  </figure>`;
}

const chartWidth = 800;
const chartHeight = 140;

function drawnChart(course: PageCourse, group: readonly PageChannel[]): Html {
  const [first = 0] = course.at;
  const last = course.at.at(-1) ?? first;
  const top = Math.max(1e-9, ...group.flatMap(({ max }) => max.map(value => value ?? 0)));
  const x = (at: number): string =>
    number(last === first ? 0 : ((at - first) / (last - first)) * chartWidth);
  const y = (value: number): string => number(chartHeight - (value / top) * (chartHeight - 8));
  const path = (values: readonly (number | null)[]): string =>
    course.at
      .flatMap((at, index) => {
        const value = values[index];
        return value === null || value === undefined ? [] : [`${x(at)},${y(value)}`];
      })
      .join(' ');
  return html`<svg
    viewBox="0 0 ${chartWidth} ${chartHeight}"
    preserveAspectRatio="none"
    class="drawn"
    aria-hidden="true"
  >
    ${course.retractions.map(
      ({ at }) => html`<line class="retraction" x1="${x(at)}" x2="${x(at)}" y2="${chartHeight}" />`,
    )}
    ${group.map(
      ({ mean }, index) =>
        html`<polyline
          class="line-${index}"
          points="${path(mean)}"
          vector-effect="non-scaling-stroke"
        />`,
    )}
  </svg>`;
}

const mostRetractions = 12;

/** Where this rank put requests back; how many all ranks did stands above. */
function retractions(drawing: Drawing, { rank, retractions: all }: PageCourse): Html | undefined {
  const { model } = drawing;
  const name = rank === '' ? '' : ` (${rank})`;
  return all.length === 0
    ? undefined
    : html`<p class="retractions">
        ${say(model, 'course.retractions')}${name}:
        ${all.slice(0, mostRetractions).map(({ line, isExact }, at) => {
          const text = isExact ? undefined : say(model, 'line.from', { line });
          return html`${at > 0 && ', '}${linesLink(drawing, [line], { text })}`;
        })}${all.length > mostRetractions && ' …'}
      </p>`;
}
