import { expect, test } from 'vitest';
import { intersectReleases } from '../../../src/core/sglang/form/releaseInterval';

test('ranges intersect to the newest start and the oldest end', () => {
  expect(
    intersectReleases([
      [{ from: '0.4.3.post3', to: '0.5.8.post1' }],
      [{ from: '0.5.3rc1' }],
      [],
      [
        { from: '0.1.18', to: '0.5.2rc2' },
        { from: '0.5.4.post1', to: '0.5.12' },
      ],
    ]),
  ).toEqual({ kind: 'range', from: '0.5.4.post1', to: '0.5.8.post1' });
});

test('several remaining pieces span an interval', () => {
  expect(
    intersectReleases([
      [{ from: '0.1.18', to: '0.5.3rc1' }, { from: '0.5.10rc0' }],
      [{ from: '0.4.0' }],
    ]),
  ).toEqual({ kind: 'range', from: '0.4.0', to: undefined });
});

test('nothing informative is unknown', () => {
  expect(intersectReleases([])).toEqual({ kind: 'unknown' });
  expect(intersectReleases([[]])).toEqual({ kind: 'unknown' });
});

test('ranges that exclude each other leave the gap between them', () => {
  expect(
    intersectReleases([[{ from: '0.5.9', to: '0.5.12.post1' }], [{ from: '0.5.13' }]]),
  ).toEqual({ kind: 'between', after: '0.5.12.post1', before: '0.5.13' });
});
