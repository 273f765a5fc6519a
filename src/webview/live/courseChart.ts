/** Serving over time as charts that follow the mouse together; a click shows the line of a bucket. */
import uPlot from 'uplot';
import type { PageChannel, PageCourse, PageModel } from '../../core/report/pageModel';
import { chartsOf } from '../view/courseView';
import { colorOf } from './document';

const chartHeight = 150;

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

/** Mean, least and greatest of each channel; the latter two bound a band. */
function dataOf(course: PageCourse, group: readonly PageChannel[]): uPlot.AlignedData {
  const series = group.flatMap(({ mean, min, max }) => [mean, min, max]);
  return [[...course.at], ...series.map(values => [...values])];
}

function options(
  { locale }: PageModel,
  course: PageCourse,
  group: readonly PageChannel[],
  width: number,
  key: string,
): uPlot.Options {
  const text = colorOf('--kv-text');
  const grid = colorOf('--kv-grid');
  const color = (at: number): string => colorOf(lineColors[at % lineColors.length] ?? '');
  const axis = {
    stroke: text,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1 },
  };
  const write = (value: number): string =>
    value.toLocaleString(locale, { maximumSignificantDigits: 4 });
  const isShort = (course.at.at(-1) ?? 0) - (course.at[0] ?? 0) < shortSeconds;
  const timeOf = (value: number): string =>
    course.axis === 'lines' ? write(value) : isShort ? `${write(value)} s` : clock(value);
  return {
    width,
    height: chartHeight,
    cursor: { sync: { key }, drag: { x: true, y: false } },
    legend: { show: false },
    scales: {
      x: { time: false },
      y: { range: (_, least, most) => [Math.min(0, least), most || 1] },
    },
    axes: [
      { ...axis, values: (_, ticks) => ticks.map(timeOf) },
      { ...axis, size: 64, values: (_, ticks) => ticks.map(write) },
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
