/** Serving over time as the page shows it: measures in buckets, and where requests were retracted. */
import type { Run } from '../log/run';
import type { MetricSeries, RankSeries } from '../log/series/rankSeries';
import type { SeriesMetric } from '../log/series/seriesMetric';
import { metricList, seriesMetrics } from '../log/series/seriesMetric';
import { foreign, message } from '../message/message';
import { point } from '../units/interval';
import { Unit, units } from '../units/unit';
import type { PageChannel, PageCourse } from './pageModel';
import type { PageWriter } from './pageWriter';

/** Ranks whose course is sent to the page; logs of larger clusters say the same many times. */
const mostRanks = 32;

/** The courses of a run; empty where its serving lines were not gathered. */
export function coursesOf({ series }: Pick<Run, 'series'>, write: PageWriter): PageCourse[] {
  return series.slice(0, mostRanks).map(rank => courseOf(rank, write));
}

function courseOf(series: RankSeries, write: PageWriter): PageCourse {
  const { rank, stream, seconds, bucketLines, bucketCounts, metrics } = series;
  const at = seconds ?? bucketLines;
  const { retracted } = metrics;
  const name = [stream, rank].filter(part => part !== '').join(' ');
  return {
    rank: write.message(message('page.foreign', { text: foreign(name) })),
    axis: seconds ? 'seconds' : 'lines',
    at: at.map(brief),
    lines: [...bucketLines],
    channels: metricList.flatMap(id => {
      const metric = metrics[id];
      return metric === undefined || id === 'retracted' ? [] : [channelOf(id, metric, write)];
    }),
    retractions: bucketLines.flatMap((line, index) => {
      const most = retracted?.max[index] ?? null;
      return most === null || most === 0
        ? []
        : [
            {
              at: brief(at[index] ?? line),
              line,
              isExact: bucketCounts[index] === 1,
              text: String(most),
            },
          ];
    }),
  };
}

function channelOf(id: SeriesMetric, metric: MetricSeries, write: PageWriter): PageChannel {
  const unit = Unit.parse(seriesMetrics[id].unit) ?? units.one;
  const { whole } = metric;
  const text = (value: number): string =>
    write.quantity({
      interval: point(value),
      unit,
      basis: 'proved',
      assumptions: [],
      provenance: [],
    });
  return {
    id,
    label: write.message(message('page.metric', { metric: id })),
    unit: unit === units.one ? '' : unit.name,
    min: metric.min.map(briefOrNull),
    mean: metric.mean.map(briefOrNull),
    max: metric.max.map(briefOrNull),
    summary: [text(whole.min), text(whole.mean), text(whole.max)],
    line: whole.maxLine,
  };
}

/** A chart shows no more digits than these. */
function brief(value: number): number {
  return Number(value.toPrecision(7));
}

function briefOrNull(value: number | null): number | null {
  return value === null ? null : brief(value);
}
