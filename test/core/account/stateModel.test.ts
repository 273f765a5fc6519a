/** Models with state beside keys and values, known by their class where a run fails before its pools. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { hasStateModel } from '../../../src/core/account/stateModel';
import { readLogText } from '../../../src/core/log/readLog';

function keepsState(type: string): boolean {
  const line = `[2026-05-17 10:01:10] Load weight end. elapsed=60.00 s, type=${type}, avail mem=37.20 GB, mem usage=40.90 GB.`;
  return hasStateModel(accountOfLog(readLogText(`${line}\n`))[0]!.run);
}

test.each([
  'KimiK3ForConditionalGeneration',
  'Glm5NextForConditionalGeneration',
  'MiniCPMV4_7ForConditionalGeneration',
  'InklingForConditionalGeneration',
  'ZayaForCausalLM',
  'Qwen3NextForCausalLM',
  'NemotronH_Nano_VL_V2',
  'Lfm2VlForConditionalGeneration',
  'Mamba2ForCausalLM',
])('%s keeps state', type => {
  expect(keepsState(type)).toBe(true);
});

test.each([
  'LlamaForCausalLM',
  'KimiK25ForConditionalGeneration',
  'Glm4MoeForCausalLM',
  // Parts of a name tell nothing.
  'HybridOwnForCausalLM',
  'Qwen3VLForConditionalGeneration',
])('%s keeps none', type => {
  expect(keepsState(type)).toBe(false);
});
