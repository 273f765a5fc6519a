/**
 * A saved answer of `/server_info` (`/get_server_info` before): launch arguments, pool and memory
 * figures of a server that runs, as the records that its log would have had. Figures are GiB, rounded
 * to 2 decimals up to 0.5.16 and to 3 since (SGLang, `Scheduler.get_internal_state` of 0.5.2, 0.5.9 and
 * 0.5.16, `build_memory_usage` of 0.5.18). Leaves out load, requests and every argument that is not on
 * the list.
 */
import type { FormId } from '../sglang/form/lineForms';
import { findLineForm } from '../sglang/form/lineForms';
import type { Spelling } from '../sglang/form/lineForm';
import type { JsonNode } from '../units/jsonText';
import { readJson } from '../units/jsonText';
import type { FieldValue, LogRecord, RankKey } from './record';
import type { ServerArgument, ServerArguments } from './serverArguments';
import { isListedArgument } from './serverArguments';

type Members = ReadonlyMap<string, JsonNode>;

/**
 * The records of a saved answer; undefined where the text is none.
 * @param byteOffsetOf the offset in the file of what follows a part of the text.
 */
export function readServerInfo(
  text: string,
  byteOffsetOf: (before: string) => number,
): readonly LogRecord[] | undefined {
  const root = readJson(text);
  const members = root && membersOf(root);
  const states = members?.get('internal_states');
  if (
    root === undefined ||
    members === undefined ||
    !members.has('mem_fraction_static') ||
    !(members.has('max_total_num_tokens') || states !== undefined)
  ) {
    return undefined;
  }
  return new InfoReader(text, root, members, byteOffsetOf).records();
}

/** What a release calls each stage whose graphs are counted apart, as capture lines name them. */
const graphStages: Readonly<Record<string, string>> = {
  prefill: 'target prefill',
  decode: 'target decode',
  target_verify: 'target verify',
  draft_prefill: 'draft prefill',
  draft_decode: 'draft decode',
  draft_extend: 'draft extend',
};

class InfoReader {
  readonly #text: string;
  readonly #root: JsonNode;
  readonly #members: Members;
  readonly #lineStarts: readonly number[];
  readonly #byteOffsetOf: (before: string) => number;
  readonly #byteOffsets = new Map<number, number>();
  readonly #records: LogRecord[] = [];

  constructor(
    text: string,
    root: JsonNode,
    members: Members,
    byteOffsetOf: (before: string) => number,
  ) {
    this.#byteOffsetOf = byteOffsetOf;
    this.#text = text;
    this.#root = root;
    this.#members = members;
    this.#lineStarts = lineStartsOf(text);
  }

