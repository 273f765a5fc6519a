/**
 * The course of a serving server as a chart takes it: for each rank at most 2,000 buckets of
 * consecutive lines, with the smallest, mean and largest value of each measure. Leaves out how they
 * are gathered and what they mean.
 */
import type { RankKey } from '../record';
import type { SeriesMetric } from './seriesMetric';

/** One measure over the buckets; every list has one entry a bucket, null where no line printed it. */
export interface MetricSeries {
  readonly min: readonly (number | null)[];
  readonly mean: readonly (number | null)[];
  readonly max: readonly (number | null)[];
  /** Lines of the bucket that printed it. */
  readonly count: readonly number[];
  /** Over all lines, not over the buckets; exact. */
  readonly whole: WholeSeries;
}

/** One measure over all lines of a rank. */
export interface WholeSeries {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly sum: number;
  readonly mean: number;
  /** 1-based line in the file where the largest value was first printed. */
  readonly maxLine: number;
}

/** The serving lines of one rank in one run. */
export interface RankSeries {
  readonly rank: RankKey;
  /** Origin that a collector printed before the lines; else empty. */
  readonly stream: string;
  /** Index into `LogReading.files`. */
  readonly file: number;
  /** Batch and retraction lines. */
  readonly lineCount: number;
  /** First and last of them, 1-based. */
  readonly lines: readonly [first: number, last: number];
  /** First line of each bucket, 1-based. */
  readonly bucketLines: readonly number[];
  /** Lines of each bucket. */
  readonly bucketCounts: readonly number[];
  /**
   * Seconds from the first serving line of the run (of any rank) to the first line of each bucket;
   * never falls. Undefined where a line carries no time: the index of the bucket stands for it.
   */
  readonly seconds: readonly number[] | undefined;
  /** Absent where no line printed it, or where its numbers may have been cut. */
  readonly metrics: Readonly<Partial<Record<SeriesMetric, MetricSeries>>>;
}

/** Buckets of one rank at most; fewer where a log has very many ranks. */
export const maximumBuckets = 2000;
