/** English names of the things that core calls by id: quantities, ledger entries, phases. */
import { assumptions } from '../core/account/assumption';
import type { Fractions } from '../core/account/fraction';
import type { GraphKind } from '../core/account/graphKind';
import type { LedgerName } from '../core/account/ledger';
import type { VerdictKind, VerdictPhase } from '../core/account/verdict';
import type { SeriesMetric } from '../core/log/series/seriesMetric';
import type { ColumnId, SectionId } from '../core/report/reportModel';
import type { FormPhase } from '../core/sglang/form/lineForm';
import type { QuantityId } from '../core/sglang/quantityId';

export const quantityNames = {
  totalBeforeLoad: 'free before load, minimum over ranks (P)',
  availableAfterLoad: 'free after load, minimum over ranks (A)',
  loadBeginAvailable: 'free at load begin, this rank',
  loadEndAvailable: 'free at load end, this rank',
  memFractionStatic: 'mem_fraction_static',
  memFractionEffective: 'memory fraction in effect (f)',
  slack: 'kept free, P × (1 − f)',
  restMemory: 'rest for the KV pool, A − P × (1 − f)',
  budgetedBytesPerToken: 'budgeted bytes per token',
  allocatedBytesPerToken: 'allocated bytes per token',
  bytesPerToken: 'bytes per token',
  profiledTokens: 'profiled tokens',
  maxTotalTokens: 'tokens in the pool',
  fullTokens: 'tokens of full-attention layers',
  swaTokens: 'tokens of sliding-window layers',
  maxRequestTokens: 'longest request',
  clusterTokens: 'tokens of all replicas',
  kvPool: 'KV pool',
  swaPool: 'sliding-window pool',
  draftPool: 'draft KV pool',
  statePool: 'state pool',
  stateSlots: 'state slots',
  bytesPerSlot: 'bytes per state slot',
  slotsPerRequest: 'state slots per request',
  weights: 'weights',
  draftWeights: 'draft weights',
  loraPool: 'LoRA pool',
  contextAndComm: 'device context and communication',
  requestToTokenPool: 'request-to-token table',
  graphMemory: 'graphs',
  symmetricMemory: 'symmetric memory',
  multimodalReservation: 'multimodal reservation',
  hostKvPool: 'host KV pool',
  poolEndAvailable: 'free after pools',
  finalAvailable: 'free at ready',
  unaccounted: 'unaccounted',
  contextLength: 'context length',
  maxRunningRequests: 'running requests at most',
  cardCapacity: 'card capacity',
} as const satisfies Record<QuantityId, string>;

/** Names for labels with little room; the others are short already. */
export const shortNames = {
  ...quantityNames,
  totalBeforeLoad: 'P, free before load',
  availableAfterLoad: 'A, free after load',
  slack: 'kept free',
  restMemory: 'rest for the KV pool',
} as const satisfies Record<QuantityId, string>;

/** What serving lines measure. */
export const metricNames = {
  usage: 'share of the pool in use',
  tokens: 'tokens in use',
  swaUsage: 'share of the window pool in use',
  swaTokens: 'window tokens in use',
  stateUsage: 'share of the state pool in use',
  running: 'running requests',
  queue: 'queued requests',
  generationThroughput: 'generation throughput',
  inputThroughput: 'input throughput',
  acceptLength: 'accepted draft tokens',
  retracted: 'retracted requests',
} as const satisfies Record<SeriesMetric, string>;

export const ledgerNames = {
  start: 'free before load',
  context: 'device context of the draft worker',
  loraPool: 'LoRA adapters',
  symmetricMemory: 'symmetric memory',
  weights: 'weights',
  draftWeights: 'draft weights',
  kvPool: 'KV pool',
  swaPool: 'sliding-window pool',
  draftPool: 'draft KV pool',
  statePool: 'state pool',
  requestToTokenPool: 'request-to-token table',
  graphMemory: 'graphs',
  fullPool: 'full KV pool',
  'graphs-target': 'graphs of the target',
  'graphs-draft': 'graphs of the draft',
  'graphs-draft-extend': 'graphs of the draft’s extend step',
  'graphs-prefill': 'graphs of prefill',
  'graphs-verify': 'graphs of the target’s verify step',
  'graphs-draft-prefill': 'graphs of the draft’s prefill',
  'graphs-draft-verify': 'graphs of the draft’s verify step',
  unaccounted: 'unaccounted',
  unaccountedWithWeights: 'unaccounted, weights included',
  unaccountedWithPool: 'unaccounted, KV pool included',
  unaccountedWithBoth: 'unaccounted, weights and KV pool included',
  end: 'free at the end',
} as const satisfies Record<LedgerName, string>;

export const graphNames = {
  target: 'the target',
  draft: 'the draft',
  'draft-extend': 'the draft’s extend step',
  prefill: 'prefill',
  verify: 'the target’s verify step',
  'draft-prefill': 'the draft’s prefill',
  'draft-verify': 'the draft’s verify step',
} as const satisfies Record<GraphKind, string>;

