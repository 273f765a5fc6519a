/**
 * The fraction that a release takes where no flag gives one, as formula text (reference 4.1 and
 * 4.2): defaults of chunk and graph sizes, the reserves in MiB, the fraction, and the multipliers
 * that follow. Leaves out other devices than GPUs.
 */
import type { EraTable } from './eraTable';

/** Tokens of a prefill chunk by the card. */
export const defaultChunk: EraTable = [
  { from: '0.4.0', text: 'chunked_prefill_size = 2048 if card < 25000 else 8192' },
  {
    from: '0.4.7',
    text: 'chunked_prefill_size = 16384 if card > 180000 else 2048 if card < 25000 else 8192',
  },
  {
    from: '0.4.7.post1',
    text: `
chunked_prefill_size = 2048 if card < 35 * 1024 else 8192 if card < 160 * 1024 else 16384
`,
  },
  {
    from: '0.5.3rc2',
    text: `
_smaller_chunk = 2048 if card < 35 * 1024 else 4096
chunked_prefill_size = _smaller_chunk if card < 60 * 1024 else 8192 if card < 160 * 1024 else 16384
`,
  },
  {
    from: '0.5.20',
    text: `
_smaller_chunk = 2048 if card < 20 * 1024 else 4096
chunked_prefill_size = _smaller_chunk if card < 60 * 1024 else 8192 if card < 160 * 1024 else 16384
`,
  },
];

function graphSizes(few: number, many: number): string {
  return `
_few_ranks = 8 if card < 20 * 1024 else ${few} if card < 35 * 1024 else 32 if card < 60 * 1024 else 256
_many_ranks = 8 if card < 20 * 1024 else ${many} if card < 35 * 1024 else 160 if card < 60 * 1024 else 512
_by_ranks = _few_ranks if tp_size < 4 else _many_ranks
cuda_graph_max_bs = _by_ranks if card < 160 * 1024 else 512
`;
}

/** Largest batch of captured decode graphs by card and ranks. */
export const defaultGraphSize: EraTable = [
  { from: '0.5.3rc2', text: graphSizes(16, 80) },
  { from: '0.5.4.post1', text: graphSizes(24, 80) },
  { from: '0.5.20', text: graphSizes(48, 160) },
];

/** From here on no default graph is larger than the limit of running requests. */
export const graphsWithinRequestsFrom = '0.5.22';

/** The default within a limit of running requests. */
export const graphsWithinRequests = `
_default_graph_size = cuda_graph_max_bs
cuda_graph_max_bs = min(_default_graph_size, max_running_requests)
`;

/** Classes that one kind of card captures up to that limit where the default is smaller, from 0.5.20 on. */
export const graphsUpToRequests = {
  from: '0.5.20',
  architectures: ['Qwen3VLForConditionalGeneration', 'Qwen3VLMoeForConditionalGeneration'],
  mostRequests: 512,
  text: `
_usual_graph_size = cuda_graph_max_bs
_larger_graph_size = max(_usual_graph_size, max_running_requests)
_raised_graph_size = _larger_graph_size if raised_graphs else _usual_graph_size
cuda_graph_max_bs = _usual_graph_size if card < 60 * 1024 else _raised_graph_size
`,
} as const;

function tiers(
  ranks: string,
  sixteen: string,
  eight: string,
  four: string,
  two: string,
  one: string,
) {
  return `
_two_or_one = ${two} if ${ranks} >= 2 else ${one}
_four_or_less = ${four} if ${ranks} >= 4 else _two_or_one
_eight_or_less = ${eight} if ${ranks} >= 8 else _four_or_less
tier = ${sixteen} if ${ranks} >= 16 else _eight_or_less
`;
}

const tp = (sixteen: string, eight: string, four: string, two: string, one: string): string =>
  tiers('tp_size', sixteen, eight, four, two, one);

/** With reserves by size of the card, above 96 GiB: not less than a share of it, nor than 18 GiB. */
const largeCard = (reserve: string): string => `
_large = min(tier + 48 * gib * (1 - tier) / card, (card - ${reserve} * gib) / card)
`;

