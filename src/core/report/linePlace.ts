/**
 * Where a line of a run stands: the offset of its first byte and, for a run of several files, which
 * file. Leaves out columns, which the records hold.
 */
import type { Run } from '../log/run';

/** What the contract says of a line beside its number. */
export interface LinePlace {
  /** Index into the paths that were read as one; absent for the first or only one. */
  readonly file?: number;
  /** Bytes before the line; absent for a line inside a wrapped message. */
  readonly byteOffset?: number;
}

/** The place of a 1-based line; `file` is by default the first of the run. */
export type LinePlaces = (line: number, file?: number) => LinePlace;

/** The places of the lines of a run. */
export function placesIn({ records, files, lines, byteOffset }: Run): LinePlaces {
  const first = files[0] ?? 0;
  const offsets = new Map(
    records.map(record => [`${record.file}:${record.line}`, record.byteOffset]),
  );
  return (line, file = first) => {
    const offset = offsets.get(`${file}:${line}`) ?? (line === lines[0] ? byteOffset : undefined);
    return {
      ...(file > 0 && { file }),
      ...(offset !== undefined && { byteOffset: offset }),
    };
  };
}
