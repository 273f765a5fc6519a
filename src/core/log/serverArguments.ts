/**
 * The launch arguments that a server prints at its start, read by a whitelist: the line can hold
 * secrets, so only named memory-related keys are kept. Reads the dataclass form, the dict form and
 * cut lines. Leaves out every other key and what the arguments mean.
 */
import type { JoinedText } from './joinedText';

/** One argument as printed. */
export interface ServerArgument {
  /** Python literal: None is null; a list, dict or other object is kept as its printed text. */
  readonly value: number | bigint | string | boolean | null;
  readonly text: string;
  /** 1-based physical line and UTF-16 columns of the value. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Whitelisted launch arguments of one line. */
export interface ServerArguments {
  readonly values: ReadonlyMap<string, ServerArgument>;
  /** False when the line was cut before its end: a missing key may have been printed. */
  readonly isComplete: boolean;
}

const whitelist: ReadonlySet<string> = new Set([
  'model_path',
  'speculative_draft_model_path',
  'mem_fraction_static',
  'max_total_tokens',
  'max_running_requests',
  'max_queued_requests',
  'max_prefill_tokens',
  'chunked_prefill_size',
  'context_length',
  'page_size',
  'tp_size',
  'pp_size',
  'dp_size',
  'ep_size',
  'attn_dp_size',
  'attn_cp_size',
  'dcp_size',
  'moe_dp_size',
  'moe_dense_tp_size',
  'nnodes',
  'node_rank',
  'enable_dp_attention',
  'dtype',
  'kv_cache_dtype',
  'quantization',
  'device',
  'load_format',
  'cpu_offload_gb',
  'attention_backend',
  'prefill_attention_backend',
  'decode_attention_backend',
  'disable_radix_cache',
  'disable_chunked_prefix_cache',
  'disable_overlap_schedule',
  'disable_cuda_graph',
  'cuda_graph_max_bs',
  'cuda_graph_bs',
  'cuda_graph_config',
  'enable_piecewise_cuda_graph',
  'disable_piecewise_cuda_graph',
  'piecewise_cuda_graph_max_tokens',
  'enable_torch_compile',
  'enable_two_batch_overlap',
  'enable_memory_saver',
  'enable_symm_mem',
  'enable_unified_memory',
  'enable_hisparse',
  'nsa_prefill_backend',
  'nsa_decode_backend',
  'dsa_prefill_backend',
  'dsa_decode_backend',
  'enable_multimodal',
  'moe_a2a_backend',
  'enable_deepep_moe',
  'trust_remote_code',
  'enable_lora',
  'max_loras_per_batch',
  'max_lora_rank',
  'language_only',
  'speculative_algorithm',
  'speculative_num_steps',
  'speculative_eagle_topk',
  'speculative_num_draft_tokens',
  'speculative_draft_window_size',
  'swa_full_tokens_ratio',
  'disable_hybrid_swa_memory',
  'enable_mla',
  'disable_mla',
  'mamba_full_memory_ratio',
  'max_mamba_cache_size',
  'mamba_ssm_dtype',
  'mamba_scheduler_strategy',
  'mamba_radix_cache_strategy',
  'hybrid_kvcache_ratio',
  'enable_hierarchical_cache',
  'hicache_ratio',
  'hicache_size',
  'hicache_write_policy',
  'hicache_mem_layout',
  'disaggregation_mode',
  'enable_deterministic_inference',
  'kt_weight_path',
  'kt_num_gpu_experts',
]);

const maximumListLength = 4000;

/** Whether the argument is about memory and no secret. */
export function isListedArgument(name: string): boolean {
  return whitelist.has(name);
}

/**
 * Reads the arguments that start at `at` (after `ServerArgs(` or `{`).
 * @param isCapped whether the text is known to continue beyond its end.
 */
export function readServerArguments(
  text: JoinedText,
  at: number,
  isCapped: boolean,
): ServerArguments {
  const values = new Map<string, ServerArgument>();
  const source = text.text;
  let index = at;
  for (;;) {
    index = skipSeparators(source, index);
    const character = source[index];
    if (character === undefined) {
      return { values: withGroups(values), isComplete: false };
    }
    if (character === ')' || character === '}') {
      return { values: withGroups(values), isComplete: !isCapped };
    }
    const key = readKey(source, index);
    const start = key === undefined ? index : key.end;
    const end = skipValue(source, start);
    if (end === undefined) {
      return { values: withGroups(values), isComplete: false };
    }
    if (key !== undefined && whitelist.has(key.name) && !values.has(key.name)) {
      const printed = source.slice(start, end).trimEnd();
      const value = readLiteral(printed);
      if (value !== undefined) {
        const place = text.place(start);
        const last = text.placeAfter(start + printed.length);
        values.set(key.name, {
          value,
          text: printed,
          line: place.line,
          start: place.column,
          end: last.line === place.line ? last.column : place.column,
        });
      }
    }
    index = end;
  }
}

/**
 * From 0.5.22 on the groups of data-parallel attention have an argument of their own, and `dp_size`
 * counts replicas; a start with both above 1 is refused. Here they are `dp_size` in every release.
 */
function withGroups(
  values: ReadonlyMap<string, ServerArgument>,
): ReadonlyMap<string, ServerArgument> {
  const groups = values.get('attn_dp_size');
  return typeof groups?.value === 'bigint' && groups.value > 1n
    ? new Map([...values, ['dp_size', groups], ['enable_dp_attention', { ...groups, value: true }]])
    : values;
}

function skipSeparators(source: string, at: number): number {
  let index = at;
  while (index < source.length && /[\s,.…]/.test(source[index] ?? '')) {
    index += 1;
  }
  return index;
}

const dataclassKey = /([A-Za-z_]\w*)=/y;
const dictKey = /(['"])([A-Za-z_]\w*)\1: ?/y;

function readKey(
  source: string,
  at: number,
): { readonly name: string; readonly end: number } | undefined {
  dataclassKey.lastIndex = at;
  const plain = dataclassKey.exec(source);
  if (plain !== null) {
    return { name: plain[1] ?? '', end: at + plain[0].length };
  }
  dictKey.lastIndex = at;
  const quoted = dictKey.exec(source);
  return quoted === null ? undefined : { name: quoted[2] ?? '', end: at + quoted[0].length };
}

/**
 * Index of the comma or closing bracket after the value at `at`; undefined when the text ends
 * first, so that the value may have been cut.
 */
function skipValue(source: string, at: number): number | undefined {
  let depth = 0;
  let index = at;
  while (index < source.length) {
    const character = source[index] ?? '';
    if (character === "'" || character === '"') {
      const close = endOfString(source, index);
      if (close === undefined) {
        return undefined;
      }
      index = close;
      continue;
    }
    if ('([{<'.includes(character)) {
      depth += 1;
    } else if (')]}>'.includes(character)) {
      if (depth === 0 && (character === ')' || character === '}')) {
        return index;
      }
      depth = Math.max(0, depth - 1);
    } else if (character === ',' && depth === 0) {
      return index;
    }
    index += 1;
  }
  return undefined;
}

/** Index after the closing quote of a Python string; undefined when it does not close. */
function endOfString(source: string, at: number): number | undefined {
  const quote = source[at];
  let index = at + 1;
  while (index < source.length) {
    if (source[index] === '\\') {
      index += 2;
    } else if (source[index] === quote) {
      return index + 1;
    } else {
      index += 1;
    }
  }
  return undefined;
}

function readLiteral(printed: string): ServerArgument['value'] | undefined {
  if (printed === 'None') {
    return null;
  }
  if (printed === 'True' || printed === 'False') {
    return printed === 'True';
  }
  if (/^-?\d{1,30}$/.test(printed)) {
    return BigInt(printed);
  }
  if (/^-?(?:\d+\.\d*|\.?\d+)(?:e[-+]?\d+)?$/i.test(printed)) {
    return Number(printed);
  }
  if (/^(?:'[^]*'|"[^]*")$/.test(printed)) {
    return printed.slice(1, -1).replace(/\\([\\'"])/g, '$1');
  }
  return printed.length > 0 && printed.length <= maximumListLength ? printed : undefined;
}