  records(): readonly LogRecord[] {
    this.#add('server-arguments', this.#root, '', {
      spelling: this.#release(),
      serverArguments: this.#arguments(),
    });
    const list = this.#members.get('internal_states')?.content;
    const states = list?.kind === 'array' ? list.items.flatMap(each => membersOf(each) ?? []) : [];
    for (const [index, state] of states.entries()) {
      this.#state(state, states.length === 1 ? '' : `DP${index}`);
    }
    const total = this.#members.get('max_total_num_tokens');
    const hasCapacity = this.#records.some(({ form }) => form.id === 'summary');
    if (total !== undefined && !hasCapacity) {
      const tokens = this.#whole(total, 'token');
      if (tokens !== undefined) {
        this.#add('summary', total, '', { fields: { tokens } });
      }
    }
    this.#add('ready', this.#root, '', {});
    return this.#records;
  }

  /** The state of one data-parallel rank. */
  #state(state: Members, rank: RankKey): void {
    const usage = state.get('memory_usage');
    const figures = usage && membersOf(usage);
    if (usage === undefined || figures === undefined) {
      return;
    }
    const decimals = figures.has('startup_available') ? 3 : 2;
    const gib = (name: string): FieldValue | undefined => {
      const node = figures.get(name);
      return node && this.#rounded(node, decimals);
    };
    const weights = gib('weight');
    if (weights !== undefined) {
      this.#add('load-end', usage, rank, { fields: { usage: weights } });
    }
    const capacity = figures.get('token_capacity');
    const tokens = capacity && this.#whole(capacity, 'token');
    const kv = gib('kvcache');
    // Zero is printed for pools that do not count themselves; with a window pool it is both together.
    if (kv !== undefined && Number(kv.value) > 0 && !isNumber(figures.get('token_capacity_swa'))) {
      this.#add('kv-allocated', usage, rank, { fields: { kv, ...(tokens && { tokens }) } });
    }
    this.#graphs(figures, usage, rank, decimals);
    const limit = state.get('effective_max_running_requests_per_dp');
    const running = limit && this.#whole(limit, 'request');
    const available = gib('startup_available');
    if (tokens !== undefined) {
      this.#add('summary', usage, rank, {
        fields: { tokens, ...(running && { running }), ...(available && { available }) },
      });
    }
  }

  #graphs(figures: Members, usage: JsonNode, rank: RankKey, decimals: number): void {
    const graph = figures.get('graph') ?? figures.get('cuda_graph');
    const stages: Iterable<readonly [string, JsonNode]> =
      graph === undefined ? [] : (membersOf(graph) ?? [['', graph]]);
    for (const [stage, node] of stages) {
      const size = this.#rounded(node, decimals);
      const kind = graphStages[stage];
      if (size !== undefined && Number(size.value) !== 0 && (kind !== undefined || stage === '')) {
        const words = kind === undefined ? {} : { kind };
        this.#add('graph-end', usage, rank, { fields: { usage: size }, words });
      }
    }
  }

  #arguments(): ServerArguments {
    const values = new Map<string, ServerArgument>();
    for (const [name, node] of this.#members) {
      const value = isListedArgument(name) ? this.#argument(node) : undefined;
      if (value !== undefined) {
        values.set(name, value);
      }
    }
    return { values, isComplete: true };
  }

  #argument(node: JsonNode): ServerArgument | undefined {
    const text = this.#textOf(node);
    const { content } = node;
    const value =
      content.kind !== 'scalar'
        ? text.length <= 4000
          ? text
          : undefined
        : typeof content.value === 'number' && /^-?\d{1,30}$/.test(text)
          ? BigInt(text)
          : content.value;
    return value === undefined ? undefined : { value, text, ...this.#place(node) };
  }

  /** The release of the version string, where it is that of a release. */
  #release(): Spelling | undefined {
    const content = this.#members.get('version')?.content;
    const version = content?.kind === 'scalar' ? content.value : undefined;
    return typeof version === 'string' && /^0\.\d+\.\d+(?:rc\d+|\.post\d+)?$/.test(version)
      ? { releases: [{ from: version, to: version }] }
      : undefined;
  }

  /** A number that Python rounded: trailing zeros are not printed. */
  #rounded(node: JsonNode, decimals: number): FieldValue | undefined {
    const printed = this.#textOf(node);
    const match = /^-?\d{1,15}(?:\.(\d+))?$/.exec(printed);
    const digits = match?.[1]?.length ?? 0;
    return match === null || digits > decimals
      ? undefined
      : {
          text: `${printed}${match[1] === undefined ? '.' : ''}${'0'.repeat(decimals - digits)}`,
          value: Number(printed),
          unit: 'GiB',
          rounding: 'printed',
          decimals,
          ...this.#place(node),
        };
  }

  #whole(node: JsonNode, unit: FieldValue['unit']): FieldValue | undefined {
    const text = this.#textOf(node);
    return /^\d{1,18}$/.test(text)
      ? { text, value: BigInt(text), unit, rounding: 'exact', decimals: 0, ...this.#place(node) }
      : undefined;
  }

  #textOf(node: JsonNode): string {
    return this.#text.slice(node.offset, node.offset + node.length);
  }

  /** Line and columns of a value; an empty range where it goes on in another line. */
  #place(node: JsonNode): { readonly line: number; readonly start: number; readonly end: number } {
    const [line, start] = this.#position(node.offset);
    const [endLine, end] = this.#position(node.offset + node.length);
    return { line, start, end: endLine === line ? end : start };
  }

  #position(offset: number): readonly [line: number, column: number] {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return [low + 1, offset - (this.#lineStarts[low] ?? 0)];
  }

  #byteOffset(line: number): number {
    const known = this.#byteOffsets.get(line);
    const offset =
      known ?? this.#byteOffsetOf(this.#text.slice(0, this.#lineStarts[line - 1] ?? 0));
    this.#byteOffsets.set(line, offset);
    return offset;
  }

  #add(id: FormId, node: JsonNode, rank: RankKey, parts: Partial<LogRecord>): void {
    const form = findLineForm(id);
    if (form === undefined) {
      return;
    }
    const [line, start] = this.#position(node.offset);
    const [endLine, end] = this.#position(node.offset + node.length);
    this.#records.push({
      form,
      spelling: undefined,
      file: 0,
      line,
      endLine,
      start,
      end,
      byteOffset: this.#byteOffset(line),
      rank,
      rankBasis: rank === '' ? 'none' : 'printed',
      exception: undefined,
      stream: '',
      time: undefined,
      fields: {},
      words: {},
      ...parts,
    });
  }
}

function membersOf({ content }: JsonNode): Members | undefined {
  return content.kind === 'object' ? content.members : undefined;
}

function isNumber(node: JsonNode | undefined): boolean {
  return node?.content.kind === 'scalar' && typeof node.content.value === 'number';
}

function lineStartsOf(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map(match => match.index + match[0].length)];
}
