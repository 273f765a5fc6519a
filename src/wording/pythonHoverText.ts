/**
 * The hover over an expression of Python source as Markdown: the expression in parentheses, the same
 * with values, the result with its unit and exact bytes, and where each value came from. Leaves out
 * how a host shows Markdown and follows a link.
 */
import type { SourcePlace } from '../core/annotate/python/annotation';
import type { CodePiece } from '../core/annotate/python/codePieces';
import type { ParameterChain } from '../core/annotate/python/pythonAnnotator';
import type { HoverCall, HoverInput, PythonHover } from '../core/annotate/python/pythonHover';
import { escapeForeign } from '../core/message/escape';
import { isQuantityId } from '../core/sglang/quantityId';
import type { Provenance, Quantity } from '../core/units/quantity';
import { units } from '../core/units/unit';
import { quantityNames } from './names';
import { amountText, assumptionText, otherScale, pythonWord } from './pythonText';
import type { RenderOptions } from './render';

/** Writes places as links, or as plain text where there is nothing to open. */
export interface PlaceWriter {
  /** A line of a source file. */
  readonly source: (place: SourcePlace) => string;
  /** A line of the log whose run is bound. */
  readonly log: (line: number) => string;
}

const mostInputs = 8;
const longestCode = 60;

/** The hover as Markdown; names and code of the file act as no markup. */
export function pythonHoverMarkdown(
  hover: PythonHover,
  format: RenderOptions,
  places: PlaceWriter,
): string {
  const options: RenderOptions = { ...format, target: 'markdown' };
  const outcome = result(hover, options);
  const parts = [
    derivation(hover, outcome !== '', options),
    outcome,
    callText(hover.call, hover, options, places),
    inputList(hover, options, places),
    ...notes(hover, options),
  ];
  return parts.filter(part => part !== '').join('\n\n');
}

/** What the parameter is that the memory fraction scales, and each station on its way. */
export function chainMarkdown(
  chain: ParameterChain | undefined,
  format: RenderOptions,
  places: PlaceWriter,
): string {
  const options: RenderOptions = { ...format, target: 'markdown' };
  const what = pythonWord(
    chain?.isLeastOfRanks === true ? 'hover.before-load-least' : 'hover.before-load',
    {},
    options,
  );
  const stations = (chain?.steps ?? []).map((step, at) => {
    const gaps = {
      code: code(step.code),
      function: code(step.function),
      place: places.source(step),
    };
    return `${at + 1}. ${pythonWord(`hover.${step.kind}-at`, gaps, options)}`;
  });
  return stations.length === 0
    ? what
    : [what, pythonWord('hover.chain', {}, options), stations.join('\n')].join('\n\n');
}

/**
 * Name, expression, values and, where nothing else says it, the result under each other, in a fence
 * that no code can close.
 */
