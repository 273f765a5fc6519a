/**
 * The report as Markdown and as text for a terminal. Both walk the same blocks; they differ in how
 * a table and a heading are drawn.
 */
import { escapeForeign } from '../core/message/escape';
import type { Block, Cell, ColumnId, Report, TableRow } from '../core/report/reportModel';
import type { FormulaPart } from '../core/terms/explain';
import { nameOf } from '../core/terms/explain';
import type { Term } from '../core/terms/term';
import type { Quantity } from '../core/units/quantity';
import { columnNames, sectionNames, symbolNames } from './names';
import type { RenderOptions } from './render';
import { render, renderOrigin, renderQuantity } from './render';

/**
 * Writes the number of a 1-based line, with or without a link to it; `file` is its index where a run
 * is of several files.
 */
export type LineWriter = (line: number, file: number) => string;

const plainLine: LineWriter = line => String(line);

/** Markdown, for the virtual document and for pasting into an issue. */
export function reportMarkdown(
  report: Report,
  options: RenderOptions,
  writeLine: LineWriter = plainLine,
): string {
  const markdown: RenderOptions = { ...options, target: 'markdown' };
  const sections = report.sections.map(({ id, blocks }) => {
    const heading = `## ${options.translate(sectionNames[id], {})}`;
    const texts = blocks.map(block => markdownBlock(block, markdown, writeLine));
    return [heading, ...texts].join('\n\n');
  });
  return `${sections.join('\n\n')}\n`;
}

function markdownBlock(block: Block, options: RenderOptions, writeLine: LineWriter): string {
  switch (block.kind) {
    case 'sentence': {
      const text = render(block.message, options);
      return block.isHeadline ? `**${text}**` : text;
    }
    case 'flag':
      return `\`\`\`sh\n${block.flag}\n\`\`\``;
    case 'derivation': {
      const { term, formula, valueOf } = block;
      const [first = '', ...more] = derivationText(term, formula, valueOf, options);
      const indent = ' '.repeat(first.indexOf('='));
      return ['```', first, ...more.map(line => indent + line), '```'].join('\n');
    }
    case 'table': {
      const header = block.columns.map(column => options.translate(columnNames[column], {}));
      const lines = [
        header,
        block.columns.map(column => (textColumns.has(column) ? ':--' : '--:')),
        ...block.rows.map(row => rowTexts(row, options, writeLine)),
      ];
      return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n');
    }
  }
}

/** Columns that are read as text; the others are numbers and aligned as such. */
const textColumns: ReadonlySet<ColumnId> = new Set(['what', 'rank', 'lines', 'origin']);

/** Plain text with aligned columns. */
export function reportTerminal(
  report: Report,
  options: RenderOptions,
  writeLine: LineWriter = plainLine,
): string {
  const plain: RenderOptions = { ...options, target: 'plain' };
  const sections = report.sections.map(({ id, blocks }) => {
    const heading = options.translate(sectionNames[id], {});
    return [heading, ...blocks.map(block => indent(terminalBlock(block, plain, writeLine)))].join(
      '\n',
    );
  });
  return sections.join('\n\n');
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

function terminalBlock(block: Block, options: RenderOptions, writeLine: LineWriter): string {
  switch (block.kind) {
    case 'sentence':
      return render(block.message, options);
    case 'flag':
      return block.flag;
    case 'derivation':
      return derivationText(block.term, block.formula, block.valueOf, options).join('\n  ');
    case 'table': {
      const header = block.columns.map(column => options.translate(columnNames[column], {}));
      const lines = [header, ...block.rows.map(row => rowTexts(row, options, writeLine))];
      const widths = header.map((_, at) =>
        Math.max(...lines.map(cells => (cells[at] ?? '').length)),
      );
      return lines
        .map(cells =>
          cells
            .map((cell, at) => cell.padEnd(widths[at] ?? 0))
            .join('  ')
            .trimEnd(),
        )
        .join('\n');
    }
  }
}

function rowTexts(row: TableRow, options: RenderOptions, writeLine: LineWriter): string[] {
  const cells = row.cells.map(cell => cellText(cell, options, writeLine));
  const [first = '', ...rest] = cells;
  const mark = row.mark === undefined ? '' : ` ${markTexts[row.mark]}`;
  return [`${first}${mark === '' ? '' : options.translate(mark, {})}`, ...rest];
}

export const markTexts = {
  current: '(in effect)',
  offered: '(recommended)',
  binding: '(decides)',
} as const satisfies Record<NonNullable<TableRow['mark']>, string>;

function cellText(cell: Cell, options: RenderOptions, writeLine: LineWriter): string {
  switch (cell.kind) {
    case 'message':
      return render(cell.message, options);
    case 'quantity':
      return renderQuantity(cell.quantity, options);
    case 'lines': {
      const lines = cell.places.map(({ line, file = 0 }) => writeLine(line, file));
      return lines.length > 4
        ? `${lines.slice(0, 3).join(', ')} … ${lines.at(-1) ?? ''}`
        : lines.join(', ');
    }
    case 'foreign':
      return escapeForeign(cell.text, options.target);
    case 'origins':
      return cell.origins.map(origin => renderOrigin(origin, options)).join(', ');
    case 'empty':
      return '?';
  }
}

/** What stands for a term in a formula. */
export function symbolOf(term: Term): string {
  const name = nameOf(term);
  return name === undefined ? '?' : (symbolNames[name] ?? name);
}

/**
 * A derivation in three lines: the formula with names, the same with values, the result. A value
 * that is not known is `?`. With `marksPrinted` a result that the log prints is told from one that the
 * formula gives.
 */
export function derivationText(
  term: Term,
  formula: readonly FormulaPart[],
  valueOf: (term: Term) => Quantity | undefined,
  options: RenderOptions,
  marksPrinted = true,
): string[] {
  const write = (show: (term: Term) => string): string =>
    formula.map(part => (typeof part === 'string' ? part : show(part.term))).join('');
  const value = (leaf: Term): string => {
    const quantity = valueOf(leaf);
    return quantity === undefined ? '?' : renderQuantity(quantity, { ...options, length: 'short' });
  };
  const result = valueOf(term);
  return [
    `${symbolOf(term)} = ${write(symbolOf)}`,
    `= ${write(value)}`,
    `${equals(result === undefined ? '?' : renderQuantity(result, options))}${marksPrinted ? printedMark(result, options) : ''}`,
  ];
}

function printedMark(result: Quantity | undefined, options: RenderOptions): string {
  return result?.printed === undefined ? '' : options.translate(', as printed', {});
}

/** `= 42.30 GiB`, or `≈ 42.30 GiB` for a value that is marked so. */
function equals(text: string): string {
  return /^[≈≥≤]/.test(text) ? text : `= ${text}`;
}
