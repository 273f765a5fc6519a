/**
 * What the course of serving comes to, in a few sentences: how full the pool was, how many waited, how
 * many were put back. Empty where no course was gathered. Leaves out the course itself.
 */
import type { Run } from '../log/run';
import type { RankSeries, WholeSeries } from '../log/series/rankSeries';
import type { SeriesMetric } from '../log/series/seriesMetric';
import type { Message } from '../message/message';
import { message } from '../message/message';
import type { Block } from './reportModel';

/** The sentences of the section. */
export function servingBlocks(run: Pick<Run, 'series'>): Block[] {
  return servingMessages(run).map(sentence => ({
    kind: 'sentence',
    message: sentence,
    isHeadline: false,
  }));
}

/** What all ranks together come to; empty where no course was gathered. */
export function servingMessages({ series }: Pick<Run, 'series'>): Message[] {
  const usage = largestOf(series, 'usage');
  const queue = largestOf(series, 'queue');
  const retracted = series.flatMap(({ metrics }) => metrics.retracted?.whole ?? []);
  const sentences: Message[] = [];
  if (usage !== undefined) {
    sentences.push(message('serving.peak', { usage: { share: usage.max }, line: usage.maxLine }));
  }
  if (queue !== undefined && queue.max > 0) {
    sentences.push(message('serving.queue', { queue: queue.max, line: queue.maxLine }));
  }
  if (retracted.length > 0) {
    const times = retracted.reduce((all, { count }) => all + count, 0);
    const requests = retracted.reduce((all, { sum }) => all + sum, 0);
    sentences.push(message('serving.retracted', { times, requests }));
  }
  return sentences;
}

/** The whole of the rank with the largest value; undefined where no rank prints the measure. */
function largestOf(series: readonly RankSeries[], metric: SeriesMetric): WholeSeries | undefined {
  return series
    .flatMap(({ metrics }) => metrics[metric]?.whole ?? [])
    .reduce<WholeSeries | undefined>(
      (largest, next) => (largest === undefined || next.max > largest.max ? next : largest),
      undefined,
    );
}
