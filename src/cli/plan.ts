/** `kvlens plan --config config.json`: bytes per token, and what each fraction would give. */
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { draftKindOf, exchangeOf, readsRawRows, roleOf } from '../core/account/layoutOptions';
import { kvDtypeNames } from '../core/model/kvDtype';
import { refusalMessage } from '../core/model/modelMessages';
import type { ModelLayout } from '../core/model/modelLayout';
import { planBudget } from '../core/model/plan';
import type { PlanOptions } from '../core/model/planOptions';
import { planRelease } from '../core/model/planRelease';
import type { DraftPlan, ParallelPlan } from '../core/model/tokenBytes';
import type { SlotStrategy } from '../core/sglang/layout/slotsPerRequest';
import { areSlotsOpen, slotsPerRequest } from '../core/sglang/layout/slotsPerRequest';
import type { Quantity } from '../core/units/quantity';
import { readAmount } from '../core/units/readAmount';
import { units } from '../core/units/unit';
import { planJson } from '../core/report/planJson';
import { planReport } from '../core/report/planReport';
import { reportTerminal } from '../wording/reportText';
import { amountIn, fraction } from './argument';
import { printJson, printText, terminalOptions, UsageError, word } from './output';
import { leftOutFlags } from './pastedFlags';
import { readConfig } from './readConfig';

/** Options as commander hands them over, by the names of SGLang's own flags. */
interface PlanFlags {
  readonly config: string;
  readonly release?: string;
  readonly gpuFree?: Quantity;
  readonly weights?: Quantity;
  readonly draftWeights?: Quantity;
  readonly card?: Quantity;
  readonly tp: number;
  readonly pp: number;
  readonly dp: number;
  readonly enableDpAttention?: boolean;
  readonly attnDpSize?: number;
  readonly attnCpSize?: number;
  readonly dcpSize?: number;
  readonly memFractionStatic?: readonly number[];
  readonly kvCacheDtype?: string;
  readonly enableMla?: boolean;
  readonly disableMla?: boolean;
  readonly pageSize?: number;
  readonly contextLength?: number;
  readonly maxTotalTokens?: number;
  readonly maxRunningRequests?: number;
  readonly chunkedPrefillSize?: number;
  readonly maxPrefillTokens?: number;
  readonly cudaGraphMaxBs?: number;
  readonly disableCudaGraph?: boolean;
  readonly disablePiecewiseCudaGraph?: boolean;
  readonly disableOverlapSchedule?: boolean;
  readonly disaggregationMode?: string;
  readonly moeA2aBackend?: string;
  readonly enableMultimodal?: boolean;
  readonly mambaSchedulerStrategy?: string;
  readonly dsaPrefillBackend?: string;
  readonly dsaDecodeBackend?: string;
  readonly enableHierarchicalCache?: boolean;
  readonly swaFullTokensRatio?: number;
  readonly disableHybridSwaMemory?: boolean;
  readonly disableRadixCache?: boolean;
  readonly mambaFullMemoryRatio?: number;
  readonly maxMambaCacheSize?: number;
  readonly mambaSsmDtype?: string;
  readonly speculativeAlgorithm?: string;
  readonly speculativeNumDraftTokens?: number;
  readonly speculativeNumSteps?: number;
  readonly speculativeEagleTopk?: number;
  readonly draftLayers?: number;
  readonly languageOnly?: boolean;
  readonly json?: boolean;
}

