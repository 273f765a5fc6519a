/**
 * Puts what the full reader read of a line into the series: samples of serving lines, and the starts
 * that separate one run from the next. Leaves out lines that were read by their shape.
 */
import type { FormEvent } from '../../sglang/form/lineForm';
import type { DraftRecord } from '../lineAssembler';
import { metricsOfForm } from './seriesMetric';
import type { SeriesCollector } from './seriesCollector';

/** After these the server is at its start, so that serving lines before are of another run. */
const startEvents: ReadonlySet<FormEvent> = new Set<FormEvent>([
  'server-arguments',
  'init-begin',
  'load-begin',
  'load-end',
  'pool',
  'foreign-start',
]);

/** Adds one record, in the order of the log. */
export function collectRecord(collector: SeriesCollector, draft: DraftRecord): void {
  const { record, touching, lineWidth, endsTerminated, isCut } = draft;
  const metrics = metricsOfForm(record.form.id);
  if (metrics === undefined) {
    if (startEvents.has(record.form.event)) {
      collector.restart(record.stream);
    }
    return;
  }
  const course = collector.courseOf(record.stream, record.rank);
  if (course === undefined) {
    return;
  }
  if (isCut && endsTerminated) {
    collector.cutAt(lineWidth);
  }
  const { time } = record;
  collector.begin(course, record.line, time?.seconds ?? NaN, time?.hasDate === true);
  for (const { metric, fields } of metrics) {
    const name = fields.find(each => record.fields[each] !== undefined);
    const value = name === undefined ? undefined : record.fields[name]?.value;
    if (name === undefined || value === undefined) {
      continue;
    }
    const isWhole =
      !touching.includes(name) || (endsTerminated && collector.endsLine(metric, lineWidth));
    if (isWhole) {
      course.buckets.put(metric, Number(value));
    }
  }
}
