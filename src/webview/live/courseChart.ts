/** Serving over time as charts that follow the mouse together; a click shows the line of a bucket. */
import uPlot from 'uplot';
import type { PageChannel, PageCourse, PageModel } from '../../core/report/pageModel';
import { chartsOf } from '../view/courseView';
import { linesText, say, titled } from '../view/drawing';
import { colorOf } from './document';

const chartHeight = 150;

/** Measures that are parts of a whole: their axis ends at 1. */
const shares: ReadonlySet<string> = new Set(['usage', 'swaUsage', 'stateUsage']);

/** Steps of a time axis in seconds, as people divide hours and days. */
const timeSteps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
  172_800, 604_800, 2_592_000,
];

/** The top of an axis: a little above the greatest, so that a line does not run along the edge. */
function roomAbove(most: number): number {
  return most > 0 ? most * 1.08 : 1;
}

/** A shorter course has its time in seconds. */
const shortSeconds = 30;
const lineColors = ['--kv-line-0', '--kv-line-1', '--kv-line-2'];

/** Charts of one course in place of its drawings. */
export class CourseCharts {
  readonly #charts: uPlot[] = [];
  readonly #resize: ResizeObserver;

  constructor(
    model: PageModel,
    course: PageCourse,
    places: readonly HTMLElement[],
    onLine: (line: number) => void,
  ) {
    const sync = uPlot.sync('course');
    const groups = chartsOf(course);
    for (const place of places) {
      const group = groups[Number(place.dataset['chart'])];
      if (group !== undefined) {
        place.replaceChildren();
        const chart = new uPlot(
          options(model, course, group, place.clientWidth, sync.key),
          dataOf(course, group),
          place,
        );
        follow(chart, place, index => tipText(model, course, group, index));
        chart.over.addEventListener('click', () => {
          const line = course.lines[chart.cursor.idx ?? -1];
          if (line !== undefined) {
            onLine(line);
          }
        });
        this.#charts.push(chart);
      }
    }
    this.#resize = new ResizeObserver(() => {
      for (const [at, chart] of this.#charts.entries()) {
        const width = places[at]?.clientWidth ?? 0;
        if (width > 0 && width !== chart.width) {
          chart.setSize({ width, height: chartHeight });
        }
      }
    });
    for (const place of places) {
      this.#resize.observe(place);
    }
  }

  dispose(): void {
    this.#resize.disconnect();
    for (const chart of this.#charts) {
      chart.destroy();
    }
  }
}

/** Shows a text beside the mouse while it is over the chart. */
function follow(chart: uPlot, place: HTMLElement, textAt: (index: number) => string): void {
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  place.parentElement?.append(tip);
  const hide = (): void => {
    tip.hidden = true;
  };
  chart.over.addEventListener('mouseleave', hide);
  chart.over.addEventListener('mousemove', ({ offsetX }) => {
    const index = chart.cursor.idx;
    if (index === null || index === undefined) {
      hide();
      return;
    }
    tip.textContent = textAt(index);
    tip.hidden = false;
    // On the side of the mouse that has more room, and within the page.
    const left = chart.over.offsetLeft + offsetX;
    const isRight = left < place.clientWidth / 2;
    const at = isRight ? left + 14 : left - tip.offsetWidth - 14;
    tip.style.left = `${Math.max(0, Math.min(at, place.clientWidth - tip.offsetWidth))}px`;
  });
}

