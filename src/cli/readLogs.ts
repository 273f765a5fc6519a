/** Opens and reads the logs that a command names; says in one line why one cannot be read. */
import type { RunAccount, AccountOptions } from '../core/account/account';
import { accountOfLog } from '../core/account/account';
import { mergeLogs } from '../core/log/mergeLogs';
import type { LogOptions } from '../core/log/readLog';
import { readLog } from '../core/log/readLog';
import type { LogReading } from '../core/log/run';
import { UnreadableInput, findByte, openLogFile } from '../node/fileSource';
import { shownPath, UsageError } from './output';

/** A log and the accounts of its runs; never empty. */
export interface ReadLog {
  readonly path: string;
  /** The files that were read as one, where they are several. */
  readonly paths?: readonly string[];
  readonly accounts: readonly RunAccount[];
}

/** `-` is standard input. */
function systemPath(path: string): string {
  return path === '-' ? '/dev/stdin' : path;
}

const reasons: Readonly<Record<UnreadableInput['reason'], (path: string) => string>> = {
  missing: path => `${path}: no such file`,
  folder: path => `${path}: is a folder; name the log file in it`,
  empty: path => `${path}: is empty`,
  denied: path => `${path}: cannot be opened; check its permissions`,
  damaged: path => `${path}: is damaged, or larger than can be held in memory`,
};

/** Reads one log; throws UsageError where there is nothing to analyse. */
export async function readAccounts(
  path: string,
  options: AccountOptions = {},
  reading: LogOptions = {},
): Promise<ReadLog> {
  return { path, accounts: accountOfLog(await readOne(path, reading), options) };
}

/** Reads the logs of one server, one per node or pod, as one. */
export async function readMerged(
  paths: readonly string[],
  options: AccountOptions = {},
  reading: LogOptions = {},
): Promise<ReadLog> {
  const readings: LogReading[] = [];
  for (const path of paths) {
    readings.push(await readOne(path, reading));
  }
  return { path: paths.join(' + '), paths, accounts: accountOfLog(mergeLogs(readings), options) };
}

async function readOne(path: string, options: LogOptions): Promise<LogReading> {
  const file = await openLogFile(systemPath(path)).catch((error: unknown) => {
    throw error instanceof UnreadableInput
      ? new UsageError(reasons[error.reason](shownPath(path)))
      : error;
  });
  try {
    const reading = await readLog(file, undefined, { ...options, name: path, findByte });
    if (reading.runs.length === 0) {
      throw new UsageError(`${shownPath(path)}: no line of an SGLang server found`);
    }
    return reading;
  } finally {
    await file.close();
  }
}
