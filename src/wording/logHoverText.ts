/**
 * The hover over a log line as Markdown: title, numbers with exact bytes, checks, what the account
 * adds, where the line is printed. Leaves out how a host shows Markdown and follows a link.
 */
import type { Derivation, HoverField, LogHover } from '../core/annotate/log/logHover';
import { linesOf } from '../core/account/ledger';
import type { Message } from '../core/message/message';
import { foreign, message } from '../core/message/message';
import type { ReleaseRange } from '../core/sglang/form/lineForm';
import { bytesOf, formatNumber } from '../core/units/format';
import { budgetTerms } from '../core/sglang/budgetFormula';
import { termOfQuantity } from '../core/account/termOfQuantity';
import type { Term } from '../core/terms/term';
import type { Quantity } from '../core/units/quantity';
import { receiptMarkdown } from './receiptText';
import type { RenderOptions } from './render';
import { render, renderQuantity } from './render';
import type { LineWriter } from './reportText';
import { derivationText } from './reportText';
import { quantityNames } from './names';

/**
 * The hover as Markdown; lines of the same log are written as links. What the cursor is on and the
 * checks come first: the editor shows only the upper part of a long hover.
 */
export function logHoverMarkdown(
  hover: LogHover,
  format: RenderOptions,
  writeLine: LineWriter,
): string {
  const options: RenderOptions = { ...format, target: 'markdown' };
  const parts = [
    `**${render(titleOf(hover), options)}**`,
    focusText(hover, options),
    derivationBlock(hover, options),
    relatedList(hover, options, writeLine),
    layoutText(hover, options),
    fieldTable(hover, options),
    notesOf(hover)
      .map(note => render(note, options))
      .join(' '),
    emitterText(hover, options),
  ];
  return parts.filter(part => part !== '').join('\n\n');
}

function titleOf({ record }: LogHover): Message {
  const title = message('hover.title', { form: record.form.id });
  return record.rank === '' ? title : message('hover.rank', { title, rank: foreign(record.rank) });
}

function focusText({ focus }: LogHover, options: RenderOptions): string {
  if (focus === undefined) {
    return '';
  }
  const bytes = exactBytes(focus.quantity, options);
  const exact = bytes === '' ? '' : ` (${bytes})`;
  return `${fieldName(focus, options)}: **${renderQuantity(focus.quantity, options)}**${exact}`;
}

/** The numbers of the line that neither the focus nor a derivation says as exactly. */
function fieldTable(hover: LogHover, options: RenderOptions): string {
  const derived = derivedTerms(hover);
  const isSaid = ({ id, quantity }: HoverField): boolean => {
    const term = id === undefined ? undefined : termOfQuantity[id];
    return term !== undefined && derived.has(term) && bytesOf(quantity) === undefined;
  };
  const others = hover.fields.filter(field => field !== hover.focus && !isSaid(field));
  if (others.length === 0) {
    return '';
  }
  const rows = others.map(field => {
    const { quantity } = field;
    const amounts = [renderQuantity(quantity, options), exactBytes(quantity, options)];
    return `| ${[fieldName(field, options), ...amounts.map(apart)].join(' | ')} |`;
  });
  return ['|   |   |   |', '| :-- | --: | --: |', ...rows].join('\n');
}

/**
 * An amount that does not touch what stands left of it: the editor sets cells close together. The
 * mark without width keeps the space from being trimmed.
 */
function apart(text: string): string {
  return text === '' ? '' : `\u200B\u2003${text}`;
}

/** Everything whose value stands in a derivation. */
function derivedTerms({ derivations }: LogHover): ReadonlySet<Term> {
  return new Set(
    derivations.flatMap(({ term, formula }) => [
      term,
      ...formula.flatMap(part => (typeof part === 'string' ? [] : part.term)),
    ]),
  );
}

function fieldName({ name, id }: HoverField, options: RenderOptions): string {
  return id === undefined
    ? render(message('field.name', { form: '', field: name }), options)
    : options.translate(quantityNames[id], {});
}