const byCapacity = `
_parallel = tp_size * pp_size
_small_reserve = (2.8 + _parallel / 10) * gib
_medium_reserve = (9.5 + _parallel / 2) * gib
_large_reserve = (12 + _parallel / 2) * gib
_upper_reserve = _large_reserve if card < 160 * 1024 else 32 * gib
card_reserve = _small_reserve if card < 35 * 1024 else _medium_reserve if card < 90 * 1024 else _upper_reserve
reserve = card_reserve + speculative_reserve + attention_reserve
fraction = round((card - reserve) / card, 3)
`;

/** Reserves for one run: activations, graphs, ranks; not less than 10 GiB on cards above 60 GiB. */
const bySizes = `
activation_reserve = activation_tokens * 1.5 * mib
rank_reserve = tp_size * pp_size / 8 * gib
_sum = 512 * mib + activation_reserve + graph_reserve + rank_reserve + attention_reserve + prefill_reserve
_floored = max(_sum, 10 * gib) if card > 60 * 1024 else _sum
reserve = _floored + speculative_reserve + late_reserve + exchange_reserve
fraction = round((card - reserve) / card, 3)
`;

/** The fraction without a flag, before multipliers. */
export const automaticFraction: EraTable = [
  { from: '0.1.3', text: 'fraction = 0.8 if tp_size > 1 else 0.9' },
  { from: '0.1.5', text: `${tp('0.80', '0.80', '0.82', '0.85', '0.90')}fraction = tier` },
  { from: '0.1.20', text: `${tp('0.78', '0.78', '0.80', '0.85', '0.88')}fraction = tier` },
  { from: '0.1.21', text: `${tp('0.74', '0.78', '0.82', '0.85', '0.88')}fraction = tier` },
  { from: '0.1.23', text: `${tp('0.80', '0.84', '0.86', '0.88', '0.89')}fraction = tier` },
  { from: '0.2.7', text: `${tp('0.79', '0.83', '0.85', '0.87', '0.88')}fraction = tier` },
  { from: '0.3.6', text: `${tp('0.79', '0.82', '0.85', '0.87', '0.88')}fraction = tier` },
  { from: '0.4.0', text: `${tp('0.79', '0.81', '0.85', '0.87', '0.88')}fraction = tier` },
  {
    from: '0.4.5.post3',
    text: `${tp('0.79', '0.81', '0.85', '0.87', '0.88')}
fraction = tier if card <= 81920 else (card - 13 * gib) / card
`,
  },
  {
    from: '0.4.6.post2',
    text: `
_ranks = tp_size * pp_size
${tiers('_ranks', '0.79', '0.81', '0.85', '0.87', '0.88').replace('tier =', '_small_tier =')}
tier = _small_tier if card <= 81920 else 0.88
${largeCard('18')}
fraction = _large if card > 96 * 1024 else tier
`,
  },
  {
    from: '0.4.7',
    text: `
_ranks = tp_size * pp_size
${tiers('_ranks', '0.79', '0.81', '0.85', '0.87', '0.88').replace('tier =', '_small_tier =')}
tier = _small_tier if card <= 81920 else 0.88
${largeCard('(18 + 2 * speculative)')}
_smaller = tier * 0.95 if speculative else tier
fraction = 0.79 if card > 180000 else _large if card > 96 * 1024 else _smaller
`,
  },
  { from: '0.4.7.post1', text: byCapacity },
  { from: '0.5.3rc2', text: bySizes },
];

/** Where post-capture sizing is planned: graphs and activations are measured instead (0.5.16 on). */
export const postCaptureFraction: EraTable = [
  {
    from: '0.5.16',
    text: `
reserve = 512 * mib + tp_size * pp_size / 8 * gib
fraction = round((card - reserve) / card, 3)
`,
  },
  {
    from: '0.5.18',
    text: `
reserve = 1.5 * gib + tp_size * pp_size / 8 * gib
fraction = round((card - reserve) / card, 3)
`,
  },
];

/** Tokens whose activations are reserved for. */
export const activationTokens = {
  chunk: 'activation_tokens = max(chunked_prefill_size, 2048)',
  decode: 'activation_tokens = max(max_running_requests * draft_tokens, 2048)',
} as const;

export const graphReserve = {
  captured: 'graph_reserve = cuda_graph_max_bs * 2 * mib',
  none: 'graph_reserve = 0 * mib',
} as const;

