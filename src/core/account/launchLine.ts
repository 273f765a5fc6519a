/**
 * A line to paste into a shell: the launch that the log shows, with the changed flags. Only
 * arguments of the whitelist are there; flags without a bearing on memory are the person's own to
 * keep. Also what the attempt cost in time.
 */
import type { Run } from '../log/run';
import type { ServerArguments } from '../log/serverArguments';
import type { LogRecord } from '../log/record';
import { givenQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { printedAt } from './figure';

/** Arguments that a launch line repeats, and the values that are not worth repeating. */
const repeated: readonly (readonly [name: string, silent: readonly string[]])[] = [
  ['trust_remote_code', []],
  ['tp_size', ['1']],
  ['pp_size', ['1']],
  ['dp_size', ['1']],
  ['attn_dp_size', ['1']],
  ['ep_size', ['1']],
  ['nnodes', ['1']],
  ['node_rank', []],
  ['enable_dp_attention', []],
  ['quantization', []],
  ['kv_cache_dtype', ['auto']],
  ['context_length', []],
  ['max_total_tokens', []],
  ['max_running_requests', []],
  ['speculative_algorithm', []],
  ['speculative_draft_model_path', []],
  ['speculative_num_steps', []],
  ['speculative_eagle_topk', []],
  ['speculative_num_draft_tokens', []],
  ['attention_backend', []],
  ['disable_radix_cache', []],
  ['disable_cuda_graph', []],
  ['enable_hierarchical_cache', []],
  ['hicache_size', ['0']],
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
    const flag = `--${name.replaceAll('_', '-')}`;
    const value = args.values.get(name)?.value;
    const isTold = changed.has(flag) || isToldByGroups(args, name);
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