/** The bytes that a printed amount stands for: `23,296,976,617 ± 536,871 B`. */
export function exactBytes(quantity: Quantity, options: RenderOptions): string {
  const bytes = bytesOf(quantity);
  if (bytes === undefined) {
    return '';
  }
  const middle = (bytes.lo + bytes.hi) / 2;
  const spread = Math.ceil((bytes.hi - bytes.lo) / 2);
  const number = formatNumber(Math.round(middle), 0, options.format);
  return spread === 0 ? `${number} B` : `${number} ± ${formatNumber(spread, 0, options.format)} B`;
}

function derivationBlock(hover: LogHover, options: RenderOptions): string {
  if (hover.derivations.length === 0) {
    return '';
  }
  const plain: RenderOptions = { ...options, target: 'plain', length: 'short' };
  const texts = hover.derivations.map(derivation => derivationLines(derivation, hover, plain));
  return ['```text', texts.join('\n'), '```'].join('\n');
}

/** Letters that a hover has room for beside each other. */
const longestRow = 78;

/**
 * The formula, and after it (below it, where that is too long) the same with values, the result and
 * whether the log agrees: where it does, the result is what it printed, which is narrower than what follows from the other figures.
 */
function derivationLines(
  { term, formula, value, printed, agrees }: Derivation,
  { valueOf }: LogHover,
  options: RenderOptions,
): string {
  const result = agrees === true ? printed : value;
  const shown: typeof valueOf = leaf => (leaf === term ? result : valueOf(leaf));
  const [first = '', second = '', third = ''] = derivationText(
    term,
    formula,
    shown,
    options,
    false,
  );
  const check = printed === undefined ? '' : `  ${checkText(agrees === true, printed, options)}`;
  const values = `${second} ${third}${check}`;
  return first.length + values.length < longestRow
    ? `${first} ${values}`
    : [first, `${' '.repeat(first.indexOf('='))}${values}`].join('\n');
}

function checkText(agrees: boolean, printed: Quantity, options: RenderOptions): string {
  return agrees
    ? `✓ ${render(message('hover.check-agrees', {}), options)}`
    : `✗ ${render(message('hover.check-differs', { printed }), options)}`;
}

function relatedList({ related }: LogHover, options: RenderOptions, writeLine: LineWriter): string {
  return related
    .map(({ name, quantity }) => {
      const lines = linesOf(quantity).slice(0, 3).map(writeLine).join(', ');
      const from = lines === '' ? '' : ` (${lines})`;
      return `- ${render(name, options)}: **${renderQuantity(quantity, options)}**${from}`;
    })
    .join('\n');
}

/** What the config says of the pool, and where its bytes per token come from. */
function layoutText({ layout }: LogHover, options: RenderOptions): string {
  return layout === undefined
    ? ''
    : [
        layout.messages.map(text => render(text, options)).join(' '),
        receiptMarkdown(layout.receipt, options),
      ]
        .filter(part => part !== '')
        .join('\n\n');
}

function notesOf({ isLocalSample, printsGibAsGb, derivations }: LogHover): Message[] {
  return [
    ...(isLocalSample ? [message('hover.minimum-of-ranks', {})] : []),
    ...(derivations.some(({ term }) => term === budgetTerms.minimum)
      ? [message('hover.floor', {})]
      : []),
    ...(printsGibAsGb ? [message('hover.gib-label', {})] : []),
  ];
}

function emitterText({ emitters, releases }: LogHover, options: RenderOptions): string {
  const place = placeOf(emitters);
  return place === undefined || releases.length === 0
    ? ''
    : `*${render(place, options)}, ${render(rangeOf(releases), options)}*`;
}

/** One place in full; several as their file, or as one of them and how many there are beside it. */
function placeOf(emitters: readonly string[]): Message | undefined {
  const last = emitters.at(-1);
  const files = new Set(emitters.map(emitter => emitter.split('::')[0] ?? emitter));
  const [file] = files;
  if (last === undefined || file === undefined) {
    return undefined;
  }
  if (files.size > 1) {
    return message('hover.emitters', { emitter: foreign(last), others: emitters.length - 1 });
  }
  return message('hover.emitter', { emitter: foreign(emitters.length === 1 ? last : file) });
}

/** From the first release of the ranges to the last. */
function rangeOf(releases: readonly ReleaseRange[]): Message {
  const from = releases[0]?.from ?? '';
  const to = releases.at(-1)?.to;
  if (to === undefined) {
    return message('hover.releases-since', { from });
  }
  return from === to ? message('hover.release', { from }) : message('hover.releases', { from, to });
}