/** Data-parallel attention needs padding, and more for large graphs. */
export const attentionReserve: EraTable = [
  { from: '0.1.3', text: 'attention_reserve = 0 * mib' },
  { from: '0.4.7.post1', text: 'attention_reserve = 4 * gib' },
  {
    from: '0.5.3rc2',
    text: `
_padding_reserve = cuda_graph_max_bs * dp_size * 3 * mib
_large_graph_reserve = cuda_graph_max_bs * dp_size * 1.5 * mib if cuda_graph_max_bs > 300 else 0 * mib
attention_reserve = _padding_reserve + _large_graph_reserve
`,
  },
];

export const noAttentionReserve = 'attention_reserve = 0 * mib';

/** Buffers of the DeepEP exchange of experts that decode graphs capture. */
export const exchangeReserve: EraTable = [
  { from: '0.1.3', text: 'exchange_reserve = 0 * mib' },
  { from: '0.5.15', text: 'exchange_reserve = 2 * gib' },
];

export const noExchangeReserve = 'exchange_reserve = 0 * mib';

/** Weights and graphs of a draft, until 0.5.14 loaded it before sizing. */
export const speculativeReserve = {
  none: [{ from: '0.1.3', text: 'speculative_reserve = 0 * mib' }],
  standalone: [
    { from: '0.1.3', text: 'speculative_reserve = 0 * mib' },
    { from: '0.4.7.post1', text: 'speculative_reserve = 2 * gib' },
    { from: '0.5.2', text: 'speculative_reserve = 6 * gib' },
    { from: '0.5.14', text: 'speculative_reserve = 0 * mib' },
  ],
  ngram: [
    { from: '0.1.3', text: 'speculative_reserve = 0 * mib' },
    { from: '0.4.7.post1', text: 'speculative_reserve = 2 * gib' },
    { from: '0.5.3rc2', text: 'speculative_reserve = 0 * mib' },
  ],
  other: [
    { from: '0.1.3', text: 'speculative_reserve = 0 * mib' },
    { from: '0.4.7.post1', text: 'speculative_reserve = 2 * gib' },
    { from: '0.5.10rc0', text: 'speculative_reserve = 4 * gib' },
    { from: '0.5.14', text: 'speculative_reserve = 0 * mib' },
  ],
} as const satisfies Readonly<Record<string, EraTable>>;

/** How many sizes of prefill graphs are captured: steps that grow with the size. */
const prefillSizes = (above512: string): string => `
_up_to_32 = min(piecewise_max_tokens // 4, 8)
_up_to_256 = max(0, min((piecewise_max_tokens - 32) // 16, 14))
_up_to_512 = max(0, min((piecewise_max_tokens - 256) // 32, 8))
_up_to_1024 = ${above512}
_up_to_4096 = max(0, min((piecewise_max_tokens - 1024) // 256, 12))
_above_4096 = max(0, (piecewise_max_tokens - 4096) // 512)
prefill_sizes = _up_to_32 + _up_to_256 + _up_to_512 + _up_to_1024 + _up_to_4096 + _above_4096
prefill_reserve = prefill_sizes * 8 * mib
late_reserve = 0 * mib
`;

/** Up to 0.5.8.post1 the step from 512 to 640 is wider. */
const earlierSizes = prefillSizes('max(0, min((piecewise_max_tokens - 576) // 64, 7))');
const laterSizes = prefillSizes('max(0, min((piecewise_max_tokens - 512) // 64, 8))');

const nothingReserved = 'prefill_reserve = 0 * mib\nlate_reserve = 0 * mib';

/** Prefill graphs, where they are captured; `latent` for models with latent attention. */
export const prefillReserve = {
  none: [{ from: '0.1.3', text: nothingReserved }],
  heads: [
    { from: '0.1.3', text: nothingReserved },
    {
      from: '0.5.5.post1',
      text: 'prefill_reserve = 0 * mib\nlate_reserve = piecewise_max_tokens / 1024 * gib // 4',
    },
    {
      from: '0.5.7',
      text: 'prefill_reserve = 0 * mib\nlate_reserve = piecewise_max_tokens / 1024 * gib // 8',
    },
    { from: '0.5.8', text: earlierSizes },
    { from: '0.5.9', text: laterSizes },
  ],
  latent: [
    { from: '0.1.3', text: nothingReserved },
    {
      from: '0.5.5.post1',
      text: 'prefill_reserve = 0 * mib\nlate_reserve = piecewise_max_tokens / 1024 * gib // 4',
    },
    {
      from: '0.5.7',
      text: 'prefill_reserve = 0 * mib\nlate_reserve = piecewise_max_tokens / 1024 * gib // 8',
    },
    { from: '0.5.8', text: earlierSizes },
    { from: '0.5.9', text: laterSizes },
    { from: '0.5.10rc0', text: 'prefill_reserve = 1.5 * gib\nlate_reserve = 0 * mib' },
  ],
} as const satisfies Readonly<Record<string, EraTable>>;

