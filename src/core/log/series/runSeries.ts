/**
 * Gives each run the series of its ranks, as a chart takes them. Leaves out gathering.
 */
import type { Run } from '../run';
import type { MetricSeries, RankSeries } from './rankSeries';
import type { SampleBuckets } from './sampleBuckets';
import type { SeriesMetric } from './seriesMetric';
import { metricList } from './seriesMetric';
import type { GatheredSeries, SeriesCourse } from './seriesCollector';

/** Lines narrower than this are not taken for cut at a terminal's width. */
const narrowestTerminal = 60;

/** The samples of one file. */
export interface FileSeries {
  /** Index into `LogReading.files`. */
  readonly file: number;
  /** The stream of a course as the records of the run have it. */
  readonly streamOf: (course: SeriesCourse) => string;
  readonly gathered: GatheredSeries;
}

/** The runs with their series; runs without serving lines keep an empty list. */
export function withSeries(runs: readonly Run[], files: readonly FileSeries[]): readonly Run[] {
  const ofRun = new Map<Run, RankCourse[]>();
  for (const { file, gathered, streamOf } of files) {
    const hidden = cutMetrics(gathered);
    for (const course of gathered.courses) {
      const stream = streamOf(course);
      const run = runOf(runs, file, stream, course.buckets.firstLine);
      if (run !== undefined) {
        const list = ofRun.get(run) ?? [];
        addCourse(list, { file, stream, hidden, course });
        ofRun.set(run, list);
      }
    }
  }
  return runs.map(run => ({ ...run, series: seriesOf(ofRun.get(run) ?? []) }));
}

interface RankCourse {
  readonly file: number;
  readonly stream: string;
  readonly hidden: ReadonlySet<number>;
  readonly course: SeriesCourse;
}

/** The last run of the origin that starts at or before the line in that file. */
function runOf(runs: readonly Run[], file: number, stream: string, line: number): Run | undefined {
  let found: { readonly run: Run; readonly start: number } | undefined;
  for (const run of runs) {
    if (run.stream !== '' && run.stream !== stream) {
      continue;
    }
    const first = run.records.find(record => record.file === file);
    if (first === undefined) {
      continue;
    }
    const start = run.files[0] === file ? Math.min(run.lines[0], first.line) : first.line;
    const isBetter =
      found === undefined ||
      (start <= line ? found.start > line || start >= found.start : start < found.start);
    if (isBetter) {
      found = { run, start };
    }
  }
  return found?.run;
}

/** Joins what a rank served before and after a start that turned out to be of the same run. */
function addCourse(list: RankCourse[], next: RankCourse): void {
  const index = list.findIndex(
    each =>
      each.course.rank === next.course.rank &&
      each.file === next.file &&
      each.stream === next.stream,
  );
  const known = list[index];
  if (known === undefined) {
    list.push(next);
    return;
  }
  const buckets = known.course.buckets.clone();
  buckets.append(next.course.buckets);
  const isDated = known.course.isDated && next.course.isDated;
  list[index] = { ...known, course: { ...known.course, isDated, buckets } };
}

/** Measures of which numbers ended lines of a width at which lines were cut. */
function cutMetrics({ endWidths, cutWidths }: GatheredSeries): ReadonlySet<number> {
  const hidden = new Set<number>();
  for (const [metric, widths] of endWidths) {
    if ([...widths].some(width => width >= narrowestTerminal && cutWidths.has(width))) {
      hidden.add(metric);
    }
  }
  return hidden;
}

function seriesOf(courses: readonly RankCourse[]): readonly RankSeries[] {
  const hasOneClock =
    courses.every(({ course }) => course.isDated) || courses.every(({ course }) => !course.isDated);
  const start = courses.reduce(
    (least, { course }) => Math.min(least, course.buckets.secondsAt(0)),
    Infinity,
  );
  return courses.map(({ file, stream, hidden, course: { rank, buckets } }) => {
    const places = Array.from({ length: buckets.length }, (_, index) => index);
    const times = places.map(index => buckets.secondsAt(index) - start);
    const hasTime = hasOneClock && times.every(Number.isFinite);
    return {
      rank,
      stream,
      file,
      lineCount: buckets.sampleCount,
      lines: [buckets.firstLine, buckets.lastLine] as const,
      bucketLines: places.map(index => buckets.lineAt(index)),
      bucketCounts: places.map(index => buckets.countAt(index)),
      seconds: hasTime ? ascending(times) : undefined,
      metrics: metricsOf(buckets, places, hidden),
    };
  });
}

function ascending(times: readonly number[]): readonly number[] {
  let last = -Infinity;
  return times.map(time => (last = Math.max(last, time)));
}

function metricsOf(
  buckets: SampleBuckets,
  places: readonly number[],
  hidden: ReadonlySet<number>,
): RankSeries['metrics'] {
  const metrics: Partial<Record<SeriesMetric, MetricSeries>> = {};
  for (const [index, metric] of metricList.entries()) {
    const whole = buckets.whole(index);
    if (whole === undefined || hidden.has(index)) {
      continue;
    }
    const rows = places.map(place => buckets.measureAt(index, place));
    metrics[metric] = {
      min: rows.map(row => row?.min ?? null),
      mean: rows.map(row => (row === undefined ? null : row.sum / row.count)),
      max: rows.map(row => row?.max ?? null),
      count: rows.map(row => row?.count ?? 0),
      whole: { ...whole, mean: whole.sum / whole.count },
    };
  }
  return metrics;
}
