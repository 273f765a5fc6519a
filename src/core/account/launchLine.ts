/**
 * A line to paste into a shell: the launch that the log shows, with the changed flags. Only arguments
 * that bear on memory and are single words are there; the others are the person's own to keep. Also
 * what the attempt cost in time.
 */
import type { Run } from '../log/run';
import type { ServerArguments } from '../log/serverArguments';
import type { LogRecord } from '../log/record';
import { givenQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { printedAt } from './figure';
import { flagName } from './offeredFlag';
import { isDpAttention } from './replicas';

/** Arguments that a launch line repeats, and the values that are not worth repeating. */
const repeated: readonly (readonly [name: string, silent: readonly string[]])[] = [
  ['trust_remote_code', []],
  ['device', ['cuda']],
  ['dtype', ['auto']],
  ['load_format', ['auto']],
  ['tp_size', ['1']],
  ['pp_size', ['1']],
  ['dp_size', ['1']],
  ['attn_dp_size', ['1']],
  ['attn_cp_size', ['1']],
  ['dcp_size', ['1']],
  ['ep_size', ['1']],
  ['moe_dp_size', ['1']],
  ['moe_dense_tp_size', []],
  ['moe_a2a_backend', ['none']],
  ['enable_deepep_moe', []],
  ['nnodes', ['1']],
  ['node_rank', []],
  ['enable_dp_attention', []],
  ['disaggregation_mode', ['null']],
  ['quantization', []],
  ['kv_cache_dtype', ['auto']],
  ['context_length', []],
  ['page_size', ['1']],
  ['chunked_prefill_size', []],
  ['max_prefill_tokens', ['16384']],
  ['max_total_tokens', []],
  ['max_running_requests', []],
  ['swa_full_tokens_ratio', ['0.8']],
  ['disable_hybrid_swa_memory', []],
  ['hybrid_kvcache_ratio', []],
  ['mamba_full_memory_ratio', ['0.9']],
  ['max_mamba_cache_size', []],
  ['mamba_ssm_dtype', ['float32']],
  ['mamba_scheduler_strategy', ['auto']],
  ['mamba_radix_cache_strategy', ['auto']],
  ['speculative_algorithm', []],
  ['speculative_draft_model_path', []],
  ['speculative_num_steps', []],
  ['speculative_eagle_topk', []],
  ['speculative_num_draft_tokens', []],
  ['speculative_draft_window_size', []],
  ['attention_backend', []],
  ['enable_lora', []],
  ['max_loras_per_batch', ['8']],
  ['max_lora_rank', []],
  ['language_only', []],
  ['enable_multimodal', []],
  ['disable_radix_cache', []],
  ['disable_overlap_schedule', []],
  ['disable_cuda_graph', []],
  ['cuda_graph_max_bs', []],
  ['enable_piecewise_cuda_graph', []],
  ['disable_piecewise_cuda_graph', []],
  ['enable_torch_compile', []],
  ['enable_two_batch_overlap', []],
  ['enable_memory_saver', []],
  ['enable_symm_mem', []],
  ['enable_unified_memory', []],
  ['enable_hisparse', []],
  ['enable_hierarchical_cache', []],
  ['hicache_size', ['0']],
  ['hicache_ratio', ['2', '2.0']],
  ['cpu_offload_gb', ['0']],
];

/** A plain word of a shell needs no quotes. */
const plainWord = /^[\w./:@%+=,-]{1,400}$/;

/** The launch line with these flags set; undefined where the log does not show the model. */
export function launchLine(run: Run, flags: readonly string[]): string | undefined {
  const args = run.serverArguments;
  const model = args && wordOf(args, 'model_path');
  if (args === undefined || model === undefined || !isMultiNodeComplete(args)) {
    return undefined;
  }
  const changed = new Set(flags.map(flag => flag.split(' ')[0]));
  const kept = repeated.flatMap(([name, silent]) => {
    const flag = flagOf(run, name);
    if (flag === undefined) {
      return [];
    }
    const value = args.values.get(name)?.value;
    const isTold = changed.has(flag) || isToldByGroups(args, name) || isDivided(run, name);
    if (isTold || value === undefined || value === null || value === false) {
      return [];
    }
    if (value === true) {
      return [flag];
    }
    const word = wordOf(args, name);
    const isSilent = silent.includes(String(value)) || (name === 'node_rank' && !isMultiNode(args));
    return word === undefined || isSilent ? [] : [`${flag} ${word}`];
  });
  return ['python3 -m sglang.launch_server', `--model-path ${model}`, ...kept, ...flags].join(' ');
}

/** Groups of attention have a flag of their own from 0.5.22 on, which stands for both earlier ones. */
function isToldByGroups({ values }: ServerArguments, name: string): boolean {
  const groups = values.get('attn_dp_size')?.value;
  const isOwn = typeof groups === 'bigint' && groups > 1n;
  return isOwn && (name === 'dp_size' || name === 'enable_dp_attention');
}

/** By the name that the release has for it; undefined where it has none. */
function flagOf(run: Run, name: string): string | undefined {
  return name === 'cuda_graph_max_bs'
    ? flagName('graphs', run.release)
    : `--${name.replaceAll('_', '-')}`;
}

/** Groups of attention print the chunk that is left of the typed one, and would divide it again. */
function isDivided(run: Run, name: string): boolean {
  const groups = run.serverArguments?.values.get('attn_dp_size')?.value;
  const hasGroups = isDpAttention(run) || (typeof groups === 'bigint' && groups > 1n);
  return name === 'chunked_prefill_size' && hasGroups;
}

function isMultiNode(args: ServerArguments): boolean {
  const nodes = args.values.get('nnodes')?.value;
  return typeof nodes === 'bigint' && nodes > 1n;
}

/** Every node of several has a line of its own: without its rank none can be written. */
function isMultiNodeComplete(args: ServerArguments): boolean {
  return !isMultiNode(args) || args.values.has('node_rank');
}

/** The value as a word of a shell, quoted where it needs to be; undefined for what is no word. */
function wordOf(args: ServerArguments, name: string): string | undefined {
  const value = args.values.get(name)?.value;
  if (typeof value === 'bigint' || typeof value === 'number') {
    return String(value);
  }
  if (typeof value !== 'string' || value === '' || control.test(value) || /[`[{]/.test(value)) {
    return undefined;
  }
  return plainWord.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

// A control character would end the line, or worse, in the shell that it is pasted into.
const control = /\p{Cc}/u;

/** First lines of a start. */
const startEvents: ReadonlySet<string> = new Set(['server-arguments', 'init-begin']);

/**
 * Seconds from the first line of the run to the failure; undefined without time stamps for both, and
 * where the log does not show how the run started.
 */
export function retryCost(run: Run, cause: LogRecord | undefined): Quantity | undefined {
  if (!run.records.some(({ form }) => startEvents.has(form.event))) {
    return undefined;
  }
  const first = run.records.find(({ time }) => time !== undefined);
  const stamped = run.records.filter(({ time }) => time !== undefined);
  const failed = cause?.time ? cause : lastBefore(stamped, cause);
  const [begin, end] = [first?.time, failed?.time];
  if (!first || !failed || !begin || !end) {
    return undefined;
  }
  const seconds = end.seconds - begin.seconds;
  return begin.hasDate === end.hasDate && seconds > 0 && seconds < 7 * 86400
    ? {
        ...givenQuantity(Math.round(seconds), units.second, 'time stamps'),
        interval: { lo: Math.max(0, seconds - 1), hi: seconds + 1 },
        provenance: [printedAt(first), printedAt(failed)],
      }
    : undefined;
}

/** The last stamped line of the failing file up to the failure. */
function lastBefore(
  stamped: readonly LogRecord[],
  cause: LogRecord | undefined,
): LogRecord | undefined {
  return cause && stamped.findLast(({ line, file }) => file === cause.file && line <= cause.line);
}
