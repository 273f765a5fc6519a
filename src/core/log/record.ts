/**
 * What one log message says, as data: the form it has, where it stands, which rank printed it and
 * the numbers as printed. Leaves out what the numbers mean together (account) and the line's text.
 */
import type { FieldUnit, LineForm, Spelling } from '../sglang/form/lineForm';
import type { ServerArguments } from './serverArguments';

/**
 * The printed rank: its parts in the order DP PP TP EP, only those printed, such as `DP0 TP3`.
 * Context-parallel parts (`ATTN_CP0`, `MOE_DP0`) follow PP. Empty where none is printed: the main
 * process, or the only rank of a server.
 */
export type RankKey = string;

/** A number as printed, with its place. */
export interface FieldValue {
  /** As printed, without the unit. */
  readonly text: string;
  /** By Python's types: a bigint where no point or exponent is printed, else a float. */
  readonly value: number | bigint;
  readonly unit: FieldUnit;
  /** `printed`: the true value is within half of the last printed decimal; `exact`: it is `value`. */
  readonly rounding: 'printed' | 'exact';
  /** Decimals printed after the point; 0 for integers. */
  readonly decimals: number;
  /** 1-based physical line; differs from the record's where a wrapped line was joined. */
  readonly line: number;
  /** UTF-16 columns in that line, 0-based, end exclusive. */
  readonly start: number;
  readonly end: number;
}

/** A time stamp as printed. */
export interface LogTime {
  readonly text: string;
  /**
   * Seconds, comparable within one run: since 1970 as if UTC where a date is printed, else since
   * midnight.
   */
  readonly seconds: number;
  readonly hasDate: boolean;
}

/** One message of a known form. */
export interface LogRecord {
  readonly form: LineForm;
  /** The spelling of the form that this line has; undefined for cut or abbreviated lines. */
  readonly spelling: Spelling | undefined;
  /** Index into `LogReading.files`. */
  readonly file: number;
  /** 1-based physical line, as the editor counts: a line ends at LF, CRLF or a lone CR. */
  readonly line: number;
  /** Last physical line of the message; larger than `line` where wrapped lines were joined. */
  readonly endLine: number;
  /** UTF-16 columns of the matched message, 0-based: `start` in `line`, `end` in `endLine`. */
  readonly start: number;
  readonly end: number;
  /** Byte offset in the file of the start of `line`. */
  readonly byteOffset: number;
  readonly rank: RankKey;
  /** `inherited`: the line has no prefix and follows a traceback's head that has one. */
  readonly rankBasis: 'printed' | 'inherited' | 'none';
  /** Class name of the exception that carries the message; undefined where it is a plain log line. */
  readonly exception: string | undefined;
  /** What a collector put before the line to name its origin (container, pod, actor); else empty. */
  readonly stream: string;
  /** The time stamp of the message itself, else the collector's. */
  readonly time: LogTime | undefined;
  /** Numbers by field name of the form. A field that was not printed, or cut, is absent. */
  readonly fields: Readonly<Record<string, FieldValue | undefined>>;
  /** Words by field name of the form (model class, dtype, device). */
  readonly words: Readonly<Record<string, string | undefined>>;
  /** The whitelisted launch arguments; only on lines that print them. */
  readonly serverArguments?: ServerArguments;
}