/** Registers the command. */
export function registerPlan(program: Command): void {
  const command = program
    .command('plan')
    .description('a budget before anything is started, from config.json, free memory and flags')
    .requiredOption('--config <file>', 'config.json of the model')
    .option('--release <version>', 'release of SGLang; without it the newest that is known')
    .option(
      '--gpu-free <amount>',
      'free before loading, such as "94 GiB"',
      amountIn(units.GiB, '--gpu-free'),
    )
    .option(
      '--weights <amount>',
      'what the weights take on a rank',
      amountIn(units.GiB, '--weights'),
    )
    .option(
      '--draft-weights <amount>',
      'what a draft takes on a rank',
      amountIn(units.GiB, '--draft-weights'),
    )
    .option(
      '--card <amount>',
      'capacity as nvidia-smi shows it, MiB',
      amountIn(units.MiB, '--card'),
    )
    .option('--tp <n>', 'tensor-parallel ranks', wholeNumber, 1)
    .option('--pp <n>', 'pipeline stages', wholeNumber, 1)
    .option('--dp <n>', 'data-parallel groups', wholeNumber, 1)
    .option('--enable-dp-attention', 'attention is data parallel')
    .option('--attn-dp-size <n>', 'data-parallel groups of attention, from 0.5.22 on', wholeNumber)
    .option('--attn-cp-size <n>', 'context-parallel groups of attention', wholeNumber)
    .option('--dcp-size <n>', 'context-parallel groups of decoding', wholeNumber)
    .option(
      '--mem-fraction-static <f>',
      'a fraction for the table (repeatable)',
      (text: string, before: readonly number[] | undefined) => [...(before ?? []), fraction(text)],
    )
    .option('--kv-cache-dtype <dtype>', 'dtype of keys and values', kvDtype)
    .option('--enable-mla', 'latent rows in releases that keep heads by default, up to 0.3.1.post1')
    .option('--disable-mla', 'heads in place of latent rows, from 0.3.1.post2 to 0.4.5.post1')
    .option('--page-size <n>', 'tokens of a page', wholeNumber)
    .option('--context-length <n>', 'tokens of the longest request', wholeNumber)
    .option('--max-total-tokens <n>', 'limit of the pool', wholeNumber)
    .option('--max-running-requests <n>', 'limit of requests', wholeNumber)
    .option('--chunked-prefill-size <n>', 'tokens of a prefill chunk; -1 for none', chunkSize)
    .option('--max-prefill-tokens <n>', 'tokens of a prefill without chunks', wholeNumber)
    .option('--cuda-graph-max-bs <n>', 'largest graph batch', wholeNumber)
    .option('--disable-cuda-graph', 'no graphs for decoding')
    .option('--disable-piecewise-cuda-graph', 'no prefill graphs')
    .option('--disable-overlap-schedule', 'one batch at a time')
    .addOption(
      new Option(
        '--disaggregation-mode <mode>',
        'what the server does of prefill and decoding',
      ).choices(['null', 'prefill', 'decode']),
    )
    .option('--moe-a2a-backend <name>', 'how experts exchange tokens, such as deepep')
    .option('--enable-multimodal', 'the vision tower is loaded where the class of models has one')
    .option('--swa-full-tokens-ratio <r>', 'window tokens per full token', fraction)
    .option('--disable-hybrid-swa-memory', 'window layers have no pool of their own')
    .option('--disable-radix-cache', 'no prefix cache')
    .option('--mamba-full-memory-ratio <r>', 'state against keys and values', positive)
    .option('--max-mamba-cache-size <n>', 'slots of state', wholeNumber)
    .option('--mamba-ssm-dtype <dtype>', 'dtype of the state')
    .option('--speculative-algorithm <name>', 'EAGLE, EAGLE3, NEXTN, STANDALONE, DFLASH, NGRAM')
    .option('--speculative-num-draft-tokens <n>', 'draft tokens a step', wholeNumber)
    .option('--speculative-num-steps <n>', 'steps a draft takes before it is checked', wholeNumber)
    .option('--speculative-eagle-topk <n>', 'branches of a draft', wholeNumber)
    .option('--draft-layers <n>', 'layers of the draft that cache tokens', wholeNumber)
    .option('--language-only', 'the vision tower is not loaded')
    .option(
      '--mamba-scheduler-strategy <name>',
      'how slots of state are kept: no_buffer, extra_buffer',
    )
    .option('--dsa-prefill-backend <name>', 'kernels of sparse attention; trtllm reads raw rows')
    .option('--dsa-decode-backend <name>', 'as --dsa-prefill-backend')
    .option('--enable-hierarchical-cache', 'a cache in host memory behind that of the card')
    .option('--json', 'JSON as in media/schema/plan.schema.json')
    // A launch line may be pasted whole: what is not understood is sorted, not refused.
    .allowUnknownOption()
    .allowExcessArguments()
    .action(plan);
  for (const [name, { key, value }] of Object.entries(otherNames)) {
    const parse = (text: string): unknown => value(text);
    command.addOption(new Option(`--${name} <value>`).argParser(parse).hideHelp());
    command.on(`option:${name}`, (text: string) => {
      command.setOptionValueWithSource(key, value(text), 'cli');
    });
  }
}

