/** Every line of a receipt has a name that is no identifier. */
import { expect, test } from 'vitest';
import { tellingLines } from '../../../src/core/model/receipt';
import { slotBytes } from '../../../src/core/model/statePool';
import { tokenBytes } from '../../../src/core/model/tokenBytes';
import { exactRelease } from '../../../src/core/sglang/layout/eraTable';
import { receiptNames } from '../../../src/wording/receiptNames';
import type { Config } from './configText';
import { layoutOf } from './configText';
import {
  alternating,
  asymmetricWindows,
  compressed,
  gatedDelta,
  heads,
  latent,
  localGlobal,
  sparse,
  stateSpacePattern,
} from './modelConfigs';

const sparseHeads: Config = {
  ...heads(8, 4, 128),
  architectures: ['MiniMaxM3SparseForCausalLM'],
  sparse_attention_config: {
    sparse_index_dim: 128,
    sparse_attention_freq: [0, 1, 1, 1, 1, 1, 1, 1],
  },
};

const configs: readonly Config[] = [
  alternating(24, 8, 64),
  { ...alternating(24, 8, 64), architectures: ['OwnForCausalLM'] },
  asymmetricWindows,
  compressed,
  gatedDelta(48, 2, 32),
  heads(32, 8, 128),
  latent(61),
  localGlobal,
  sparse(61),
  sparseHeads,
  stateSpacePattern,
];

const releases = ['0.4.9.post3', '0.5.8', '0.5.12', '0.5.18', '0.5.23'];
const dtypes = ['auto', 'bfloat16', 'fp8_e4m3', 'nvfp4', 'mxfp8'];
const drafts = [
  undefined,
  { kind: 'eagle' },
  { kind: 'block', layers: 2 },
  { kind: 'standalone' },
] as const;

test.each(configs.map((config, at) => [at, config] as const))('of layout %d', (_at, config) => {
  const layout = layoutOf(config);
  const unnamed = new Set<string>();
  for (const release of releases.map(exactRelease)) {
    const slot = slotBytes(layout, { release, parallel: { tp: 2, pp: 2 } });
    const receipts = slot?.kind === 'known' ? [slot.value.receipt] : [];
    for (const kvDtype of dtypes) {
      for (const draft of drafts) {
        const options = { release, parallel: { tp: 2, pp: 2 }, kvDtype, ...(draft && { draft }) };
        const bytes = tokenBytes(layout, options);
        receipts.push(...(bytes.kind === 'known' ? [bytes.value.receipt] : []));
      }
    }
    for (const { name } of receipts.flatMap(tellingLines)) {
      if (receiptNames[name] === undefined) {
        unnamed.add(name);
      }
    }
  }
  expect([...unnamed]).toEqual([]);
});
