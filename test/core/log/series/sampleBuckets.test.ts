import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SampleBuckets } from '../../../../src/core/log/series/sampleBuckets';

interface Sample {
  readonly values: readonly (number | undefined)[];
}

/** Integers, so that sums are exact in any order. */
const sample: fc.Arbitrary<Sample> = fc.record({
  values: fc.array(fc.option(fc.integer({ min: -1000, max: 1000 }), { nil: undefined }), {
    minLength: 3,
    maxLength: 3,
  }),
});

function fill(samples: readonly Sample[], capacity: number, firstLine = 1): SampleBuckets {
  const buckets = new SampleBuckets(capacity);
  for (const [index, { values }] of samples.entries()) {
    buckets.begin(firstLine + index, index * 0.5);
    for (const [measure, value] of values.entries()) {
      if (value !== undefined) {
        buckets.put(measure, value);
      }
    }
  }
  return buckets;
}

interface Summary {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly sum: number;
}

function bruteForce(samples: readonly Sample[], measure: number): Summary | undefined {
  const values = samples.flatMap(({ values: list }) => list[measure] ?? []);
  return values.length === 0
    ? undefined
    : {
        count: values.length,
        min: Math.min(...values),
        max: Math.max(...values),
        sum: values.reduce((left, right) => left + right, 0),
      };
}

/** Checks every bucket against the samples that its counts say it holds. */
function checkBuckets(buckets: SampleBuckets, samples: readonly Sample[], firstLine = 1): void {
  let at = 0;
  for (let bucket = 0; bucket < buckets.length; bucket += 1) {
    const own = samples.slice(at, at + buckets.countAt(bucket));
    expect(own.length).toBe(buckets.countAt(bucket));
    expect(buckets.lineAt(bucket)).toBe(firstLine + at);
    expect(buckets.secondsAt(bucket)).toBe(at * 0.5);
    for (let measure = 0; measure < 3; measure += 1) {
      expect(buckets.measureAt(measure, bucket)).toEqual(bruteForce(own, measure));
    }
    at += own.length;
  }
  expect(at).toBe(samples.length);
}

function checkWholes(buckets: SampleBuckets, samples: readonly Sample[]): void {
  for (let measure = 0; measure < 3; measure += 1) {
    const expected = bruteForce(samples, measure);
    const whole = buckets.whole(measure);
    if (expected === undefined) {
      expect(whole).toBeUndefined();
    } else {
      const first = samples.findIndex(({ values }) => values[measure] === expected.max);
      expect(whole).toEqual({ ...expected, maxLine: first + 1 });
    }
  }
}

describe('buckets of samples', () => {
  test('never exceed their capacity and hold every sample exactly', () => {
    fc.assert(
      fc.property(
        fc.array(sample, { maxLength: 200 }),
        fc.integer({ min: 2, max: 40 }),
        (samples, capacity) => {
          const buckets = fill(samples, capacity);
          expect(buckets.length).toBeLessThanOrEqual(capacity);
          expect(buckets.sampleCount).toBe(samples.length);
          // No more is merged than the capacity demands: more than half of it stays in use.
          expect(buckets.length).toBeGreaterThanOrEqual(
            Math.min(samples.length, Math.floor(capacity / 2)),
          );
          checkBuckets(buckets, samples);
          checkWholes(buckets, samples);
        },
      ),
    );
  });

  test('stay exact when their capacity falls in between', () => {
    fc.assert(
      fc.property(
        fc.array(sample, { maxLength: 80 }),
        fc.array(sample, { maxLength: 80 }),
        fc.integer({ min: 2, max: 20 }),
        (before, after, capacity) => {
          const buckets = fill(before, 60);
          buckets.limit(capacity);
          expect(buckets.length).toBeLessThanOrEqual(capacity);
          const all = [...before, ...after];
          for (const [index, { values }] of after.entries()) {
            buckets.begin(before.length + index + 1, (before.length + index) * 0.5);
            for (const [measure, value] of values.entries()) {
              if (value !== undefined) {
                buckets.put(measure, value);
              }
            }
          }
          expect(buckets.length).toBeLessThanOrEqual(capacity);
          checkBuckets(buckets, all);
          checkWholes(buckets, all);
        },
      ),
    );
  });

  test('joined to those of a later part give what all samples give', () => {
    fc.assert(
      fc.property(
        fc.array(sample, { maxLength: 80 }),
        fc.array(sample, { maxLength: 80 }),
        fc.integer({ min: 2, max: 20 }),
        (left, right, capacity) => {
          const joined = fill(left, capacity);
          const later = new SampleBuckets(capacity);
          for (const [index, { values }] of right.entries()) {
            later.begin(left.length + index + 1, (left.length + index) * 0.5);
            for (const [measure, value] of values.entries()) {
              if (value !== undefined) {
                later.put(measure, value);
              }
            }
          }
          joined.append(later);
          expect(joined.length).toBeLessThanOrEqual(capacity);
          expect(joined.sampleCount).toBe(left.length + right.length);
          checkBuckets(joined, [...left, ...right]);
          checkWholes(joined, [...left, ...right]);
        },
      ),
    );
  });

  test('are not reached by samples that a copy takes', () => {
    const buckets = fill([{ values: [1, 2, 3] }], 4);
    const copy = buckets.clone();
    copy.begin(2, 1);
    copy.put(0, 9);
    expect(buckets.sampleCount).toBe(1);
    expect(buckets.whole(0)?.max).toBe(1);
    expect(copy.whole(0)).toEqual({ count: 2, min: 1, max: 9, sum: 10, maxLine: 2 });
  });
});
