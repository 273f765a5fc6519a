/** The shape of a page's model, to check what arrives. It mirrors core/report/pageModel.ts. */
import { isBudgetTerm } from '../core/report/budgetData';
import type { PageModel } from '../core/report/pageModel';
import type { Shape } from './shape';
import {
  dictionary,
  either,
  flag,
  list,
  number,
  numberOrNull,
  object,
  oneOf,
  text,
  tuple,
} from './shape';

const lines = list(number);
const figure = object({ label: text, text, lines });
const action = object({ sentence: text }, { flag: text });
const headline = object({
  tone: oneOf('good', 'bad', 'warning', 'neutral'),
  verdict: text,
  sentence: text,
  lines,
});
const block = object({ id: text, label: text, text, size: number, lines });
const rank = object({ name: text, isBinding: flag, blocks: list(block) });
const problem = object(
  { severity: oneOf('error', 'warning', 'information'), text, line: number },
  { flag: text },
);
const row = object({
  value: number,
  fraction: text,
  pool: text,
  tokens: text,
  requests: text,
  left: text,
  marks: list(oneOf('current', 'offered', 'floor', 'ceiling')),
  isPossible: flag,
});
const integerText: Shape = value => typeof value === 'string' && /^-?\d{1,40}$/.test(value);
const fact = object(
  {
    term: value => typeof value === 'string' && isBudgetTerm(value),
    lo: numberOrNull,
    hi: numberOrNull,
    basis: oneOf('proved', 'assumed'),
    assumptions: list(text),
    lines,
  },
  { nominal: either(number, integerText) },
);
const whatIf = object(
  { facts: list(fact), fraction: number },
  {
    current: number,
    offered: number,
    minimum: number,
    maximum: number,
    context: number,
    multiplier: number,
  },
);
const part = object({ text, lines });
const step = object({
  symbol: text,
  name: text,
  formula: list(part),
  values: list(part),
  result: text,
  sources: list(part),
});
const receipt = object({
  sentence: text,
  lines: list(object({ label: text, text, from: list(text), isResult: flag })),
});
const numbers = list(numberOrNull);
const channel = object({
  id: text,
  label: text,
  unit: text,
  min: numbers,
  mean: numbers,
  max: numbers,
  summary: tuple(text, text, text),
  line: number,
});
const course = object({
  rank: text,
  axis: oneOf('seconds', 'lines'),
  at: list(number),
  lines,
  channels: list(channel),
  retractions: list(object({ at: number, line: number, isExact: flag, text })),
});
const run = object(
  {
    headline,
    facts: list(figure),
    figures: list(figure),
    problems: list(problem),
    ranks: list(rank),
    fractions: list(figure),
    rows: list(row),
    steps: list(step),
    serving: list(text),
    courses: list(course),
    assumptions: list(text),
  },
  {
    action,
    ranksAlike: text,
    hasWindow: flag,
    whatIf,
    whatIfMissing: text,
    receipt,
    receiptMissing: text,
  },
);
const comparison = object({
  names: tuple(text, text),
  starts: tuple(numberOrNull, numberOrNull),
  headline,
  difference: text,
  moves: list(
    object({
      label: text,
      a: text,
      b: text,
      lines: tuple(lines, lines),
      hasMoved: flag,
      share: text,
      size: numberOrNull,
    }),
  ),
  predictions: list(
    object({ sentence: text, rows: list(row) }, { advice: action, hasWindow: flag }),
  ),
});
const model = object(
  {
    schema: value => value === 1,
    title: text,
    subtitle: text,
    locale: text,
    alsoShow: oneOf('nothing', 'bytes', 'decimal'),
    texts: dictionary(text),
    markdown: text,
    hasLog: flag,
    choices: list(object({ label: text, detail: text })),
    chosen: number,
  },
  { notice: text, isPartial: flag, isStopped: flag, run, comparison },
);

export function isPageModel(value: unknown): value is PageModel {
  return model(value);
}