/** The largest prefill graph where no flag gives one; models with latent attention stop at 2048. */
export const largestPrefillGraph = {
  heads: [
    { from: '0.1.3', text: 'piecewise_max_tokens = 4096' },
    { from: '0.5.7', text: 'piecewise_max_tokens = chunked_prefill_size' },
  ],
  latent: [
    { from: '0.1.3', text: 'piecewise_max_tokens = 4096' },
    { from: '0.5.7', text: 'piecewise_max_tokens = chunked_prefill_size' },
    { from: '0.5.8', text: 'piecewise_max_tokens = 2048' },
  ],
  /** With pipeline stages, where a flag captures prefill graphs all the same. */
  staged: { from: '0.5.19', text: 'piecewise_max_tokens = min(chunked_prefill_size, 8192)' },
} as const;

/** No default prefill graph is larger than a limit of the pool. */
export const prefillGraphsWithinPool = [
  { from: '0.1.3', text: 'piecewise_max_tokens = default_prefill_graph' },
  {
    from: '0.5.10rc0',
    text: 'piecewise_max_tokens = min(default_prefill_graph, max_total_num_tokens / token)',
  },
] as const satisfies EraTable;

/** For four releases none is larger than a context length that is given. */
export const prefillGraphsWithinContext: EraTable = [
  { from: '0.1.3', text: 'piecewise_max_tokens = default_prefill_graph' },
  {
    from: '0.5.13',
    text: 'piecewise_max_tokens = min(default_prefill_graph, context_length / token)',
  },
  { from: '0.5.17', text: 'piecewise_max_tokens = default_prefill_graph' },
];

/**
 * Graphs beside DeepEP from 0.5.17 on: sizes in eights, up to 2048 where no flag says more, and a bridge
 * between their pieces.
 */
export const exchangeGraphs = {
  from: '0.5.17',
  largest: 'piecewise_max_tokens = 2048',
  heads: laterSizes
    .replace('min(piecewise_max_tokens // 4, 8)', 'min((piecewise_max_tokens // 4 + 1) // 2, 4)')
    .replace('prefill_sizes * 8 * mib', 'prefill_sizes * 8 * mib + gib'),
  latent: 'prefill_reserve = 2.5 * gib\nlate_reserve = 0 * mib',
} as const;

/** Where it is not known whether prefill graphs are captured. */
export const openPrefillReserve = 'prefill_reserve = graphs_reserve if prefill_graphs else 0 * mib';

/** Models with a vision tower get less, by its size against 24 layers of width 1024. */
export const visionMultiplier: EraTable = [
  { from: '0.1.3', text: 'multiplier = 1' },
  { from: '0.3.5', text: 'multiplier = 0.95' },
  { from: '0.4.4.post4', text: 'multiplier = 0.9' },

  {
    from: '0.4.9.post3',
    text: `
complexity = vit_layers * vit_hidden_size ** 2 / (24 * 1024 ** 2)
adjustment = max(0.8, min(1.05, 1.0 - 0.1 * (complexity - 1.0)))
multiplier = 0.95 * adjustment
`,
  },
];

/** The aiter attention backend with a context above 8192; in the printed value from 0.5.4.post1 on. */
export const aiterMultiplier: EraTable = [
  { from: '0.1.3', text: 'backend_multiplier = 1' },
  { from: '0.4.7', text: 'backend_multiplier = 0.85' },
  { from: '0.5.4.post1', text: 'backend_multiplier = 0.90' },
  { from: '0.5.4.post2', text: 'backend_multiplier = 0.85' },
];

/** What is left of the plain fraction. */
export const effectiveFraction = 'effective = fraction * multiplier * backend_multiplier';