export const phaseNames = {
  arguments: 'launch arguments',
  init: 'initialisation',
  weights: 'weights',
  sizing: 'sizing',
  pools: 'pools',
  capture: 'graph capture',
  'warm-up': 'warm-up',
  serving: 'serving',
  summary: 'summary',
  ready: 'ready',
  host: 'host memory',
  end: 'end',
} as const satisfies Record<VerdictPhase | FormPhase, string>;

export const verdictNames = {
  ok: 'ready',
  'not-enough-memory': 'not enough memory for the KV pool',
  'load-oom': 'out of memory while loading weights',
  'pool-oom': 'out of memory while allocating pools',
  'graph-oom': 'out of memory while capturing graphs',
  'runtime-oom': 'out of memory while serving',
  'pool-exhausted': 'the KV pool ran out of tokens',
  'slots-exhausted': 'the request slots ran out',
  'host-oom': 'the host ran out of memory',
  'rank-imbalance': 'unequal free memory at the start',
  'not-memory': 'failed, with no error that is known to be about memory',
  incomplete: 'the log ends before the server was ready',
} as const satisfies Record<VerdictKind, string>;

/** What an assumption supposes, as a sentence; ids are core/account/assumption.ts. */
export const assumptionNames: Readonly<Record<string, string>> = {
  [assumptions.totalIsBegin]:
    'P is what “Load weight begin” prints: nothing frees memory in between',
  [assumptions.availableIsEnd]: 'A is what “Load weight end” prints',
  [assumptions.ranksShown]: 'ranks that the log does not show have no less memory',
  [assumptions.allocatedAsBudgeted]: 'a token takes as many bytes as the budget divides by',
  [assumptions.noTokenCap]: '--max-total-tokens is not set',
  [assumptions.rowsAreRequests]: 'the request-to-token table has a row for each running request',
  [assumptions.pageIsPowerOfTwo]: 'the page size is a power of two',
  [assumptions.bindingStage]: 'this pipeline stage has the smallest pool',
  [assumptions.unmeasuredCosts]: 'what the log does not measure takes 4 GiB',
  [assumptions.poolFillsBudget]: 'the pool takes its whole budget, less a page',
  [assumptions.stateIsShare]: 'the state pool takes its share of the budget',
  [assumptions.hostFollowsTokens]: 'the host pool grows with the tokens of the pool',
  [assumptions.fractionAsTyped]: 'the typed fraction was in effect',
  [assumptions.draftNearTarget]:
    'a layer of the draft takes from half to twice what one of the target takes',
  [assumptions.costsUnchanged]: 'the other costs stay as measured',
  [assumptions.usageIsOfPool]: 'token usage is tokens in use over tokens of the pool',
  [assumptions.notMultiplied]: 'nothing multiplies the typed fraction',
  [assumptions.aiterMultiplies]: 'aiter multiplies the fraction by 0.85',
  [assumptions.ranksOfNode]: 'all ranks run on one node',
  [assumptions.replicasAlike]: 'the replicas have equal pools',
  [assumptions.contextAtMost]: 'the context takes at most 4 GiB',
  [assumptions.cardAboveFree]: 'the card has at most 8 % more than was free before load',
  [assumptions.configOfModel]: 'the config.json is that of the model',
};

export const fractionNames = {
  claimed: 'claimed',
  effective: 'in effect',
  implied: 'implied by what was sized',
  minimum: 'minimum (nothing fits below)',
  maximum: 'maximum (other flags unchanged)',
} as const satisfies Record<keyof Fractions, string>;

export const sectionNames = {
  run: 'Verdict',
  problems: 'Problems',
  fractions: 'Memory fraction',
  derivation: 'How it was calculated',
  receipt: 'Where bytes per token come from',
  ledger: 'Where the memory went (one rank)',
  ranks: 'Ranks',
  table: 'What other fractions give',
  serving: 'Serving',
  assumptions: 'What this rests on',
  comparison: 'What differs',
  predictions: 'With the other run’s fraction',
} as const satisfies Record<SectionId, string>;

export const columnNames = {
  what: 'What',
  size: 'Value',
  lines: 'Lines',
  fraction: 'f',
  pool: 'KV pool',
  fullPool: 'Full KV pool',
  pools: 'KV and window pools',
  tokens: 'Tokens',
  left: 'Left after known costs',
  rank: 'Rank',
  begin: 'Free before load',
  weights: 'Weights',
  end: 'Free after load',
  final: 'Free at the end',
  last: 'Free on its last line (phases differ)',
  unaccounted: 'Unaccounted',
  a: 'First run',
  b: 'Second run',
  share: 'Share of the token difference',
  origin: 'From',
} as const satisfies Record<ColumnId, string>;

/** Short names of terms in formulas; others are shown by their own name. */
export const symbolNames: Readonly<Record<string, string>> = {
  totalBeforeLoad: 'P',
  availableAfterLoad: 'A',
  memFractionEffective: 'f',
  multimodalReservation: 'reservation',
  statePool: 'state',
  budgetedBytesPerToken: 'bytes_per_token',
  allocatedBytesPerToken: 'allocated_bytes_per_token',
  kvBudget: 'kv_budget',
};