/** Names that SGLang has for the same flags, by release. */
const otherNames = {
  'tp-size': { key: 'tp', value: wholeNumber },
  'tensor-parallel-size': { key: 'tp', value: wholeNumber },
  'pp-size': { key: 'pp', value: wholeNumber },
  'pipeline-parallel-size': { key: 'pp', value: wholeNumber },
  'dp-size': { key: 'dp', value: wholeNumber },
  'data-parallel-size': { key: 'dp', value: wholeNumber },
  'attention-data-parallel-size': { key: 'attnDpSize', value: wholeNumber },
  'attention-context-parallel-size': { key: 'attnCpSize', value: wholeNumber },
  'decode-context-parallel-size': { key: 'dcpSize', value: wholeNumber },
  'cuda-graph-max-bs-decode': { key: 'cudaGraphMaxBs', value: wholeNumber },
  'speculative-algo': { key: 'speculativeAlgorithm', value: String },
  'mamba-radix-cache-strategy': { key: 'mambaSchedulerStrategy', value: String },
  'nsa-prefill-backend': { key: 'dsaPrefillBackend', value: String },
  'nsa-decode-backend': { key: 'dsaDecodeBackend', value: String },
} as const satisfies Readonly<
  Record<string, { readonly key: keyof PlanFlags; readonly value: (text: string) => unknown }>
>;

async function plan(flags: PlanFlags, command: Command): Promise<void> {
  const own = command.options.flatMap(({ long }) => long ?? []);
  const leftOut = leftOutFlags(command.args, own);
  const { layout } = await readConfig(flags.config);
  const planned = planBudget(layout, { ...optionsOf(flags, layout), leftOut });
  if (planned.kind === 'refused') {
    throw new UsageError(`${flags.config}: ${word(refusalMessage(planned.refusal))}`);
  }
  if (flags.json === true) {
    printJson(planJson(planned.value, flags.config, word));
  } else {
    printText(reportTerminal(planReport(planned.value), terminalOptions));
  }
}

function optionsOf(flags: PlanFlags, layout: ModelLayout): PlanOptions {
  const planned = planRelease(flags.release);
  if (planned === undefined) {
    throw new UsageError(`${flags.release ?? ''}: is no release, such as 0.5.9 or 0.4.6.post2`);
  }
  return withoutUndefined<PlanOptions>({
    release: planned.release,
    isReleaseSupposed: planned.isReleaseSupposed,
    askedRelease: planned.askedRelease,
    parallel: parallelOf(flags),
    total: flags.gpuFree,
    weights: flags.weights,
    draftWeights: flags.draftWeights,
    fractions: flags.memFractionStatic,
    kvDtype: flags.kvCacheDtype,
    latentRows: flags.disableMla === true ? false : flags.enableMla,
    page: flags.pageSize,
    contextLength: flags.contextLength,
    maxTotalTokens: flags.maxTotalTokens,
    maxRunningRequests: flags.maxRunningRequests,
    chunkedPrefillSize: chunkOf(flags),
    windowRatio: flags.swaFullTokensRatio,
    windowPool: flags.disableHybridSwaMemory === true ? false : undefined,
    disableRadixCache: flags.disableRadixCache,
    disableOverlap: flags.disableOverlapSchedule,
    role: roleOf(flags.disaggregationMode),
    slotsPerRequest: slotsPerRequest(planned.release, strategyOf(flags, layout)),
    areSlotsOpen: areSlotsOpen(planned.release, strategyOf(flags, layout)) || undefined,
    rawSparseRows:
      [flags.dsaPrefillBackend, flags.dsaDecodeBackend].some(readsRawRows) || undefined,
    keepsAllIndexKeys:
      flags.enableHierarchicalCache === true || roleOf(flags.disaggregationMode) !== undefined
        ? true
        : undefined,
    fullMemoryRatio: flags.mambaFullMemoryRatio,
    maxSlots: flags.maxMambaCacheSize,
    stateDtype: flags.mambaSsmDtype,
    draft: draftOf(flags),
    isSpeculative: flags.speculativeAlgorithm === undefined ? undefined : true,
    draftTokens: flags.speculativeNumDraftTokens,
    draftSteps: flags.speculativeNumSteps,
    draftBranches: flags.speculativeEagleTopk,
    automatic: automaticOf(flags),
  });
}

