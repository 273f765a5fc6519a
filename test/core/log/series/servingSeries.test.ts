import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLog, readLogText } from '../../../../src/core/log/readLog';
import type { LogReading, Run } from '../../../../src/core/log/run';
import { maximumBuckets } from '../../../../src/core/log/series/rankSeries';
import type { RankSeries } from '../../../../src/core/log/series/rankSeries';
import type { SeriesMetric } from '../../../../src/core/log/series/seriesMetric';
import { sourceOf } from '../memorySource';

type Values = Readonly<Partial<Record<SeriesMetric, number>>>;

interface Line {
  readonly text: string;
  readonly rank: string;
  readonly seconds: number;
  /** Undefined for lines that are no samples. */
  readonly values: Values | undefined;
}

interface Numbers {
  readonly running: number;
  readonly used: number;
  readonly hundredths: number;
  readonly queue: number;
  readonly rate: number;
}

const numbers: fc.Arbitrary<Numbers> = fc.record({
  running: fc.nat(4096),
  used: fc.nat(20_000_000),
  hundredths: fc.nat(100),
  queue: fc.nat(12_345),
  rate: fc.nat(999_999),
});

const share = (hundredths: number): string => (hundredths / 100).toFixed(2);

/** Wordings of several releases, and what each says. */
const wordings: readonly ((
  each: Numbers,
) => readonly [text: string, values: Values | undefined])[] = [
  ({ running, used, hundredths, queue, rate }) => [
    `Decode batch. #running-req: ${running}, #token: ${used}, token usage: ${share(hundredths)}, cuda graph: ${String(queue % 2 === 0)}, gen throughput (token/s): ${share(rate)}, #queue-req: ${queue}, `,
    {
      running,
      tokens: used,
      usage: hundredths / 100,
      generationThroughput: rate / 100,
      queue,
    },
  ],
  ({ running, used, hundredths, queue, rate }) => [
    `Decode batch [${used}], #running-req: ${running}, #full token: ${used}, full token usage: ${share(hundredths)}, #swa token: ${queue}, swa token usage: ${share(hundredths)}, accept len: 2.50, accept rate: 0.61, gen throughput (token/s): ${share(rate)}, #queue-req: ${queue}`,
    {
      running,
      tokens: used,
      usage: hundredths / 100,
      swaTokens: queue,
      swaUsage: hundredths / 100,
      acceptLength: 2.5,
      generationThroughput: rate / 100,
      queue,
    },
  ],
  ({ running, used, hundredths, queue, rate }) => [
    `Prefill batch, #new-seq: 1, #new-token: ${used}, #cached-token: 0, token usage: ${share(hundredths)}, #running-req: ${running}, #queue-req: ${queue}, #pending-token: 5, cuda graph: False, input throughput (token/s): ${share(rate)}`,
    { usage: hundredths / 100, running, queue, inputThroughput: rate / 100 },
  ],
  ({ running }) => [
    `KV cache pool is full. Retract requests. #retracted_reqs: ${running}, #new_token_ratio: 0.3110 -> 0.5000`,
    { retracted: running },
  ],
  () => ['Cache flushed successfully!', undefined],
  ({ queue }) => [`INFO:     127.0.0.1:${queue} - "POST /generate HTTP/1.1" 200 OK`, undefined],
];

const prefixes: readonly ((clock: string, rank: string) => string)[] = [
  (clock, rank) => `[2026-02-27 ${clock}${rank === '' ? '' : ` ${rank}`}] `,
  (clock, rank) => `[2026-02-27 ${clock}.250${rank === '' ? '' : ` ${rank}`}] `,
  (clock, rank) =>
    `2026-02-28T${clock}.123456789Z stdout F [2026-02-27 ${clock}${rank === '' ? '' : ` ${rank}`}] `,
  (clock, rank) => `\u001b[36m(Engine pid=77, ip=10.0.0.1)\u001b[0m [2026-02-27 ${clock} ${rank}] `,
];

const twoDigits = (value: number): string => String(value).padStart(2, '0');

