/**
 * The course of serving as JSON, for charts: buckets of consecutive lines by rank, units beside the
 * values. Empty buckets are null. Leaves out what the course means.
 */
import type { Run } from '../log/run';
import { metricList, seriesMetrics } from '../log/series/seriesMetric';

/** The series of a run; undefined where none was gathered. */
export function seriesJson({ series }: Run) {
  if (series.length === 0) {
    return undefined;
  }
  return series.map(
    ({ rank, file, lines, lineCount, seconds, bucketLines, bucketCounts, metrics }) => ({
      rank,
      file,
      lines,
      lineCount,
      seconds: seconds ?? null,
      bucketLines,
      bucketCounts,
      metrics: Object.fromEntries(
        metricList.flatMap(id => {
          const metric = metrics[id];
          return metric === undefined ? [] : [[id, { unit: seriesMetrics[id].unit, ...metric }]];
        }),
      ),
    }),
  );
}
