/**
 * The seed logs bound to real releases: every function on the way to the pools shows what the run
 * computed, whichever way its sizing is cut into functions and files.
 */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../src/core/account/account';
import { bytesPerTokenOf, runBindings } from '../../src/core/annotate/python/runBindings';
import type {
  AnnotatedFunction,
  PythonAnnotation,
} from '../../src/core/annotate/python/annotation';
import { readLogText } from '../../src/core/log/readLog';
import { units } from '../../src/core/units/unit';
import { annotateRelease, fetchAll, givenValues } from './release';
import { sharedFile, withShared } from './sharedFile';

interface Place {
  readonly release: string;
  readonly file: string;
  /** What calls the sizing function and ends in an error where nothing is left. */
  readonly caller: string;
}

const mixin = 'sglang/srt/model_executor/model_runner_kv_cache_mixin.py';
const places: readonly Place[] = [
  {
    release: '0.1.3',
    file: 'sglang/srt/managers/router/model_runner.py',
    caller: 'ModelRunner.init_memory_pool',
  },
  {
    release: '0.4.6',
    file: 'sglang/srt/model_executor/model_runner.py',
    caller: 'ModelRunner.init_memory_pool',
  },
  { release: '0.5.9', file: mixin, caller: 'ModelRunnerKVCacheMixin.init_memory_pool' },
  { release: '0.5.12', file: mixin, caller: 'ModelRunnerKVCacheMixin._resolve_memory_pool_config' },
];
const folders = await fetchAll(places.map(({ release }) => release));
const here = places.filter(({ release }) => folders.has(release));

async function withLog(
  { release, file, caller }: Place,
  log: string,
): Promise<{ found: AnnotatedFunction; notes: readonly PythonAnnotation[] }> {
  const [account] = accountOfLog(readLogText(sharedFile(`logs/${log}`)));
  if (account === undefined) {
    throw new Error('no run');
  }
  const bytesPerToken = bytesPerTokenOf(account);
  const annotations = await annotateRelease(folders.get(release) ?? '', file, {
    inputs: runBindings(account),
    // A log without the dump of arguments does not tell it.
    settings: givenValues({ page_size: 1 }),
    ...(bytesPerToken !== undefined && { bytesPerToken }),
  });
  const found = annotations.functions.find(({ name }) => name === caller);
  if (found === undefined) {
    throw new Error(`no ${caller}`);
  }
  return { found, notes: annotations.annotations.filter(one => one.function === caller) };
}

/** Amounts of tokens, without those that only come from a constant. */
function tokenNotes(notes: readonly PythonAnnotation[]): readonly PythonAnnotation[] {
  return notes.filter(({ unit, name }) => unit === units.token && name !== 'page_size');
}

withShared(() => {
  describe('the caller of the sizing function', () => {
    test.each(here.map(place => [place.release, place] as const))(
      'shows in %s what crashed the failing run',
      async (release, place) => {
        const { found, notes } = await withLog(place, 'seed-failing.log');
        for (const { quantity, name } of tokenNotes(notes)) {
          // The log prints max_tokens=-314811, and rounds what it is made of.
          expect(quantity, name).toBeDefined();
          expect(quantity?.interval.lo).toBeLessThanOrEqual(-314811);
          expect(quantity?.interval.hi).toBeGreaterThanOrEqual(-314811);
          expect(Number(quantity?.interval.hi) - Number(quantity?.interval.lo)).toBeLessThan(50);
        }
        if (release !== '0.1.3') {
          expect(found.raises).toMatch(/^RuntimeError: Not enough memory/);
          expect(found.missing).toEqual([]);
        }
      },
    );

    test.each(here.map(place => [place.release, place] as const))(
      'shows in %s the tokens of the run that served',
      async (_release, place) => {
        const { found, notes } = await withLog(place, 'seed-baseline.log');
        const tokens = tokenNotes(notes);
        expect(tokens.length).toBeGreaterThan(0);
        for (const { quantity, name } of tokens) {
          // The log prints max_total_num_tokens=159287; its fraction is known from its pools alone.
          expect(quantity, name).toBeDefined();
          expect(quantity?.interval.lo).toBeLessThanOrEqual(159287);
          expect(quantity?.interval.hi).toBeGreaterThanOrEqual(159287);
          expect(Number(quantity?.interval.hi) - Number(quantity?.interval.lo)).toBeLessThan(2000);
          expect(quantity?.basis).toBe('assumed');
        }
        expect(found.raises).toBeUndefined();
      },
    );
  });
});
