/** The problems of a log with their places: the message of the line that each is about. */
import type { RunAccount } from '../../account/account';
import type { Problem } from '../../account/problem';

/** A problem with UTF-16 columns; `run` is the index of its run. */
export interface PlacedProblem {
  readonly problem: Problem;
  readonly run: number;
  readonly start: number;
  /** Undefined: to the end of the line. */
  readonly end: number | undefined;
}

/** The problems of every run, in order. */
export function logProblems(accounts: readonly RunAccount[]): PlacedProblem[] {
  return accounts.flatMap((account, run) =>
    account.problems.map(problem => {
      const record = account.run.records.find(({ line }) => line === problem.line);
      const end = record?.endLine === record?.line ? record?.end : undefined;
      return { problem, run, start: record?.start ?? 0, end };
    }),
  );
}
