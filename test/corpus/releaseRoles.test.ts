/** Functions of the newest releases that take long to look at: each pool configurator has its role. */
import { describe, expect, test } from 'vitest';
import { annotateRelease, fetchAll } from './release';

const folders = await fetchAll(['0.5.20', '0.5.21', '0.5.23']);
const file = 'sglang/srt/model_executor/pool_configurator.py';

describe.each([...folders])('in SGLang %s', (_release, folder) => {
  test('every pool configurator that splits bytes has its role', async () => {
    const { functions } = await annotateRelease(folder, file, {});
    const splits = functions.filter(({ name }) => name.endsWith('.calculate_pool_sizes'));
    expect(splits.length).toBeGreaterThanOrEqual(4);
    expect(splits.map(({ role }) => role)).toEqual(splits.map(() => 'pool-split'));
    const names = splits.map(({ name }) => name);
    expect(names).toContain('DefaultPoolConfigurator.calculate_pool_sizes');
  });
});
