/** Plans of changed configs and any flags: an answer that holds together, or a refusal; never a crash. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readModelLayout } from '../../../src/core/model/modelLayout';
import type { Plan } from '../../../src/core/model/plan';
import { planBudget } from '../../../src/core/model/plan';
import type { PlanOptions } from '../../../src/core/model/planOptions';
import { exactRelease } from '../../../src/core/sglang/layout/eraTable';
import { kvDtypeNames } from '../../../src/core/model/kvDtype';
import { units } from '../../../src/core/units/unit';
import {
  alternating,
  asymmetricWindows,
  compressed,
  gatedDelta,
  heads,
  latent,
  sparse,
} from './modelConfigs';
import { count, printed } from './printedFigure';

const sound = [
  heads(32, 8, 128),
  latent(61),
  sparse(78),
  compressed,
  asymmetricWindows,
  alternating(24, 8, 64),
  gatedDelta(40, 2, 32),
];

const releases = ['0.1.10', '0.2.14', '0.4.2', '0.4.6.post2', '0.4.9.post3', '0.5.3.post2']
  .concat(['0.5.6', '0.5.7', '0.5.8', '0.5.9', '0.5.11', '0.5.13', '0.5.14', '0.5.16'])
  .concat(['0.5.18', '0.5.20', '0.5.23']);

const small = fc.integer({ min: 1, max: 64 });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const options: fc.Arbitrary<PlanOptions> = fc
  .record({
    release: fc.oneof(
      fc.constantFrom(...releases).map(exactRelease),
      fc.constant({ kind: 'unknown' as const }),
      fc.constant({ kind: 'range' as const, from: '0.4.1', to: '0.5.9' }),
      fc.constant({ kind: 'between' as const, after: '0.5.6.post2', before: '0.5.7' }),
    ),
    parallel: fc.record({
      tp: fc.constantFrom(1, 2, 4, 8, 16),
      pp: fc.constantFrom(1, 2, 3),
      dp: fc.constantFrom(1, 2, 8),
      dpAttention: fc.boolean(),
    }),
    total: fc.double({ min: 1, max: 300, noNaN: true }).map(value => printed(value.toFixed(2))),
    weights: fc.double({ min: 0, max: 300, noNaN: true }).map(value => printed(value.toFixed(2))),
    kvDtype: optional(fc.constantFrom(...kvDtypeNames)),
    page: optional(fc.constantFrom(1, 16, 64, 128)),
    maxTotalTokens: optional(fc.integer({ min: 1, max: 10_000_000 })),
    maxRunningRequests: optional(fc.integer({ min: 1, max: 5000 })),
    contextLength: optional(fc.integer({ min: 1, max: 2_000_000 })),
    disableRadixCache: fc.boolean(),
    draft: optional(
      fc.record({ kind: fc.constantFrom('eagle', 'standalone', 'block'), layers: small }),
    ),
    draftTokens: optional(small),
    draftSteps: optional(small),
    draftBranches: optional(small),
    automatic: fc.constant({ card: count(81559, units.MiB) }),
  })
  .map(
    given =>
      Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== undefined),
      ) as unknown as PlanOptions,
  );

/** Bounds in order, some bytes for each token, and no figure that is no number. */
function checkPlan({ budgeted, allocated, rows }: Plan): void {
  for (const { interval } of [budgeted, allocated]) {
    expect(interval.lo).toBeGreaterThanOrEqual(0);
    expect(interval.hi).toBeGreaterThan(0);
    expect(interval.lo).toBeLessThanOrEqual(interval.hi);
  }
  for (const { budget, pool, tokens, left, free, requests } of rows) {
    for (const quantity of [budget, pool, tokens, left, free, requests]) {
      expect(Number.isNaN(quantity?.interval.lo)).toBe(false);
      expect(quantity === undefined || quantity.interval.lo <= quantity.interval.hi).toBe(true);
    }
  }
}

test('of sound configs hold together or are refused', () => {
  fc.assert(
    fc.property(fc.constantFrom(...sound), options, (config, given) => {
      const read = readModelLayout(JSON.stringify(config));
      const planned = read.kind === 'known' ? planBudget(read.value, given) : read;
      if (planned.kind === 'known') {
        checkPlan(planned.value);
      }
    }),
    { numRuns: 60 },
  );
});

test('of configs with any number, word or nothing in place of a value too', () => {
  const odd = fc.oneof(
    fc.integer({ min: -3, max: 2 ** 31 }),
    fc.double(),
    fc.string(),
    fc.constantFrom(null, true, [], {}, 0, 1, 2 ** 53, '61'),
  );
  fc.assert(
    fc.property(fc.constantFrom(...sound), fc.nat(), odd, options, (config, at, value, given) => {
      const keys = Object.keys(config);
      const changed = JSON.stringify({ ...config, [keys[at % keys.length]!]: value });
      const read = readModelLayout(changed);
      const planned = read.kind === 'known' ? planBudget(read.value, given) : read;
      if (planned.kind === 'known') {
        checkPlan(planned.value);
      }
    }),
    { numRuns: 60 },
  );
});
