/** Paths of models in launch arguments: those of the log's own machine, never of another one. */
import { describe, expect, test } from 'vitest';
import { pathInLog } from '../../../src/core/annotate/log/modelPath';
import { readLog } from '../../../src/core/log/readLog';
import { sourceOf } from './memorySource';

async function pathOf(printed: string) {
  const line = `[2026-01-24 16:18:08] server_args=ServerArgs(model_path=${printed}, tp_size=8)\n`;
  const { runs } = await readLog(sourceOf(line));
  const [run] = runs;
  return run && pathInLog(run);
}

describe('the path of the model in a log', () => {
  test('is a folder of its machine', async () => {
    expect(await pathOf("'/models/kimi-k2.5/'")).toEqual({
      path: '/models/kimi-k2.5',
      name: 'kimi-k2.5',
      isAbsolute: true,
    });
    expect(await pathOf(String.raw`'D:\\models\\kimi'`)).toEqual({
      path: '/D:/models/kimi',
      name: 'kimi',
      isAbsolute: true,
    });
  });

  test('or the name of a repository of models, which is no file', async () => {
    expect(await pathOf("'moonshotai/Kimi-K2.5'")).toMatchObject({
      name: 'Kimi-K2.5',
      isAbsolute: false,
    });
  });

  test.each([
    String.raw`'\\\\server\\share\\model'`,
    "'//server/share/model'",
    "'/models/../../etc'",
    "'/'",
    "''",
    'None',
    `'/${'a'.repeat(2000)}'`,
  ])('is nothing for %s', async printed => {
    expect(await pathOf(printed)).toBeUndefined();
  });
});