function derivation(hover: PythonHover, isResultSaid: boolean, options: RenderOptions): string {
  const { target, valued, quantity, text } = hover;
  const source = tidy(hover.source);
  const plain: RenderOptions = { ...options, target: 'plain' };
  const name = target !== undefined && target !== hover.source ? target : undefined;
  const values = tidy(valued.map(piece => pieceText(piece, plain)).join(''));
  const amount = quantity === undefined ? (text ?? '') : amountText(quantity, plain);
  const shown = isResultSaid && quantity !== undefined ? '' : amount;
  const indent = name === undefined ? '' : ' '.repeat(Math.min(name.length, 40) + 1);
  const first = name === undefined ? source : `${name} = ${source}`;
  const more = [values, shown]
    .filter((row, at, rows) => row !== '' && row !== source && row !== rows[at + 1])
    .filter(row => !isResultSaid || row !== amount)
    .map(row => `${indent}${/^[≈≥≤]/.test(row) ? row : `= ${row}`}`);
  const lines = [first, ...more].map(line => escapeForeign(line, 'plain'));
  const longest = Math.max(
    2,
    ...lines.flatMap(line => line.match(/`+/g) ?? []).map(run => run.length),
  );
  const fence = '`'.repeat(longest + 1);
  return [`${fence}python`, ...lines, fence].join('\n');
}

function pieceText(piece: CodePiece, options: RenderOptions): string {
  return typeof piece === 'string' ? piece : amountText(piece, options);
}

/** A call that is written on several lines, as on one. */
function tidy(source: string): string {
  return source.replace(/(\w)\( ((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?),? \)/g, '$1($2)');
}

function result({ quantity, unit }: PythonHover, options: RenderOptions): string {
  // A plain number stands whole at the end of its derivation.
  if (quantity !== undefined && (unit === undefined || unit === units.one)) {
    return '';
  }
  if (quantity !== undefined) {
    const other = otherScale(quantity, options);
    const amount = `**${amountText(quantity, options)}**`;
    return other === ''
      ? amount
      : `${amount} ${pythonWord('hover.also', { amount: other }, options)}`;
  }
  return unit === undefined || unit === units.one
    ? ''
    : pythonWord('hover.unit-only', { unit: `**${unit.name}**` }, options);
}

/** A piece of code in a line of text; what is long is known from the source itself. */
function code(text: string): string {
  const plain = tidy(escapeForeign(text, 'plain').replaceAll('`', '’')).trim();
  const short = plain.length > longestCode ? `${plain.slice(0, longestCode - 1)}…` : plain;
  return `\`${short}\``;
}

function callText(
  call: HoverCall | undefined,
  { unit }: PythonHover,
  options: RenderOptions,
  places: PlaceWriter,
): string {
  if (call === undefined) {
    return '';
  }
  const callee = code(call.callee);
  const unitName = unit?.name ?? '';
  const returns =
    unit === undefined || unit === units.one
      ? pythonWord('hover.call-plain', { callee }, options)
      : pythonWord('hover.call', { callee, unit: unitName }, options);
  const why =
    call.scale === undefined
      ? ''
      : `- ${pythonWord('hover.scale', { unit: unitName, place: places.source(call.scale) }, options)}${
          call.scale.code === undefined ? '' : `: ${code(call.scale.code)}`
        }`;
  const defined =
    call.definition === undefined
      ? ''
      : `- ${pythonWord('hover.defined', { place: places.source(call.definition) }, options)}`;
  const measured = call.isMeasurement ? pythonWord('hover.measured', {}, options) : '';
  return [returns, [defined, why].filter(line => line !== '').join('\n'), measured]
    .filter(part => part !== '')
    .join('\n\n');
}

function inputList(
  { inputs, source }: PythonHover,
  options: RenderOptions,
  places: PlaceWriter,
): string {
  return inputs
    .slice(0, mostInputs)
    .map(input => `- ${inputLine(input, source, options, places)}`)
    .join('\n');
}

function inputLine(
  { name, source, quantity }: HoverInput,
  whole: string,
  options: RenderOptions,
  places: PlaceWriter,
): string {
  const meaning = isQuantityId(name) ? options.translate(quantityNames[name], {}) : undefined;
  const isSaid = meaning !== undefined && source?.endsWith(meaning) === true && source !== whole;
  const shown = [
    source === undefined || source === whole ? undefined : code(source),
    isSaid
      ? undefined
      : (meaning ?? (source === undefined || source === whole ? code(name) : undefined)),
  ]
    .filter(part => part !== undefined)
    .join(' ');
  if (quantity === undefined) {
    return pythonWord('hover.input-unknown', { name: shown }, options);
  }
  const value = `**${amountText(quantity, options)}**`;
  const from = quantity.provenance
    .slice(0, 2)
    .map(one => originText(one, options, places))
    .filter(text => text !== '')
    .join(', ');
  const line = pythonWord('hover.input', { name: shown, value }, options);
  return from === '' ? line : `${line} (${from})`;
}

function originText(origin: Provenance, options: RenderOptions, places: PlaceWriter): string {
  switch (origin.kind) {
    case 'printed':
      return pythonWord('hover.from-log', { place: places.log(origin.line) }, options);
    case 'given':
      return pythonWord('hover.from-hand', {}, options);
    case 'config':
      return pythonWord('hover.from-config', { place: code(origin.key) }, options);
    case 'source':
      return pythonWord(
        'hover.from-log',
        { place: places.source({ path: origin.file, line: origin.line, column: origin.column }) },
        options,
      );
    case 'equation':
      return '';
  }
}

function notes(hover: PythonHover, options: RenderOptions): string[] {
  const { missing, quantity, isSkipped, isUnitByUse } = hover;
  return [
    ...(isSkipped ? [pythonWord('hover.skipped', {}, options)] : []),
    ...(quantity === undefined && missing.length > 0
      ? [pythonWord('hover.missing', { names: missing.map(code).join(', ') }, options)]
      : []),
    ...(isUnitByUse ? [pythonWord('hover.by-use', {}, options)] : []),
    ...assumed(quantity, options),
  ];
}

function assumed(quantity: Quantity | undefined, options: RenderOptions): string[] {
  const names = (quantity?.assumptions ?? []).map(id => assumptionText(id, options));
  return names.length === 0
    ? []
    : [`*${pythonWord('hover.assumed', { assumptions: names.join(', ') }, options)}*`];
}
