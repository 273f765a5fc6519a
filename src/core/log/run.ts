/**
 * A run is one life of a server: from its launch arguments or first initialisation to its failure,
 * its end or the next start. Leaves out every judgement on the numbers (account).
 */
import type { Engine, FormulaOwner } from '../sglang/engine';
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import type { LogRecord, RankKey } from './record';
import type { RankSeries } from './series/rankSeries';
import type { GatheredSeries } from './series/seriesCollector';
import type { ServerArguments } from './serverArguments';

/** What one rank printed, in order. */
export interface RankLog {
  readonly rank: RankKey;
  /** All of it. */
  readonly records: readonly LogRecord[];
  /** The records of the target model's worker. */
  readonly target: readonly LogRecord[];
  /**
   * The records of draft workers (speculative decoding): a second initialisation of the same rank
   * up to 0.5.13, a second model load from 0.5.14 on, and graph lines that name the draft.
   */
  readonly draft: readonly LogRecord[];
}

/** A fact about a run and the line that shows it; `line` is undefined where it is a default. */
export interface Shown<T> {
  readonly value: T;
  readonly line: number | undefined;
  readonly file: number;
}

/** A dimension whose ranks a prefix numbers. */
export type ParallelDimension = 'tp' | 'pp' | 'dp' | 'ep' | 'cp';

/** Sizes of the parallel dimensions; undefined where neither arguments nor ranks tell. */
export interface ParallelSizes {
  readonly tp: number | undefined;
  readonly pp: number | undefined;
  readonly dp: number | undefined;
  readonly ep: number | undefined;
  readonly cp: number | undefined;
  readonly nnodes: number | undefined;
  /** Ranks that printed at least one start-up or serving line. */
  readonly ranksSeen: number;
  /** Scheduler processes of all nodes; undefined where no launch arguments tell. */
  readonly ranksExpected: number | undefined;
  /** `ranks`: the sizes are those that the printed ranks need at least. */
  readonly basis: 'arguments' | 'ranks';
  /** Sizes that are no more than such a bound: ranks of that dimension are not in the log. */
  readonly atLeast: ReadonlySet<ParallelDimension>;
  /** True where the printed ranks show that others share their memory and are not in the log. */
  readonly hidesRanks: boolean;
}

/** How far a run came. */
export type RunOutcome =
  /** The ready line or a serving line was printed and no fatal line followed. */
  | 'ready'
  /** A fatal line was printed. */
  | 'failed'
  /** The log ends, or the next run starts, before either. */
  | 'open';

/** One life of a server. */
export interface Run {
  /** 1-based inclusive physical lines in the first file of the run. */
  readonly lines: readonly [first: number, last: number];
  /** Byte offset of the first line. */
  readonly byteOffset: number;
  /** Indexes into `LogReading.files`. */
  readonly files: readonly number[];
  readonly engine: Shown<Engine>;
  /** Whose sizing formula is in force; `sglang` unless a marker says otherwise. */
  readonly formulaOwner: Shown<FormulaOwner>;
  readonly release: ReleaseInterval;
  /** Class of the target model as printed (`type=`). */
  readonly modelClass: string | undefined;
  readonly draftModelClass: string | undefined;
  readonly serverArguments: ServerArguments | undefined;
  readonly parallel: ParallelSizes;
  /** Ranks in the order of their numbers. The main process is no rank. */
  readonly ranks: readonly RankLog[];
  /** Every record of the run in file order, those of the main process included. */
  readonly records: readonly LogRecord[];
  readonly outcome: RunOutcome;
  /**
   * Origin that a collector printed before every line of the run, where a file holds the lines of
   * several servers side by side; else empty.
   */
  readonly stream: string;
  /**
   * True where several servers wrote the lines side by side and nothing tells which wrote which: then
   * there are no ranks and no launch arguments.
   */
  readonly isMixed: boolean;
  /**
   * How often each line of a rank stands there, where names of ranks were cut away and all print the
   * same figures: they hold for each.
   */
  readonly copies?: number;
  /** The course of serving by rank; empty unless it was asked for (`LogOptions.series`). */
  readonly series: readonly RankSeries[];
}

/** Everything read from one log, or from several files of one run. */
export interface LogReading {
  readonly files: readonly string[];
  readonly runs: readonly Run[];
  readonly records: readonly LogRecord[];
  /** How many further messages like a kept record followed it and were not kept. */
  readonly repeats: ReadonlyMap<LogRecord, number>;
  /** Physical lines of the first file. */
  readonly lineCount: number;
  /** Bytes read so far of the first file; an append continues here. */
  readonly byteLength: number;
  /** Samples of serving lines by origin and rank; undefined unless they were asked for. */
  readonly series: GatheredSeries | undefined;
}
