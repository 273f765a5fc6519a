/** The report page: a step of its slider against a frame, and its model against what may pass. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountOfLog } from '../../src/core/account/account';
import { readLog, readLogText } from '../../src/core/log/readLog';
import { utf8Decoder } from '../../src/core/log/utf8';
import { budgetAnswer, fractionForTokens } from '../../src/core/report/budgetAnswer';
import { factsAsData, whatIfOfData } from '../../src/core/report/budgetData';
import { runPage } from '../../src/core/report/runPage';
import { givenQuantity } from '../../src/core/units/givenQuantity';
import { units } from '../../src/core/units/unit';
import { findByte, openLogFile } from '../../src/node/fileSource';
import type { Ratio } from './logBench';
import { writeServingLog } from './servingLog';

/** Milliseconds between two pictures of a screen. */
const frame = 1000 / 60;

/** Milliseconds after which the page of a log of 100 MiB is to be there. */
const second = 1000;

/** From the file to the page's model, in processor time. */
export async function benchBigReport(root: string): Promise<Ratio[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kv-lens-report-'));
  const path = join(folder, 'server.log');
  try {
    const startUp = readFileSync(join(root, 'sample/seed-baseline.log'), 'utf8');
    writeServingLog(path, startUp, 100 * 2 ** 20);
    const start = process.cpuUsage();
    const file = await openLogFile(path);
    const reading = await readLog(file, utf8Decoder, { series: true, findByte });
    await file.close();
    const [account] = accountOfLog(reading);
    if (account === undefined) throw new Error('the log has a run');
    const text = (): string => '';
    runPage(account, { message: text, quantity: text, short: text, symbol: text });
    const { user, system } = process.cpuUsage(start);
    const ours = (user + system) / 1000;
    return [{ what: 'report of a log of 100 MiB / a second', ours, theirs: second, target: 1 }];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Steps of the slider, and typed tokens, on both samples. */
export function benchReport(root: string): Ratio[] {
  const steps: number[] = [];
  const inverses: number[] = [];
  for (const name of ['seed-baseline.log', 'seed-failing.log']) {
    const text = readFileSync(join(root, 'sample', name), 'utf8');
    const [account] = accountOfLog(readLogText(text));
    if (account === undefined) throw new Error('the sample has a run');
    const budget = whatIfOfData(factsAsData(account.whatIf));
    const context = givenQuantity(262_144, units.token, 'context');
    for (let step = 500; step < 990; step += 10) budgetAnswer(budget, step / 1000, [], context);
    for (let step = 500; step < 990; step += 5) {
      steps.push(time(() => budgetAnswer(budget, step / 1000, [], context)));
    }
    for (let tokens = 10_000; tokens < 250_000; tokens += 10_000) {
      const wanted = givenQuantity(BigInt(tokens), units.token, 'tokens');
      inverses.push(time(() => fractionForTokens(budget, wanted)));
    }
  }
  return [
    { what: 'step of the slider, p95 / a frame', ours: p95(steps), theirs: frame, target: 1 },
    { what: 'fraction for tokens, p95 / a frame', ours: p95(inverses), theirs: frame, target: 1 },
  ];
}

/** Milliseconds of processor time: what else the machine does is not the page's. */
function time(use: () => unknown): number {
  const start = process.cpuUsage();
  use();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function p95(times: number[]): number {
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.95)] ?? 0;
}
