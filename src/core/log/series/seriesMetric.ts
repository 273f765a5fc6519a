/**
 * What a series of serving lines measures, and which fields of which line forms it is read from.
 * Leaves out how samples are gathered.
 */
import type { FieldUnit } from '../../sglang/form/lineForm';

interface MetricSource {
  readonly unit: FieldUnit;
  /** By the id of a form: fields that hold it, the first printed one counts. */
  readonly sources: Readonly<Record<string, readonly string[]>>;
}

/** The measures of a serving server, in the order in which people look at them. */
export const seriesMetrics = {
  /** Share of the pool that requests hold, 0 to 1; of the full-attention pool in hybrids. */
  usage: {
    unit: '1',
    sources: {
      'decode-batch': ['usage', 'fullUsage', 'gpuUsage'],
      'decode-batch-old': ['usage'],
      'prefill-batch': ['usage', 'fullUsage'],
    },
  },
  /** Tokens of the pool that requests hold, the evictable prefix cache left out. */
  tokens: {
    unit: 'token',
    sources: { 'decode-batch': ['used', 'full', 'gpu'], 'decode-batch-old': ['used'] },
  },
  swaUsage: { unit: '1', sources: { 'decode-batch': ['swaUsage'], 'prefill-batch': ['swaUsage'] } },
  swaTokens: { unit: 'token', sources: { 'decode-batch': ['swa'] } },
  stateUsage: {
    unit: '1',
    sources: { 'decode-batch': ['stateUsage'], 'prefill-batch': ['stateUsage'] },
  },
  running: {
    unit: 'request',
    sources: {
      'decode-batch': ['running'],
      'decode-batch-old': ['running'],
      'prefill-batch': ['running'],
    },
  },
  queue: {
    unit: 'request',
    sources: {
      'decode-batch': ['queue'],
      'decode-batch-old': ['queue'],
      'prefill-batch': ['queue'],
    },
  },
  generationThroughput: {
    unit: 'token/s',
    sources: { 'decode-batch': ['throughput'], 'decode-batch-old': ['throughput'] },
  },
  inputThroughput: { unit: 'token/s', sources: { 'prefill-batch': ['throughput'] } },
  acceptLength: { unit: 'token', sources: { 'decode-batch': ['acceptLength'] } },
  /** Requests that one retraction line puts back into the queue. */
  retracted: { unit: 'request', sources: { retraction: ['retracted'] } },
} as const satisfies Readonly<Record<string, MetricSource>>;

/** Id of a measure. */
export type SeriesMetric = keyof typeof seriesMetrics;

/** Every measure with its place in rows of numbers. */
export const metricList: readonly SeriesMetric[] = Object.keys(
  seriesMetrics,
) as readonly SeriesMetric[];

/** A measure's place in `metricList` and the fields of one form that can hold it. */
export interface MetricReading {
  readonly metric: number;
  readonly fields: readonly string[];
}

const readings = new Map<string, MetricReading[]>();
for (const [metric, { sources }] of Object.values<MetricSource>(seriesMetrics).entries()) {
  for (const [form, fields] of Object.entries(sources)) {
    readings.set(form, [...(readings.get(form) ?? []), { metric, fields }]);
  }
}

/** The measures that lines of a form hold; undefined where it is no serving line. */
export function metricsOfForm(formId: string): readonly MetricReading[] | undefined {
  return readings.get(formId);
}
