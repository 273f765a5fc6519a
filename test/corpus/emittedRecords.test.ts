/** What the sources of a release printed of the failing run, whose lines are counted in the text. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { emittedRecords } from '../../src/core/annotate/python/emittedRecords';
import { readLogText } from '../../src/core/log/readLog';
import { fetchAll } from './release';
import { sharedFile, withShared } from './sharedFile';

const folders = await fetchAll(['0.5.9']);

/** Lines of the log that contain one of the words. */
function lineNumbers(log: string, words: readonly string[]): number[] {
  return log
    .split(/\r?\n/)
    .flatMap((line, at) => (words.some(word => line.includes(word)) ? [at + 1] : []));
}

withShared(() => {
  describe('the sources of the release that failed', () => {
    for (const [release, folder] of folders) {
      const read = (path: string) =>
        Promise.resolve(existsSync(path) ? readFileSync(path, 'utf8') : undefined);
      const wanted = [
        {
          file: 'model_executor/model_runner.py',
          name: 'load_model',
          words: ['Load weight begin', 'Load weight end'],
        },
        {
          file: 'model_executor/model_runner.py',
          name: 'init_torch_distributed',
          words: ['Init torch distributed begin', 'Init torch distributed ends'],
        },
        {
          file: 'model_executor/model_runner_kv_cache_mixin.py',
          name: 'init_memory_pool',
          words: ['RuntimeError: Not enough memory'],
        },
      ];
      for (const { file, name, words } of wanted) {
        test(`${release} has its lines at ${name}`, async () => {
          const path = `${folder}/sglang/srt/${file}`;
          const text = readFileSync(path, 'utf8');
          const log = sharedFile('logs/seed-failing.log');
          const found = await emittedRecords(path, text, readLogText(log).records, read);
          const rows = text.split('\n');
          const own = found.find(({ line }) => rows[line - 1]?.includes(`def ${name}(`));
          const expected = lineNumbers(log, words);
          expect(expected.length).toBeGreaterThan(0);
          expect(own?.records.map(({ line }) => line)).toEqual(expected);
          expect(own?.isShared).toBe(false);
        });
      }
    }
  });
});
