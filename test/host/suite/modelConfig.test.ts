/** Configs of models: found in the workspace, chosen, shown in hovers and reports; plans. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  eventually,
  fileUri,
  hoverAt,
  readFile,
  reportText,
  show,
  withSettings,
  writeFile,
} from './log';

const config = JSON.stringify(
  {
    architectures: ['KimiK25ForConditionalGeneration'],
    text_config: {
      num_hidden_layers: 61,
      num_attention_heads: 64,
      kv_lora_rank: 512,
      qk_rope_head_dim: 64,
      max_position_embeddings: 262144,
    },
    torch_dtype: 'bfloat16',
  },
  undefined,
  2,
);

const asText = { 'report.openAs': 'text', 'reportPage.enabled': false };

function run(name: string, ...values: readonly unknown[]): Thenable<unknown> {
  return vscode.commands.executeCommand(`sglangKvLens.${name}`, ...values);
}

describe('the config of a model', () => {
  it('is found in the workspace, and the hover of the pool shows where 70,272 comes from', async () => {
    await writeFile('models/kimi/config.json', config);
    const text = await readFile('seed-baseline.log');
    const uri = await writeFile('with-config.log', text);
    const { document } = await show(uri);
    const hover = await eventually('the hover has a receipt', async () => {
      const shown = await hoverAt(document, 'KV Cache is allocated');
      return shown.includes('rotary dimensions') ? shown : undefined;
    });
    assert.match(hover, /70,272 B\/token/);
    assert.match(hover, /576/);
    assert.match(hover, /the same on every rank/);
  });

  it('of other sizes is left alone', async () => {
    const other = config.replace('61', '48');
    const uri = await writeFile('models/other/config.json', other);
    const log = await writeFile('second.log', await readFile('seed-baseline.log'));
    await show(log);
    await withSettings(asText, async () => {
      const text = await eventually('the report has a receipt', async () => {
        const found = await reportText(await run('evaluateBudget', log));
        return found.includes('Where bytes per token come from') ? found : undefined;
      });
      assert.match(text, /61/);
    });
    await vscode.workspace.fs.delete(uri);
  });

  it('is chosen by a command, and one that is refused is explained by its key', async () => {
    const log = await writeFile('third.log', await readFile('seed-failing.log'));
    await show(log);
    const chosen = await run('chooseConfig', log, fileUri('models/kimi/config.json'));
    assert.equal(String(chosen), String(fileUri('models/kimi/config.json')));
    const broken = await writeFile('models/broken/config.json', '{"num_hidden_layers": 4}');
    assert.equal(await run('chooseConfig', log, broken), undefined);
  });
});

describe('“Plan KV Budget”', () => {
  it('reports tokens for each fraction from a config and what is free', async () => {
    const uri = await writeFile('models/kimi/config.json', config);
    await withSettings(asText, async () => {
      const values = { gpuFree: '94 GiB', weights: '72.3 GiB', tp: '8', release: '0.5.9' };
      const text = await reportText(await run('planBudget', uri, values));
      assert.match(text, /70,272 B\/token are budgeted/);
      assert.match(text, /text_config|text&#95;config/);
      assert.match(text, /0\.88.*GiB.*tokens/);
    });
    await vscode.workspace.fs.delete(fileUri('models'), { recursive: true });
  });
});
