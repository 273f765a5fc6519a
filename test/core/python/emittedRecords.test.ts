/** From a source file to the lines of a log that its functions printed. */
import { describe, expect, test } from 'vitest';
import { emittedRecords } from '../../../src/core/annotate/python/emittedRecords';
import { readLogText } from '../../../src/core/log/readLog';

const path = 'file:///w/srt/model_executor/model_runner.py';
const absent = () => Promise.resolve(undefined);

const runner = [
  'class Other:',
  '    def load_model(self):',
  '        log("Load weight begin.")',
  'class ModelRunner:',
  '    def load_model(self):',
  '        logger.info(',
  '            f"Load weight "',
  '            f"begin. left={left}"',
  '        )',
  '    def profile(self):',
  '        left = 1',
  '        print(f"DEBUG profile_max_num_token: avail={a}")',
].join('\n');

const { records } = readLogText(
  [
    '[2026-02-27 12:30:08 TP1] Load weight begin. avail mem=94.00 GB',
    '[2026-02-27 12:30:08 TP0] Load weight begin. avail mem=94.00 GB',
    '[2026-02-27 12:30:09 TP0] DEBUG profile_max_num_token: avail=21.697 GiB, total=93.999 GiB, fraction=0.55, reserved=42.300 GiB, rest=-20.603 GiB',
    '[2026-02-27 12:30:09 TP0] DEBUG profile_max_num_token: avail=21.697 GiB, total=93.999 GiB, fraction=0.55, reserved=42.300 GiB, rest=-20.603 GiB, cell_size=70272, max_tokens=-314811',
  ].join('\n'),
);

async function linesOf(text: string, from = path): Promise<readonly (readonly number[])[]> {
  const found = await emittedRecords(from, text, records, absent);
  return found.map(one => [one.line, ...one.records.map(({ line }) => line)]);
}

describe('the messages of a log that a source file printed', () => {
  test('are told by function, also where the words are written in pieces', async () => {
    expect(await linesOf(runner)).toEqual([
      [5, 1, 2],
      [10, 3, 4],
    ]);
  });

  test('are none of a function without the words, or of another file', async () => {
    expect(await linesOf(runner.replaceAll('weight ', 'tensors '))).toEqual([[10, 3, 4]]);
    expect(await linesOf(runner, 'file:///w/srt/other/model_runner.py')).toEqual([[10, 3, 4]]);
    expect(await linesOf(runner, 'file:///w/mysrt/model_executor/model_runner.py')).toEqual([
      [10, 3, 4],
    ]);
  });

  test('are none of a file that only mentions the words of a patch', async () => {
    const mention = 'def read(line):\n    words = "DEBUG profile_max_num_token:"\n    return words';
    expect(await linesOf(mention)).toEqual([]);
    expect(await linesOf('# DEBUG profile_max_num_token:')).toEqual([]);
  });

  test('may be those of another function where one of the sources prints the same', async () => {
    const begin = readLogText(
      '[2025-11-01 10:00:00 TP0] Capture draft cuda graph begin. This can take up to several minutes. avail mem=10.00 GB',
    );
    const [record] = begin.records;
    const emitters = record?.spelling?.emitters ?? [];
    expect(emitters.length).toBeGreaterThan(1);
    const source = (emitter: string): string => {
      const [type = '', name = ''] = (emitter.split('::')[1] ?? '').split('.');
      return `class ${type}:\n    def ${name}(self):\n        log(f"Capture draft cuda graph begin.")\n`;
    };
    const [own = '', other = ''] = emitters;
    const file = (emitter: string): string => `/w/srt/${emitter.split('::')[0] ?? ''}`;
    const alone = await emittedRecords(file(own), source(own), begin.records, absent);
    expect(alone.map(({ isShared }) => isShared)).toEqual([false]);
    const beside = await emittedRecords(file(own), source(own), begin.records, asked =>
      Promise.resolve(asked === file(other) ? source(other) : undefined),
    );
    expect(beside.map(({ isShared }) => isShared)).toEqual([true]);
  });
});
