/**
 * Renders messages at the edge: the wording in the user's language, quantities by one
 * FormatOptions, foreign text through the one escape function.
 */
import { escapeForeign } from '../core/message/escape';
import type { EscapeTarget } from '../core/message/escape';
import type { Message, MessageArgument } from '../core/message/message';
import type { ConfigPlace } from '../core/model/configTree';
import type { Origin } from '../core/model/modelMessages';
import type { FormatOptions } from '../core/units/format';
import { formatNumber, formatShort, formatSpread } from '../core/units/format';
import type { Quantity } from '../core/units/quantity';
import { english } from './english';
import { fieldNames } from './fieldNames';
import { formNames } from './formNames';
import {
  assumptionNames,
  fractionNames,
  graphNames,
  ledgerNames,
  metricNames,
  phaseNames,
  quantityNames,
  shortNames,
  symbolNames,
  verdictNames,
} from './names';
import { receiptNames } from './receiptNames';

/** How messages become text. `translate` is `l10n.t` of the host. */
export interface RenderOptions {
  readonly format: FormatOptions;
  readonly target: EscapeTarget;
  /** `short` for places with little room: one nominal number marked ≈ instead of an interval. */
  readonly length: 'full' | 'short';
  readonly translate: (text: string, values: Record<string, string>) => string;
  /** Makes a link of a text that names a key of the config; without it the text stands alone. */
  readonly linkConfig?: (text: string, place: ConfigPlace) => string;
}

/** What a value of a receipt rests on, as text or as a link into the config. */
export function renderOrigin({ message, place }: Origin, options: RenderOptions): string {
  const text = render(message, options);
  return place !== undefined && options.linkConfig !== undefined
    ? options.linkConfig(text, place)
    : text;
}

/** A message as text. */
export function render(message: Message, options: RenderOptions): string {
  const values = Object.entries(message.arguments).map(
    ([name, argument]) => [name, renderArgument(name, argument, options)] as const,
  );
  return options.translate(english[message.id], Object.fromEntries(values));
}

function renderArgument(name: string, argument: MessageArgument, options: RenderOptions): string {
  if (typeof argument === 'string') {
    const known = namesOfArgument[name]?.[argument];
    return known === undefined ? argument : options.translate(known, {});
  }
  if (typeof argument === 'number') {
    return formatNumber(argument, 0, options.format);
  }
  if (isList(argument)) {
    return argument.map(part => render(part, options)).join(', ');
  }
  if ('foreign' in argument) {
    return escapeForeign(argument.foreign, options.target);
  }
  if ('share' in argument) {
    return `${formatNumber(argument.share * 100, 1, options.format)} %`;
  }
  return 'interval' in argument ? renderQuantity(argument, options) : render(argument, options);
}

/** Arguments that are ids, and the names they have. */
const namesOfArgument: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  quantity: quantityNames,
  short: shortNames,
  metric: metricNames,
  term: symbolNames,
  entry: ledgerNames,
  which: fractionNames,
  phase: phaseNames,
  graph: graphNames,
  form: formNames,
  field: fieldNames,
  verdict: verdictNames,
  part: receiptNames,
  assumed: assumptionNames,
};

function isList(argument: MessageArgument): argument is readonly Message[] {
  return Array.isArray(argument);
}

/** A quantity by the options' length and format. */
export function renderQuantity(quantity: Quantity, options: RenderOptions): string {
  return options.length === 'short'
    ? formatShort(quantity, options.format)
    : formatSpread(quantity, options.format);
}
