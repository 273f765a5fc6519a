/** `kvlens check PATH…`: the problems of logs, one a line, for CI. Exit code 1 when there are any. */
import type { Command } from 'commander';
import type { RunAccount } from '../core/account/account';
import type { Problem } from '../core/account/problem';
import { problemJson } from '../core/report/explainJson';
import { placesIn } from '../core/report/linePlace';
import { printError, printJson, printText, shownPath, UsageError, word } from './output';
import { readAccounts } from './readLogs';

/** Registers the command. */
export function registerCheck(program: Command): void {
  program
    .command('check')
    .description('the problems of logs, one a line; exit code 1 when there are errors or warnings')
    .argument('<path...>', 'server logs')
    .option('--json', 'JSON as in media/schema/check.schema.json')
    .action(check);
}

async function check(
  paths: readonly string[],
  options: { readonly json?: boolean },
): Promise<void> {
  const files = [];
  for (const path of paths) {
    try {
      const { accounts } = await readAccounts(path);
      files.push({ path, accounts });
    } catch (error) {
      if (!(error instanceof UsageError)) {
        throw error;
      }
      // One foreign file among many is said and does not stop the others.
      printError(error);
      process.exitCode = 2;
    }
  }
  if (options.json === true) {
    printJson({
      schema: 1,
      files: files.map(({ path, accounts }) => ({
        path,
        problems: accounts.flatMap(({ run, problems }) =>
          problems.map(problem => problemJson(problem, placesIn(run), word)),
        ),
      })),
    });
  } else {
    for (const { path, accounts } of files) {
      for (const problem of problemsOf(accounts)) {
        const { line, severity, code } = problem;
        printText(`${shownPath(path)}:${line}: ${severity}: ${word(problem.message)} [${code}]`);
      }
    }
  }
  const isGrave = ({ severity }: Problem): boolean => severity !== 'information';
  if (process.exitCode !== 2 && files.some(({ accounts }) => problemsOf(accounts).some(isGrave))) {
    process.exitCode = 1;
  }
}

function problemsOf(accounts: readonly RunAccount[]): readonly Problem[] {
  return accounts.flatMap(({ problems }) => problems);
}
