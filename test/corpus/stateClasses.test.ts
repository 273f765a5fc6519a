/** Classes with state: those whose files in the releases use a layer that keeps one. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isListedWithState } from '../../src/core/sglang/layout/bufferArchitecture';
import { fetchAll } from './release';

const releases = ['0.5.2', '0.5.6', '0.5.9', '0.5.12', '0.5.15', '0.5.18', '0.5.20', '0.5.23'];
const folders = await fetchAll(releases);

const stateLayer =
  /\b(?:MambaMixer2?|RadixLinearAttention|Qwen3GatedDeltaNet|KimiDeltaAttention|Lfm2(?:Moe)?ShortConv|HybridLinearAttnBackend)\b/;
/** Of drafts, which are no server's own class. */
const draft = /NextN$|MTP$|DraftModel$/;

/** Names that the file gives to the register of models. */
function registered(source: string): readonly string[] {
  const [, list = ''] = /^EntryClass\s*=\s*(\[[^\]]*\]|\w+)/m.exec(source) ?? [];
  return list.match(/\w+/g) ?? [];
}

function classesWithState(folder: string): readonly string[] {
  const models = join(folder, 'sglang/srt/models');
  return readdirSync(models)
    .filter(name => name.endsWith('.py'))
    .map(name => readFileSync(join(models, name), 'utf8'))
    .filter(source => stateLayer.test(source))
    .flatMap(registered)
    .filter(name => !draft.test(name));
}

describe('classes that keep state', () => {
  test('are there in every release', () => {
    expect(folders.size).toBe(process.env['CI'] === 'true' ? releases.length : folders.size);
  });

  test.each([...folders])('are all listed of %s', (_release, folder) => {
    const classes = classesWithState(folder);
    expect(classes).toContain('Qwen3NextForCausalLM');
    expect(classes.filter(name => !isListedWithState(name))).toEqual([]);
  });
});