/** Options that were not given are absent, not undefined. */
function withoutUndefined<T extends object>(values: {
  readonly [K in keyof T]: T[K] | undefined;
}): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}

function parallelOf({ tp, pp, dp, attnDpSize = 1, ...others }: PlanFlags): ParallelPlan {
  if (attnDpSize > 1 && dp > 1) {
    throw new UsageError('--attn-dp-size and --dp: a server has groups of attention or replicas');
  }
  return withoutUndefined<ParallelPlan>({
    tp,
    pp,
    dp: dp * attnDpSize,
    dpAttention: attnDpSize > 1 || others.enableDpAttention,
    attnCp: others.attnCpSize,
    dcp: others.dcpSize,
  });
}

function draftOf({
  speculativeAlgorithm: name,
  draftLayers: layers,
}: PlanFlags): DraftPlan | undefined {
  const kind = draftKindOf(name);
  return kind && { kind, ...(layers !== undefined && { layers }) };
}

function strategyOf(flags: PlanFlags, { architecture }: ModelLayout): SlotStrategy {
  const { mambaSchedulerStrategy: strategy, disableRadixCache, disableOverlapSchedule } = flags;
  return {
    disableRadixCache: disableRadixCache === true,
    ...(strategy !== undefined && { strategy }),
    ...(architecture !== undefined && { architecture }),
    page: flags.pageSize ?? 1,
    isSpeculative: flags.speculativeAlgorithm !== undefined,
    disableOverlap: disableOverlapSchedule === true,
  };
}

function speculationOf(name: string | undefined) {
  return name?.toUpperCase() === 'NGRAM' ? 'ngram' : draftKindOf(name);
}

function automaticOf(flags: PlanFlags): PlanOptions['automatic'] {
  const { card, languageOnly } = flags;
  return (
    card &&
    withoutUndefined<NonNullable<PlanOptions['automatic']>>({
      card,
      chunkedPrefillSize: flags.chunkedPrefillSize,
      maxPrefillTokens: flags.maxPrefillTokens,
      graphMaxBatch: flags.cudaGraphMaxBs,
      disableGraphs: flags.disableCudaGraph,
      maxTotalTokens: flags.maxTotalTokens,
      disaggregation: roleOf(flags.disaggregationMode),
      contextLength: flags.contextLength,
      hostCache: flags.enableHierarchicalCache,
      exchange: exchangeOf(flags.moeA2aBackend),
      multimodal: flags.enableMultimodal,
      prefillGraphs: flags.disablePiecewiseCudaGraph === true ? false : undefined,
      speculation: speculationOf(flags.speculativeAlgorithm),
      languageOnly,
      draftTokens: flags.speculativeNumDraftTokens,
      maxRunningRequests: flags.maxRunningRequests,
    })
  );
}

function kvDtype(text: string): string {
  if (!kvDtypeNames.includes(text.toLowerCase())) {
    throw new InvalidArgumentError(`one of ${kvDtypeNames.join(', ')}`);
  }
  return text.toLowerCase();
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) {
    throw new InvalidArgumentError('a whole number of at least 1');
  }
  return Number(text);
}

function chunkSize(text: string): number {
  return text === '-1' ? -1 : wholeNumber(text);
}

/** Undefined also where prefill has no chunks. */
function chunkOf({ chunkedPrefillSize: chunk }: PlanFlags): number | undefined {
  return chunk !== undefined && chunk > 0 ? chunk : undefined;
}

function positive(text: string): number {
  const value = Number(readAmount(text, units.one) ?? NaN);
  if (!(value > 0 && value < 1e6)) {
    throw new InvalidArgumentError('a number above 0');
  }
  return value;
}
