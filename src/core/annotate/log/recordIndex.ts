/**
 * Finds the records of a line and the account that a record belongs to. Lines between the kept
 * records of a long log have none.
 */
import type { RunAccount } from '../../account/account';
import type { LogRecord } from '../../log/record';
import type { LogReading } from '../../log/run';

/** The records of one reading by line. Lines are 1-based. */
export class RecordIndex {
  readonly #byLine = new Map<number, LogRecord[]>();
  readonly #accountOf = new Map<LogRecord, RunAccount>();
  readonly #lines: readonly number[];

  constructor(reading: LogReading, accounts: readonly RunAccount[]) {
    for (const record of reading.records) {
      for (let line = record.line; line <= record.endLine; line += 1) {
        const known = this.#byLine.get(line);
        if (known === undefined) {
          this.#byLine.set(line, [record]);
        } else {
          known.push(record);
        }
      }
    }
    for (const account of accounts) {
      for (const record of account.run.records) {
        this.#accountOf.set(record, account);
      }
    }
    this.#lines = [...this.#byLine.keys()].sort((a, b) => a - b);
  }

  /** The records that the line shows, in their order. */
  at(line: number): readonly LogRecord[] {
    return this.#byLine.get(line) ?? [];
  }

  /** The record whose message covers the UTF-16 column of the line, or ends there. */
  covering(line: number, column: number): LogRecord | undefined {
    return this.at(line).find(record => {
      const from = record.line === line ? record.start : 0;
      // Launch arguments go on after the words that make the form.
      const isWhole = record.endLine === line && record.serverArguments === undefined;
      const to = isWhole ? record.end : Infinity;
      return from <= column && column <= to;
    });
  }

  /** The records that start in the inclusive range of lines. */
  between(first: number, last: number): LogRecord[] {
    const found: LogRecord[] = [];
    for (let at = this.#firstAtOrAfter(first); at < this.#lines.length; at += 1) {
      const line = this.#lines[at];
      if (line === undefined || line > last) {
        break;
      }
      found.push(...this.at(line).filter(record => record.line === line));
    }
    return found;
  }

  /** The account of the run that the record is part of. */
  accountOf(record: LogRecord): RunAccount | undefined {
    return this.#accountOf.get(record);
  }

  #firstAtOrAfter(line: number): number {
    let low = 0;
    let high = this.#lines.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#lines[middle] ?? Infinity) < line) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