function linesOf(
  entries: readonly (readonly [Numbers, number, number])[],
  prefix: (clock: string, rank: string) => string,
  step: number,
): readonly Line[] {
  return entries.map(([each, kind, rankIndex], index) => {
    const seconds = Math.floor(index * step);
    const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
      .map(twoDigits)
      .join(':');
    const rank = `DP${rankIndex} TP${rankIndex}`;
    const [text, values] = wordings[kind]?.(each) ?? ['', undefined];
    return { text: `${prefix(clock, rank)}${text}`, rank, seconds, values };
  });
}

const log = fc
  .tuple(
    fc.array(fc.tuple(numbers, fc.nat(wordings.length - 1), fc.nat(2)), {
      minLength: 900,
      maxLength: 1400,
    }),
    fc.nat(prefixes.length - 1),
    fc.constantFrom(0.3, 1, 40),
  )
  .map(([entries, prefix, step]) => linesOf(entries, prefixes[prefix] ?? (() => ''), step));

function textOf(lines: readonly Line[]): string {
  return lines.map(line => `${line.text}\n`).join('');
}

function seriesOf(reading: LogReading): readonly RankSeries[] {
  expect(reading.runs.length).toBeLessThanOrEqual(1);
  return reading.runs.flatMap((run: Run) => run.series);
}

/** The samples of a rank with their lines, as the test made them. */
function samplesOf(lines: readonly Line[], rank: string): readonly (Line & { line: number })[] {
  return lines
    .map((line, index) => ({ ...line, line: index + 1 }))
    .filter(line => line.values !== undefined && line.rank === rank);
}

function checkMetric(
  series: RankSeries,
  metric: SeriesMetric,
  samples: readonly (Line & { line: number })[],
): void {
  const found = series.metrics[metric];
  const values = samples.map(sample => sample.values?.[metric]);
  const printed = values.filter(value => value !== undefined);
  if (printed.length === 0) {
    expect(found).toBeUndefined();
    return;
  }
  const total = printed.reduce((left, right) => left + right, 0);
  expect(found?.whole).toMatchObject({
    count: printed.length,
    min: Math.min(...printed),
    max: Math.max(...printed),
    maxLine: samples[values.indexOf(Math.max(...printed))]?.line,
  });
  expect(found?.whole.sum).toBeCloseTo(total, 4);
  let at = 0;
  const buckets = series.bucketCounts.map(count => {
    const own = values.slice(at, at + count).filter(value => value !== undefined);
    at += count;
    return own;
  });
  expect(found?.count).toEqual(buckets.map(own => own.length));
  expect(found?.min).toEqual(buckets.map(own => (own.length === 0 ? null : Math.min(...own))));
  expect(found?.max).toEqual(buckets.map(own => (own.length === 0 ? null : Math.max(...own))));
  const isMean = buckets.every((own, bucket) => {
    const mean = found?.mean[bucket];
    const expected = own.reduce((a, b) => a + b, 0) / own.length;
    return own.length === 0 ? mean === null : Math.abs((mean ?? NaN) - expected) < 1e-6;
  });
  expect(isMean).toBe(true);
}

const metrics: readonly SeriesMetric[] = [
  'usage',
  'tokens',
  'swaUsage',
  'swaTokens',
  'running',
  'queue',
  'generationThroughput',
  'inputThroughput',
  'acceptLength',
  'retracted',
];