/** When, each mean with its least and greatest, what was retracted, and the line. */
function tipText(
  model: PageModel,
  course: PageCourse,
  group: readonly PageChannel[],
  index: number,
): string {
  const at = course.at[index] ?? 0;
  const write = (value: number): string => written(model, value);
  const amounts = group.flatMap(({ label, unit, mean, min, max }) => {
    const [middle, least, most] = [mean[index], min[index], max[index]];
    if (middle === null || middle === undefined) {
      return [];
    }
    const spread = least !== most ? ` (${write(least ?? 0)}…${write(most ?? 0)})` : '';
    return [`${titled(label)}: ${write(middle)}${spread}${unit === '' ? '' : ` ${unit}`}`];
  });
  const put = course.retractions
    .filter(retraction => retraction.at === at)
    .map(({ text }) => `${text} ${say(model, 'course.retracted')}`);
  const line = linesText({ model, isStatic: false, rank: 0 }, [course.lines[index] ?? 0]);
  const time = course.axis === 'seconds' ? [timeText(model, course, at)] : [];
  return [[...time, line].join(' · '), ...amounts, ...put].join('\n');
}

function written({ locale }: PageModel, value: number): string {
  return value.toLocaleString(locale, { maximumSignificantDigits: 4 });
}

/** A place on the axis of a course. */
function timeText(model: PageModel, { at, axis }: PageCourse, value: number): string {
  const isShort = (at.at(-1) ?? 0) - (at[0] ?? 0) < shortSeconds;
  const amount = written(model, value);
  return axis === 'lines' ? amount : isShort ? `${amount} s` : clock(value);
}

/** Mean, least and greatest of each channel; the latter two bound a band. */
function dataOf(course: PageCourse, group: readonly PageChannel[]): uPlot.AlignedData {
  const series = group.flatMap(({ mean, min, max }) => [mean, min, max]);
  return [[...course.at], ...series.map(values => [...values])];
}

function options(
  model: PageModel,
  course: PageCourse,
  group: readonly PageChannel[],
  width: number,
  key: string,
): uPlot.Options {
  const text = colorOf('--kv-text');
  const grid = colorOf('--kv-grid');
  const color = (at: number): string => colorOf(lineColors[at % lineColors.length] ?? '');
  const isShare = group.every(({ id }) => shares.has(id));
  const axis = {
    stroke: text,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1 },
  };
  return {
    width,
    height: chartHeight,
    cursor: { sync: { key }, drag: { x: true, y: false } },
    legend: { show: false },
    scales: {
      x: { time: false },
      y: {
        range: (_, least, most) => [
          Math.min(0, least),
          isShare ? Math.max(1, most) : roomAbove(most),
        ],
      },
    },
    axes: [
      {
        ...axis,
        ...(course.axis === 'seconds' && { incrs: timeSteps }),
        values: (_, ticks) => ticks.map(value => timeText(model, course, value)),
      },
      { ...axis, size: 64, values: (_, ticks) => ticks.map(value => written(model, value)) },
    ],
    series: [
      {},
      ...group.flatMap(({ label }, at): uPlot.Series[] => [
        {
          label,
          stroke: color(at),
          width: 2,
          ...(at > 0 && { dash: at === 1 ? [8, 4] : [2, 4] }),
          points: { show: false },
          spanGaps: true,
        },
        { stroke: 'transparent', points: { show: false }, spanGaps: true },
        { stroke: 'transparent', points: { show: false }, spanGaps: true },
      ]),
    ],
    bands: group.map((_, at) => ({
      series: [3 * at + 3, 3 * at + 2] as [number, number],
      fill: `${color(at)}33`,
    })),
    hooks: {
      draw: [
        chart => {
          const { ctx, bbox } = chart;
          ctx.save();
          ctx.strokeStyle = colorOf('--kv-bad');
          ctx.lineWidth = devicePixelRatio;
          ctx.setLineDash([4, 4]);
          ctx.beginPath();
          for (const { at } of course.retractions) {
            const x = Math.round(chart.valToPos(at, 'x', true));
            ctx.moveTo(x, bbox.top);
            ctx.lineTo(x, bbox.top + bbox.height);
          }
          ctx.stroke();
          ctx.restore();
        },
      ],
    },
  };
}

/** Seconds as `1:02:03` or `2:03`. */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(whole % 60)}`
    : `${minutes}:${two(whole % 60)}`;
}
