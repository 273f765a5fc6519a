/** `kvlens compare A B`: what moved between two runs, and what each would get as the other. */
import type { Command } from 'commander';
import type { AccountOptions, RunAccount } from '../core/account/account';
import { compareRuns } from '../core/account/compare';
import { compareJson } from '../core/report/compareJson';
import { comparisonReport } from '../core/report/comparisonReport';
import { reportTerminal } from '../wording/reportText';
import { printJson, printText, terminalOptions, UsageError, word } from './output';
import { optionalConfig } from './readConfig';
import { readAccounts } from './readLogs';

interface CompareCommandOptions {
  readonly config?: string;
  readonly json?: boolean;
}

/** Registers the command. */
export function registerCompare(program: Command): void {
  program
    .command('compare')
    .description(
      'two runs side by side; of several runs in a log the last, or LOG#2 for the second',
    )
    .argument('<a>', 'log of the first run')
    .argument('<b>', 'log of the second run')
    .option('--config <file>', 'config.json of the model of both runs')
    .option('--json', 'JSON as in media/schema/compare.schema.json')
    .action(async (a: string, b: string, options: CompareCommandOptions) => {
      const asked = await optionalConfig(options.config);
      const comparison = compareRuns(await namedRun(a, asked), await namedRun(b, asked));
      if (options.json === true) {
        printJson(compareJson(comparison, { a, b }, word));
      } else {
        printText(`First run: ${a}\nSecond run: ${b}\n`);
        printText(reportTerminal(comparisonReport(comparison), terminalOptions));
      }
    });
}

/** The run that `log#2` names (1-based); without a number the last of the log. */
export async function namedRun(text: string, options: AccountOptions = {}): Promise<RunAccount> {
  const match = /^(.*)#(\d+)$/.exec(text);
  const path = match?.[1] ?? text;
  const { accounts } = await readAccounts(path, options);
  const wanted = match?.[2] === undefined ? accounts.length : Number(match[2]);
  const account = accounts[wanted - 1];
  if (account === undefined) {
    throw new UsageError(`${path}: has ${accounts.length} runs, not ${wanted}`);
  }
  return account;
}