describe('the series of serving lines', () => {
  test('hold what every line prints, by rank, in the order of the lines', () => {
    fc.assert(
      fc.property(log, lines => {
        const all = seriesOf(readLogText(textOf(lines), { series: true }));
        const first = lines.find(line => line.values !== undefined)?.seconds ?? 0;
        for (const rank of ['DP0 TP0', 'DP1 TP1', 'DP2 TP2']) {
          const samples = samplesOf(lines, rank);
          const series = all.find(each => each.rank === rank);
          expect(series?.lineCount ?? 0).toBe(samples.length);
          if (series === undefined) {
            continue;
          }
          expect(series.bucketLines.length).toBeLessThanOrEqual(maximumBuckets);
          let at = 0;
          const firsts = series.bucketCounts.map(count => {
            at += count;
            return samples[at - count];
          });
          expect(at).toBe(samples.length);
          expect(series.bucketLines).toEqual(firsts.map(sample => sample?.line));
          expect(series.seconds).toEqual(firsts.map(sample => (sample?.seconds ?? 0) - first));
          for (const metric of metrics) {
            checkMetric(series, metric, samples);
          }
        }
      }),
      { numRuns: 15, endOnFailure: true },
    );
  }, 60_000);

  test('do not depend on how the bytes arrive, and change no record', async () => {
    await fc.assert(
      fc.asyncProperty(log, fc.integer({ min: 1, max: 9000 }), async (lines, pieceBytes) => {
        const text = textOf(lines);
        const whole = await readLog(sourceOf(text), undefined, { series: true });
        const pieces = await readLog(sourceOf(text), undefined, { series: true, pieceBytes });
        const plain = await readLog(sourceOf(text));
        expect(seriesOf(pieces)).toEqual(seriesOf(whole));
        expect(plain.records).toEqual(whole.records);
        expect(plain.repeats).toEqual(whole.repeats);
        expect(seriesOf(plain)).toEqual([]);
      }),
      { numRuns: 12, endOnFailure: true },
    );
  }, 60_000);

  test('stay within 2,000 buckets a rank for any number of lines', () => {
    const entries = Array.from({ length: 9001 }, (_, index) => {
      const each = { running: 1, used: index, hundredths: index % 100, queue: 0, rate: index };
      return [each, 0, 0] as const;
    });
    const lines = linesOf(entries, prefixes[0] ?? (() => ''), 1);
    const [series] = seriesOf(readLogText(textOf(lines), { series: true }));
    expect(series?.bucketLines.length).toBe(1126);
    expect(new Set(series?.bucketCounts)).toEqual(new Set([8, 1]));
    expect(series?.metrics.tokens?.whole).toEqual({
      count: 9001,
      min: 0,
      max: 9000,
      sum: 40_504_500,
      mean: 4500,
      maxLine: 9001,
    });
  });

  test('belong to the run that served, also after a restart', () => {
    const start = (count: number, tokens: number): readonly string[] => [
      '[2026-02-27 10:00:00 TP0] Load weight begin. avail mem=94.00 GB',
      ...Array.from(
        { length: count },
        (_, index) =>
          `[2026-02-27 11:00:${twoDigits(index % 60)} TP0] Decode batch. #running-req: 1, #token: ${tokens}, token usage: 0.10, gen throughput (token/s): 1.00, #queue-req: 0, `,
      ),
    ];
    const text = [...start(700, 5), ...start(3, 7)].join('\n');
    const { runs } = readLogText(text, { series: true });
    expect(
      runs.map(run =>
        run.series.map(each => [each.lineCount, each.lines, each.metrics.tokens?.whole.max]),
      ),
    ).toEqual([[[700, [2, 701], 5]], [[3, [703, 705], 7]]]);
  });

  test('have no time where a line carries none, and go on after midnight without dates', () => {
    const message =
      'Decode batch. #running-req: 1, #token: 5, token usage: 0.10, gen throughput (token/s): 1.00, #queue-req: 0';
    const timeless = readLogText(`${message}\n${message}\n`, { series: true });
    expect(seriesOf(timeless)[0]?.seconds).toBeUndefined();
    expect(seriesOf(timeless)[0]?.lineCount).toBe(2);
    const clocks = ['23:59:58', '00:00:01', '23:59:59', '00:00:02'];
    const night = clocks.map(clock => `[${clock} TP0] ${message}\n`).join('');
    expect(seriesOf(readLogText(night, { series: true }))[0]?.seconds).toEqual([0, 3, 3, 4]);
  });

  test('leave out a measure of which numbers may have been cut at a terminal width', () => {
    const width = 140;
    const lines = Array.from({ length: 30 }, (_, index) =>
      `[2026-02-27 10:00:00 TP0] Decode batch. #running-req: 1, #token: ${10 ** (index % 4)}, token usage: 0.10, cuda graph: True, gen throughput (token/s): 231.40, #queue-req: 12345`.slice(
        0,
        width,
      ),
    );
    const [series] = seriesOf(readLogText(`${lines.join('\n')}\n`, { series: true }));
    expect(series?.metrics.queue).toBeUndefined();
    expect(series?.metrics.generationThroughput?.whole.max ?? 231.4).toBe(231.4);
    expect(series?.metrics.tokens?.whole).toMatchObject({ min: 1, max: 1000, count: 30 });
  });
});
