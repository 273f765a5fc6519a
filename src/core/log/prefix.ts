/**
 * What stands before a message: the prefixes of collectors (containers, pods, actors, journals), in
 * any stacking, and SGLang's own `[date time rank]` in all its historical forms. Leaves out the
 * message.
 */
import type { LogTime, RankKey } from './record';

/** The collectors' part of a line. */
export interface CollectorPrefix {
  /** Where the rest of the line starts. */
  readonly end: number;
  /** Names the origin, where a collector does; else empty. */
  readonly stream: string;
  /** The last of the time stamps, read. */
  readonly time: LogTime | undefined;
  /** Where time stamps stand. */
  readonly stamps: readonly { readonly start: number; readonly end: number }[];
  /** `partial`: the rest of the message follows in another line of the same channel. */
  readonly fragment: { readonly channel: string; readonly isPartial: boolean } | undefined;
  /** Where the message ends, where the collector also writes after it; else undefined. */
  readonly messageEnd: number | undefined;
  /** A name that SGLang's own prefix showed to be one: it is one before other lines as well. */
  readonly head: string | undefined;
}

/** SGLang's own prefix. */
export interface OwnPrefix {
  readonly start: number;
  readonly end: number;
  readonly time: LogTime | undefined;
  /** Usually one; several where a person folded equal lines of ranks (`TP0..3`). */
  readonly ranks: readonly RankKey[];
}

const date = String.raw`\d{4}-\d\d-\d\d`;
const clock = String.raw`\d\d:\d\d:\d\d`;
const words = String.raw`((?: [^\s\][]{1,60}(?:\[\d{1,4}\])?){0,12})`;
const rankWord = String.raw`(?:DP|PP|ATTN_CP|MOE_DP|TP|EP)\d{1,5}`;

const bracketed = new RegExp(
  String.raw`\[(?:(${date})[ T])?(${clock})(?:[.,](\d{1,9}))?${words}\] ?`,
  'y',
);
const bracketedAnywhere = new RegExp(bracketed.source, 'g');
const lostBracket = new RegExp(
  String.raw`(?:(${date})[ T])(${clock})(?:[.,](\d{1,9}))?((?: ${rankWord})+)\] ?`,
  'y',
);
const timeless = new RegExp(
  String.raw`\[(${rankWord}(?:\.\.\d{1,3})?(?: ${rankWord}(?:\.\.\d{1,3})?)*)\]\s*`,
  'y',
);
const oldRank = /(?:Rank (\d{1,5}): |\[gpu(?:_id)?=(\d{1,5})\] ?)/y;

const stamp = new RegExp(
  String.raw`(${date})[T ](${clock})(?:[.,](\d{1,9}))?(?:Z|[+-]\d\d:?\d\d)?(?:\s|$)`,
  'y',
);
const containerChannel = /(stdout|stderr) ([FP])(?: |$)/y;
const dockerJson = /\{"log":"/y;
/** The message of a line that is a JSON object (journald, log shippers), up to its closing quote. */
const jsonMessage = /^\{.{0,8000}?"(?:MESSAGE|message|msg|log|line)" ?: ?"/;
const jsonOrigin =
  /"(?:pod_name|pod|container_name|_HOSTNAME|host|hostname)" ?: ?"([^"\\]{1,200})"/g;
