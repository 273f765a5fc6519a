/**
 * The distinct bodies of the functions that size memory, over all releases: each must evaluate to
 * what CPython gives for the same inputs. `body/pinned.json` lists them with the releases to fetch;
 * `scripts/bodies.mjs` makes the list anew, and its list of all releases can be tried instead.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Body } from './body/scenario';
import type { TrialResult } from './body/tryBodies';
import {
  changedOf,
  expectedOf,
  listBodies,
  reportLine,
  tryBody,
  tryChanged,
} from './body/tryBodies';
import { fetchAll } from './release';

const listFile = process.env['KVLENS_BODIES'] ?? join(import.meta.dirname, 'body', 'pinned.json');
const isReport = process.env['KVLENS_BODIES'] !== undefined;

/** The share of the bodies that must evaluate. */
const wantedShare = 0.95;

const pinned = JSON.parse(readFileSync(listFile, 'utf8')) as readonly Body[];
const folders = await fetchAll(new Set(pinned.map(({ releases }) => releases[0] ?? '')));

describe('the distinct bodies of memory functions over all releases', () => {
  const trials = pinned.flatMap(body => {
    const [release = ''] = body.releases;
    const folder = folders.get(release);
    return folder === undefined ? [] : [{ body, release, folder }];
  });

  test('are those that the releases have', () => {
    const found = new Set(listBodies(folders).map(({ function: name, hash }) => `${name} ${hash}`));
    for (const { body } of trials) {
      expect(found).toContain(`${body.function} ${body.hash}`);
    }
    expect(trials.length).toBe(process.env['CI'] === 'true' ? pinned.length : trials.length);
    expect(pinned.length).toBeGreaterThan(80);
  });

  test(
    'evaluate to the numbers that CPython gives for the same inputs',
    { timeout: 900_000 },
    async () => {
      const expected = expectedOf(trials);
      const results: TrialResult[] = [];
      for (const [at, trial] of trials.entries()) {
        results.push(await tryBody(trial, expected[at] ?? []));
      }
      const right = results.filter(({ isRight }) => isRight).length;
      const report = results.map(reportLine).join('\n');
      if (isReport) {
        console.log(`${report}\n${right} of ${results.length} bodies evaluate`);
      }
      const wrong = results.flatMap(({ outcomes }) => outcomes.flatMap(one => one.wrong));
      expect(wrong, report).toEqual([]);
      expect(right / results.length, report).toBeGreaterThanOrEqual(wantedShare);
    },
  );

  test('follow other names and another number, as CPython does', { timeout: 900_000 }, async () => {
    const changed = changedOf(trials);
    const results: TrialResult[] = [];
    for (const [at, trial] of trials.entries()) {
      const expected = changed[at];
      if (expected !== undefined) {
        results.push(await tryChanged(trial, expected));
      }
    }
    const right = results.filter(({ isRight }) => isRight).length;
    const report = results.map(reportLine).join('\n');
    if (isReport) {
      console.log(`${report}\n${right} of ${results.length} changed bodies evaluate`);
    }
    const wrong = results.flatMap(({ outcomes }) => outcomes.flatMap(one => one.wrong));
    expect(wrong, report).toEqual([]);
    expect(right / results.length, report).toBeGreaterThanOrEqual(wantedShare);
  });
});
