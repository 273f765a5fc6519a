/**
 * Lines about pools of recurrent state (linear attention). "GB" here is GiB on every line.
 */
import { count, gib, word } from './field';
import type { LineForm } from './lineForm';
import { pattern } from './pattern';

export const statePoolForms = [
  {
    id: 'state-pool',
    phase: 'pools',
    event: 'pool',
    owner: 'sglang',
    level: 'info',
    anchors: ['Mamba Cache is allocated'],
    pattern: pattern`Mamba Cache is allocated\.(?: max_mamba_cache_size: <slots#>,)?(?: \.\.\.)?(?: conv_state size: <conv> ?GB, ssm_state size: <ssm> ?GB)?(?:,? intermediate_ssm_state_cache size: <intermediateSsm> ?GB,? intermediate_conv_window_cache size: <intermediateConv> ?GB)?`,
    fields: {
      slots: count('stateSlots'),
      conv: gib(),
      ssm: gib(),
      intermediateSsm: gib(),
      intermediateConv: gib(),
    },
    informs: ['statePool', 'bytesPerSlot'],
    labels: ['conv_state size:', 'ssm_state size:', 'intermediate_ssm_state_cache size:'],
    closes: ['intermediateConv'],
    wraps: /^(?:conv_state size|ssm_state size|intermediate_)/,
    spellings: [
      {
        has: ['conv'],
        lacks: ['slots', 'intermediateSsm'],
        releases: [{ from: '0.5.2', to: '0.5.3.post1' }],
        emitters: ['mem_cache/memory_pool.py::MambaPool.__init__'],
      },
      {
        has: ['conv', 'intermediateSsm'],
        lacks: ['slots'],
        releases: [{ from: '0.5.3rc0', to: '0.5.3.post1' }],
        emitters: ['mem_cache/memory_pool.py::MambaPool.__init__'],
      },
      {
        has: ['slots', 'conv'],
        lacks: ['intermediateSsm'],
        releases: [{ from: '0.5.3.post2' }],
        emitters: ['mem_cache/memory_pool.py::MambaPool.__init__'],
      },
      {
        has: ['slots', 'conv', 'intermediateSsm'],
        releases: [{ from: '0.5.3.post2' }],
        emitters: ['mem_cache/memory_pool.py::MambaPool.__init__'],
      },
    ],
  },
  {
    id: 'state-ring-buffers',
    phase: 'pools',
    event: 'pool',
    owner: 'sglang',
    level: 'info',
    anchors: ['ReplaySSM ring buffers allocated'],
    pattern: pattern`GDN ReplaySSM ring buffers allocated \((?:L=<length#>|record_len=<recordLength#>, fold=(?<fold>\w+))\): d=<d>GB, k=<k>GB, g=<g>GB(?: rawv=<rawV>GB, rawk=<rawK>GB,(?: beta=<beta>GB)?)?(?<slots> slots=<slotCount#>)?`,
    fields: {
      length: count(undefined, ['length', 'recordLength']),
      fold: word(),
      d: gib(),
      k: gib(),
      g: gib(),
      rawV: gib(),
      rawK: gib(),
      beta: gib(),
      slotCount: count(),
    },
    informs: ['statePool'],
    ends: ['slotCount'],
    spellings: [
      {
        has: ['length'],
        releases: [{ from: '0.5.15', to: '0.5.16' }],
        emitters: [
          'model_executor/model_runner.py::ModelRunner.model_specific_adjustment',
          'mem_cache/memory_pool.py::MambaPool.__init__',
        ],
      },
      {
        has: ['recordLength'],
        releases: [{ from: '0.5.17' }],
        emitters: ['mem_cache/memory_pool.py::MambaPool.__init__'],
      },
    ],
  },
  {
    id: 'int8-state-pool',
    phase: 'pools',
    event: 'pool',
    owner: 'sglang',
    level: 'info',
    anchors: ['int8 mamba checkpoint pool'],
    pattern: pattern`int8 mamba checkpoint pool(?:: <slots#> slots, <size>GB \(qdata <qdata> \+ scale <scale> \+ conv <conv>\); active mamba pool <active#> slots(?:; free HBM <freeAfter>GB)?| \(<headroom>GB\) is allocated from --mem-fraction-static headroom| needs ~<needed>GB but only <free>GB HBM is free)`,
    fields: {
      slots: count(),
      size: gib(),
      qdata: gib(),
      scale: gib(),
      conv: gib(),
      active: count('stateSlots'),
      headroom: gib(),
      needed: gib(),
      free: gib(undefined, ['free', 'freeAfter']),
    },
    spellings: [
      {
        releases: [{ from: '0.5.14' }],
        emitters: ['mem_cache/mamba_checkpoint_pool.py::maybe_init_int8_mamba_checkpoint_pool'],
      },
    ],
  },
] as const satisfies readonly LineForm[];
