/** Models of report pages as the editor makes them, in English, for suites that run without it. */
import { readFileSync } from 'node:fs';
import type { RunAccount } from '../../src/core/account/account';
import { accountOfLog } from '../../src/core/account/account';
import { compareRuns } from '../../src/core/account/compare';
import { readLogText } from '../../src/core/log/readLog';
import { comparisonPage } from '../../src/core/report/comparisonPage';
import type { PageModel } from '../../src/core/report/pageModel';
import type { PageWriter } from '../../src/core/report/pageWriter';
import { runPage } from '../../src/core/report/runPage';
import { pageText } from '../../src/wording/pageText';
import type { RenderOptions } from '../../src/wording/render';
import { render, renderQuantity } from '../../src/wording/render';
import { symbolOf } from '../../src/wording/reportText';

const options: RenderOptions = {
  format: { locale: 'en', alsoShow: 'nothing' },
  target: 'plain',
  length: 'full',
  translate: (text, values) =>
    text.replace(/\{(\w+)\}/g, (gap, name: string) => values[name] ?? gap),
};

const write: PageWriter = {
  message: message => render(message, options),
  quantity: quantity => renderQuantity(quantity, options),
  short: quantity => renderQuantity(quantity, { ...options, length: 'short' }),
  symbol: symbolOf,
};

const base: PageModel = {
  schema: 1,
  title: 'KV budget',
  subtitle: '',
  locale: 'en',
  alsoShow: 'nothing',
  texts: pageText,
  markdown: '',
  hasLog: true,
  choices: [],
  chosen: 0,
};

/** The last run of a text of a log. */
export function accountOfText(text: string): RunAccount {
  const account = accountOfLog(readLogText(text, { series: true })).at(-1);
  if (account === undefined) throw new Error('the text has no run');
  return account;
}

/** The text of a log of the sample. */
export function sampleText(name: string): string {
  return readFileSync(`sample/${name}`, 'utf8');
}

/** The page of a run. */
export function modelOfAccount(account: RunAccount): PageModel {
  return { ...base, run: runPage(account, write) };
}

/** The page of the last run of a text. */
export function modelOfText(text: string): PageModel {
  return modelOfAccount(accountOfText(text));
}

/** The page of two logs of the sample. */
export function comparisonOf(a: string, b: string): PageModel {
  return comparisonOfTexts(a, sampleText(a), b, sampleText(b));
}

/** The page of two texts under the names of logs. */
export function comparisonOfTexts(a: string, textA: string, b: string, textB: string): PageModel {
  const comparison = compareRuns(accountOfText(textA), accountOfText(textB));
  return {
    ...base,
    hasLog: false,
    comparison: comparisonPage(comparison, [a, b], [true, true], write),
  };
}

/** A server that serves: batches in two states, and one retraction. */
export function servingText(): string {
  const lines = Array.from({ length: 120 }, (_, at) => {
    const time = `2026-02-27 10:${String(20 + Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
    const running = 1 + (at % 7);
    const tokens = 1000 * (at + 1);
    return `[${time} TP0] Decode batch, #running-req: ${running}, #token: ${tokens}, token usage: ${(tokens / 159287).toFixed(2)}, cuda graph: True, gen throughput (token/s): ${(400 + at).toFixed(2)}, #queue-req: ${at % 3}, `;
  });
  return `${sampleText('seed-baseline.log').trimEnd()}\n${lines.join('\n')}\n`;
}