const jsonStringEnd = /(?:[^"\\]|\\.)*/y;
/** Prefixes whose first group, if any, names the origin of the line. */
const named = [
  /([^\t]{1,80})\t[^\t]{1,80}\t(?=\d{4}-\d\d-\d\dT)/y,
  /(\d{1,4}\|[\w.-]{1,40}) +\| ?/y,
  /\d\d:\d\d:\d\d ([\w.-]{1,40}\.\d{1,3}) +\| ?/y,
  /([A-Za-z0-9][\w.-]{0,80}) +\| ?/y,
  /[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (\S{1,80} [^\s:[\]]{1,80})(?:\[\d{1,10}\])?: /y,
  /([\w.-]{1,80} [^\s:[\]]{1,80})\[\d{1,10}\]: /y,
  /\[(\d{1,5}(?:,\d{1,5})?)\]<std(?:out|err)>: ?/y,
  /\(([\w.:]{1,80} pid=\d{1,10}(?:, ip=[\w.:]{1,60})?)\) /y,
  /\[pod\/([^\]\s]{1,200})\] /y,
  /(\d{1,5}): (?=\S)/y,
] as const;
/** Names of pods and hosts that only SGLang's own prefix behind them tells from words of a message. */
const beforeOwn = [
  /([a-z0-9]+(?:[.-][a-z0-9]+)+ [a-z0-9][\w.-]{0,60}) (?=\[\d{4}-\d\d-\d\d)/y,
  /([a-z][\w.-]{0,80}): (?=\[\d{4}-\d\d-\d\d)/y,
] as const;
/** Prefixes that say nothing about the origin. */
const anonymous = [
  /[ \t`>\u200b]+/y,
  /\[\d{1,3}(?:;\d{1,3}){0,4}m/y,
  /\[(?:rank|default)\d{1,5}\]: ?/y,
  /[\w./-]{1,200}\.(?:log|out|err|txt)[:-](?:\d{1,9}[:-])?/y,
  /- [\w.]{1,120} - (?:DEBUG|INFO|WARNING|ERROR|CRITICAL) - /y,
  /(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.]{1,120}:/y,
] as const;

const noHeads: ReadonlySet<string> = new Set();

/**
 * Reads every collector prefix at the start of a line, left to right, until none fits.
 * @param heads names that earlier lines showed to be prefixes.
 */
export function readCollectorPrefix(
  text: string,
  heads: ReadonlySet<string> = noHeads,
): CollectorPrefix {
  let end = 0;
  let stream = '';
  let time: LogTime | undefined;
  const stamps: { readonly start: number; readonly end: number }[] = [];
  let fragment: CollectorPrefix['fragment'];
  let messageEnd: number | undefined;
  let head: string | undefined;
  for (let rounds = 0; rounds < 16; rounds += 1) {
    if (readOwnPrefix(text, end) !== undefined) {
      break;
    }
    const stamped = matchAt(stamp, text, end);
    if (stamped !== null) {
      time = readTime(stamped[1], stamped[2], stamped[3], stamped[0].trim());
      stamps.push({ start: end, end: end + stamped[0].length });
      end += stamped[0].length;
      const channel = matchAt(containerChannel, text, end);
      if (channel !== null) {
        fragment = { channel: channel[1] ?? '', isPartial: channel[2] === 'P' };
        end += channel[0].length;
      }
      continue;
    }
    if (matchAt(dockerJson, text, end) !== null) {
      end += '{"log":"'.length;
      const tail = text.lastIndexOf('","stream":');
      const close = tail < end ? text.length : tail;
      const isWhole = text.endsWith('\\n', close);
      messageEnd = isWhole ? close - 2 : close;
      const channel = /"stream":"(\w+)"/.exec(text.slice(close))?.[1] ?? '';
      fragment = { channel, isPartial: !isWhole && tail >= end };
      continue;
    }
    const inJson = end === 0 ? jsonMessage.exec(text) : null;
    if (inJson !== null) {
      end = inJson[0].length;
      messageEnd =
        end + (matchAt(jsonStringEnd, text, end)?.[0].replace(/(?:\\n)+$/, '').length ?? 0);
      stream = [...text.matchAll(jsonOrigin)].map(match => match[1] ?? '').join(' ');
      continue;
    }
    const origin = firstMatch(named, text, end);
    if (origin !== null) {
      stream = stream === '' ? (origin[1] ?? '') : `${stream} ${origin[1] ?? ''}`;
      end += origin[0].length;
      continue;
    }
    const plain = firstMatch(anonymous, text, end);
    if (plain !== null) {
      end += plain[0].length;
      continue;
    }
    const start = end;
    head =
      firstMatch(beforeOwn, text, end)?.[0] ?? [...heads].find(one => text.startsWith(one, start));
    if (head === undefined) {
      break;
    }
    stream = `${stream} ${head.replace(/:? $/, '')}`.trim();
    end += head.length;
    break;
  }
  return { end, stream, time, stamps, fragment, messageEnd, head };
}

/** SGLang's own prefix that starts exactly at `at`; undefined where there is none. */
export function readOwnPrefix(text: string, at: number): OwnPrefix | undefined {
  const first = text.charCodeAt(at);
  if (first === 0x5b /* [ */) {
    const dated = matchAt(bracketed, text, at);
    if (dated !== null) {
      return fromMatch(dated, at);
    }
    const folded = matchAt(timeless, text, at);
    if (folded !== null) {
      const ranks = expandRanks((folded[1] ?? '').split(' '));
      return { start: at, end: at + folded[0].length, time: undefined, ranks };
    }
  }
  const lost = matchAt(lostBracket, text, at);
  if (lost !== null) {
    return fromMatch(lost, at);
  }
  const old = matchAt(oldRank, text, at);
  return old === null
    ? undefined
    : {
        start: at,
        end: at + old[0].length,
        time: undefined,
        ranks: [`TP${old[1] ?? old[2] ?? ''}`],
      };
}

/** Every dated or timed prefix of SGLang at or after `from`: messages glued into one line. */
export function findOwnPrefixes(text: string, from: number): readonly OwnPrefix[] {
  if (!text.includes('[', from)) {
    return [];
  }
  const found: OwnPrefix[] = [];
  bracketedAnywhere.lastIndex = from;
  for (;;) {
    const match = bracketedAnywhere.exec(text);
    if (match === null) {
      return found;
    }
    found.push(fromMatch(match, match.index));
  }
}

function fromMatch(match: RegExpExecArray, start: number): OwnPrefix {
  const parts = (match[4] ?? '').trim();
  return {
    start,
    end: start + match[0].length,
    time: readTime(match[1], match[2], match[3], stampText(match)),
    ranks: [rankKey(parts === '' ? [] : parts.split(' '))],
  };
}

function stampText(match: RegExpExecArray): string {
  const fraction = match[3] === undefined ? '' : `.${match[3]}`;
  return `${match[1] === undefined ? '' : `${match[1]} `}${match[2] ?? ''}${fraction}`;
}

const partOrder = ['DP', 'PP', 'ATTN_CP', 'MOE_DP', 'TP', 'EP'] as const;
const rankPart = /^(DP|PP|ATTN_CP|MOE_DP|TP|EP)(\d{1,5})$/;

/** The parts that name a rank, in the fixed order; other words (forks print some) are ignored. */
function rankKey(parts: readonly string[]): RankKey {
  const known = new Map<string, string>();
  for (const part of parts) {
    const match = rankPart.exec(part);
    if (match !== null) {
      known.set(match[1] ?? '', part);
    }
  }
  return partOrder.flatMap(name => known.get(name) ?? []).join(' ');
}

/** `TP0..3` is four ranks. */
function expandRanks(parts: readonly string[]): readonly RankKey[] {
  let ranks: readonly (readonly string[])[] = [[]];
  for (const part of parts) {
    const range = /^([A-Z_]+)(\d+)\.\.(\d+)$/.exec(part);
    const first = Number(range?.[2]);
    const last = Number(range?.[3]);
    const choices =
      range === null || last < first || last - first > 127
        ? [part]
        : Array.from({ length: last - first + 1 }, (_, step) => `${range[1] ?? ''}${first + step}`);
    ranks = ranks.flatMap(before => choices.map(choice => [...before, choice]));
  }
  return ranks.slice(0, 128).map(rankKey);
}

function readTime(
  day: string | undefined,
  time: string | undefined,
  fraction: string | undefined,
  text: string,
): LogTime | undefined {
  const [hours = NaN, minutes = NaN, whole = NaN] = (time ?? '').split(':').map(Number);
  const seconds = hours * 3600 + minutes * 60 + whole + Number(`0.${fraction ?? 0}`);
  if (day === undefined) {
    return Number.isNaN(seconds) ? undefined : { text, seconds, hasDate: false };
  }
  const start = Date.parse(`${day}T00:00:00Z`) / 1000;
  return Number.isNaN(start + seconds)
    ? undefined
    : { text, seconds: start + seconds, hasDate: true };
}

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

function firstMatch(
  expressions: readonly RegExp[],
  text: string,
  at: number,
): RegExpExecArray | null {
  for (const expression of expressions) {
    const match = matchAt(expression, text, at);
    if (match !== null && match[0] !== '') {
      return match;
    }
  }
  return null;
}
