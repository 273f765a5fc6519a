/** `kvlens explain LOG…`: the whole account of every run in every log. */
import { basename } from 'node:path';
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { AccountOptions } from '../core/account/account';
import type { ProblemCode } from '../core/account/problem';
import { problemCodes } from '../core/account/problem';
import type { Quantity } from '../core/units/quantity';
import { units } from '../core/units/unit';
import { explainJson } from '../core/report/explainJson';
import { runReport } from '../core/report/runReport';
import { reportTerminal } from '../wording/reportText';
import { amountIn, fraction, tokens } from './argument';
import { printJson, printText, shownPath, terminalOptions, word } from './output';
import { optionalConfig } from './readConfig';
import { readAccounts, readMerged } from './readLogs';

interface ExplainOptions {
  readonly claim?: number;
  readonly needTokens?: number;
  readonly failOn?: readonly ProblemCode[];
  readonly config?: string;
  readonly card?: Quantity;
  readonly merge?: boolean;
  readonly series?: boolean;
  readonly json?: boolean;
}

/** Registers the command. */
export function registerExplain(program: Command): void {
  program
    .command('explain')
    .description('the account of every run: fractions, verdict, ledger, what to change')
    .argument('<log...>', 'server logs (also .gz)')
    .option('--claim <fraction>', 'the fraction that somebody says was used', fraction)
    .option('--need-tokens <tokens>', 'tokens that the pool is to hold', tokens)
    .option('--config <file>', 'config.json of the model: bytes per token and pools')
    .option(
      '--card <amount>',
      'capacity as nvidia-smi shows it, MiB',
      amountIn(units.MiB, '--card'),
    )
    .option('--merge', 'the logs are one server, one file per node or pod')
    .option('--series', 'also gather the course of serving from every batch line')
    .addOption(failOnOption())
    .option('--json', 'JSON as in media/schema/explain.schema.json')
    .action(explain);
}

/** A typo must not switch a gate off: only known codes are taken. */
function failOnOption(): Option {
  return new Option(
    '--fail-on <code>',
    'exit with 1 when a problem of this code is found (repeatable)',
  )
    .default([])
    .argParser((code: string, before: readonly string[]) => {
      if (!problemCodes.some(known => known === code)) {
        throw new InvalidArgumentError(`one of ${problemCodes.join(', ')}`);
      }
      return [...before, code];
    });
}

async function explain(paths: readonly string[], options: ExplainOptions): Promise<void> {
  const { claim, needTokens } = options;
  const asked: AccountOptions = {
    ...(claim !== undefined && { claim }),
    ...(needTokens !== undefined && { needTokens }),
    ...(await optionalConfig(options.config)),
    ...(options.card && { card: options.card }),
  };
  const reading = { series: options.series === true };
  const logs = [];
  if (options.merge === true) {
    logs.push(await readMerged(paths, asked, reading));
  } else {
    for (const path of paths) {
      logs.push(await readAccounts(path, asked, reading));
    }
  }
  if (options.json === true) {
    printJson(explainJson(logs, word));
  } else {
    for (const { path, paths, accounts } of logs) {
      const writeLine = (line: number, file: number): string =>
        paths === undefined ? String(line) : `${basename(shownPath(paths[file] ?? ''))}:${line}`;
      for (const [index, account] of accounts.entries()) {
        const [first, last] = account.run.lines;
        const run = accounts.length > 1 ? `, run ${index + 1}` : '';
        printText(`${shownPath(path)}${run} (lines ${first} to ${last})\n`);
        printText(`${reportTerminal(runReport(account), terminalOptions, writeLine)}\n`);
      }
    }
  }
  const found = logs.flatMap(({ accounts }) => accounts.flatMap(({ problems }) => problems));
  if (found.some(({ code }) => options.failOn?.includes(code))) {
    process.exitCode = 1;
  }
}
