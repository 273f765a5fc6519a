/**
 * Joins what was read from several files of one server (one per node or pod) into one reading.
 * Leaves out finding the files.
 */
import { buildRuns } from './buildRuns';
import type { LogRecord } from './record';
import type { LogReading } from './run';
import type { FileSeries } from './series/runSeries';
import { withSeries } from './series/runSeries';

interface Timed {
  readonly record: LogRecord;
  /** The record's time, or that of the last record before it in its file that has one. */
  readonly seconds: number;
  readonly hasDate: boolean;
}

/**
 * One reading of all files. Where all are dated the records are in the order of their times, else
 * in the order of the files. Files that print the same rank stay servers of their own.
 */
export function mergeLogs(readings: readonly LogReading[]): LogReading {
  const [first] = readings;
  if (first === undefined) {
    throw new RangeError('nothing to merge');
  }
  if (readings.length === 1) {
    return first;
  }
  const repeats = new Map<LogRecord, number>();
  const lists: Timed[][] = [];
  const series: FileSeries[] = [];
  let fileCount = 0;
  for (const reading of readings) {
    const base = fileCount;
    lists.push(
      timed(
        reading.records.map(record => {
          const moved = {
            ...record,
            file: record.file + base,
            stream: streamInFile(record.file + base, record.stream),
          };
          const count = reading.repeats.get(record);
          if (count !== undefined) {
            repeats.set(moved, count);
          }
          return moved;
        }),
      ),
    );
    if (reading.series !== undefined) {
      series.push({
        file: base,
        gathered: reading.series,
        streamOf: course => streamInFile(base, course.stream),
      });
    }
    fileCount += reading.files.length;
  }
  const all = lists.flat();
  const records = (
    all.every(each => each.hasDate) ? [...all].sort((a, b) => a.seconds - b.seconds) : all
  ).map(each => each.record);
  return {
    files: readings.flatMap(reading => reading.files),
    runs: withSeries(buildRuns(records, undefined), series),
    records,
    repeats,
    lineCount: first.lineCount,
    byteLength: first.byteLength,
    series: undefined,
  };
}

/** The origin of a line among those of all files. */
function streamInFile(file: number, stream: string): string {
  return `${file} ${stream}`.trimEnd();
}

function timed(records: readonly LogRecord[]): Timed[] {
  let time = records.find(record => record.time !== undefined)?.time;
  return records.map(record => {
    time = record.time ?? time;
    return { record, seconds: time?.seconds ?? 0, hasDate: time?.hasDate ?? false };
  });
}
