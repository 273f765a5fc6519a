/**
 * What a log line says, for a hover: its numbers with their real units, the checks that its own
 * figures allow, and what the account derives from it. Plain data; the edge words it.
 */
import type { RunAccount } from '../../account/account';
import { automaticMessage, layoutMessages } from '../../account/layoutMessages';
import { fieldQuantity } from '../../account/figure';
import type { Fractions } from '../../account/fraction';
import { termOfQuantity } from '../../account/termOfQuantity';
import type { LogRecord } from '../../log/record';
import type { Message } from '../../message/message';
import { message } from '../../message/message';
import type { Receipt } from '../../model/receipt';
import { tellingLines } from '../../model/receipt';
import type { FormulaPart } from '../../terms/explain';
import { formulaOf } from '../../terms/explain';
import { factOf } from '../../terms/derive';
import { solve } from '../../terms/solve';
import type { Term } from '../../terms/term';
import { budgetTerms } from '../../sglang/budgetFormula';
import type { ReleaseRange } from '../../sglang/form/lineForm';
import type { QuantityId } from '../../sglang/quantityId';
import { unitOfQuantity } from '../../sglang/quantityId';
import { givenQuantity } from '../../units/givenQuantity';
import { intersect } from '../../units/interval';
import type { Quantity } from '../../units/quantity';
import { units } from '../../units/unit';

/** A number of the line. */
export interface HoverField {
  readonly name: string;
  readonly quantity: Quantity;
  readonly id: QuantityId | undefined;
  /** UTF-16 columns of the number. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** A formula with its values. `printed` is what the log shows for the same term, if it does. */
export interface Derivation {
  readonly term: Term;
  readonly formula: readonly FormulaPart[];
  readonly value: Quantity;
  readonly printed: Quantity | undefined;
  readonly agrees: boolean | undefined;
}

/** A quantity of the account that the line tells something of without printing it. */
export interface RelatedQuantity {
  readonly name: Message;
  readonly quantity: Quantity;
}

/** A config against the line. */
interface LayoutHover {
  readonly messages: readonly Message[];
  readonly receipt: Receipt;
}

/** All that a hover over a record shows. */
export interface LogHover {
  readonly record: LogRecord;
  /** False where the line has no number of memory and the account tells nothing of it. */
  readonly hasContent: boolean;
  readonly fields: readonly HoverField[];
  /** The field under the cursor. */
  readonly focus: HoverField | undefined;
  readonly derivations: readonly Derivation[];
  /** Values by which the formulas of the derivations are shown. */
  readonly valueOf: (term: Term) => Quantity | undefined;
  readonly related: readonly RelatedQuantity[];
  /** What a config says of the pool of this line: sentences, and where bytes per token come from. */
  readonly layout: LayoutHover | undefined;
  /** True where "GB" on the line means GiB. */
  readonly printsGibAsGb: boolean;
  /** True for a sample of one rank that the formula does not use itself. */
  readonly isLocalSample: boolean;
  /** Where the line is printed, and by which releases; empty where its spelling does not tell. */
  readonly emitters: readonly string[];
  readonly releases: readonly ReleaseRange[];
}

const localSamples: ReadonlySet<string> = new Set(['load-begin', 'load-end']);

const checked: readonly Term[] = [budgetTerms.slack, budgetTerms.rest, budgetTerms.profiled];

/** The hover for a record; `column` is the UTF-16 column of the cursor in `line` (1-based). */
export function logHover(
  account: RunAccount | undefined,
  record: LogRecord,
  line: number,
  column: number,
): LogHover {
  const all = fieldsOf(record);
  const focus = all.find(
    field => field.line === line && field.start <= column && column <= field.end,
  );
  // Of the many launch arguments only the one under the cursor is of interest.
  const fields = record.serverArguments === undefined ? all : focus ? [focus] : [];
  const own = ownFigures(record);
  const facts = own.map(({ term, quantity }) => factOf(term, quantity));
  const solution =
    own.length > 1 ? solve(Object.values(budgetTerms), facts, { explain: false }) : undefined;
  const related = account ? relatedOf(account, record) : [];
  return {
    record,
    hasContent: fields.some(isOfMemory) || related.length > 0,
    fields,
    focus,
    derivations: derivationsOf(own, account),
    valueOf: term => solution?.quantityOf(term) ?? account?.solution.quantityOf(term),
    related,
    layout: account && (layoutHover(account, record) ?? automaticHover(account, focus)),
    printsGibAsGb:
      fields.some(({ quantity }) => quantity.unit.name === 'GiB') &&
      record.form.owner !== 'patch' &&
      record.form.owner !== 'torch',
    isLocalSample: localSamples.has(record.form.id),
    emitters: record.spelling?.emitters ?? [],
    releases: record.spelling?.releases ?? [],
  };
}

/** Lines of pools, and lines that print bytes per token. */
const layoutForms: ReadonlySet<string> = new Set(['kv-allocated']);

function layoutHover(
  { layout, quantities }: RunAccount,
  record: LogRecord,
): LayoutHover | undefined {
  const hasCell = fieldsOf(record).some(({ id }) => id === 'budgetedBytesPerToken');
  return layout?.kind === 'known' && (layoutForms.has(record.form.id) || hasCell)
    ? {
        messages: layoutMessages(layout.value, quantities),
        receipt:
          layout.value.agreement === 'differs' ? [] : tellingLines(layout.value.bytes.receipt),
      }
    : undefined;
}

/** On the fraction of the launch arguments: who set it, and which terms made it. */
function automaticHover(
  { automatic }: RunAccount,
  focus: HoverField | undefined,
): LayoutHover | undefined {
  return automatic && focus?.name === 'mem_fraction_static'
    ? { messages: [automaticMessage(automatic)], receipt: tellingLines(automatic.value.receipt) }
    : undefined;
}

/** Durations and plain counts alone are no matter of memory. */
function isOfMemory({ id, quantity }: HoverField): boolean {
  const { unit } = quantity;
  return id !== undefined || (unit !== units.one && unit !== units.second);
}

function fieldsOf(record: LogRecord): HoverField[] {
  const printed = Object.entries(record.fields).flatMap(([name, field]) => {
    const quantity = field && fieldQuantity(record, field);
    const described = record.form.fields[name];
    const id = described && described.unit !== 'text' ? described.quantity : undefined;
    return field && quantity
      ? [{ name, quantity, id, line: field.line, start: field.start, end: field.end }]
      : [];
  });
  return [...printed, ...argumentFields(record)];
}

/** Launch arguments that are quantities of the contract. */
const quantityOfArgument: Readonly<Partial<Record<string, QuantityId>>> = {
  mem_fraction_static: 'memFractionStatic',
  max_total_tokens: 'maxTotalTokens',
  max_running_requests: 'maxRunningRequests',
  context_length: 'contextLength',
};

function argumentFields({ serverArguments }: LogRecord): HoverField[] {
  return [...(serverArguments?.values ?? [])].flatMap(([name, argument]) => {
    const id = quantityOfArgument[name];
    const { value, line, start, end } = argument;
    return id !== undefined && (typeof value === 'number' || typeof value === 'bigint')
      ? [{ name, quantity: givenQuantity(value, unitOfQuantity(id), name), id, line, start, end }]
      : [];
  });
}

/** What the account says of the thing that the line is about. */
function relatedOf({ quantities, fraction }: RunAccount, record: LogRecord): RelatedQuantity[] {
  const named = (id: QuantityId): RelatedQuantity[] => {
    const quantity = quantities.get(id);
    return quantity ? [{ name: message('name.quantity', { quantity: id }), quantity }] : [];
  };
  const share = (which: keyof Fractions): RelatedQuantity[] => {
    const quantity = fraction[which];
    return quantity ? [{ name: message('name.memory-fraction', { which }), quantity }] : [];
  };
  switch (record.form.id) {
    case 'load-begin':
    case 'load-end':
      return share('minimum');
    case 'kv-allocated':
      return [...named('allocatedBytesPerToken'), ...share('implied')];
    case 'pool-end':
      return named('requestToTokenPool');
    case 'summary':
      return [...named('bytesPerToken'), ...share('implied')];
    case 'not-enough-memory':
    case 'no-memory-left':
      return [...named('restMemory'), ...share('minimum')];
    case 'server-arguments':
      return [...share('claimed'), ...share('effective'), ...share('implied'), ...share('minimum')];
    default:
      return [];
  }
}

interface OwnFigure {
  readonly term: Term;
  readonly quantity: Quantity;
}

/** What a line of the sizing code prints of the budget's terms. */
function ownFigures(record: LogRecord): OwnFigure[] {
  if (record.form.event !== 'sizing') {
    return [];
  }
  return fieldsOf(record).flatMap(({ id, quantity }) => {
    const term = id && termOfQuantity[id];
    return term ? [{ term, quantity }] : [];
  });
}

/** Each figure of a sizing line again from the others, and what the floor of f is. */
function derivationsOf(
  own: readonly OwnFigure[],
  account: RunAccount | undefined,
): readonly Derivation[] {
  if (own.length < 2 || account === undefined) {
    return [];
  }
  const assumedNothing = account.budget.facts.filter(
    ({ term }) => term === budgetTerms.reservation || term === budgetTerms.state,
  );
  const isZero = (term: Term): boolean =>
    Number(account.solution.quantityOf(term)?.exact ?? 1) === 0;
  const checks = checked.flatMap((term): Derivation[] => {
    const printed = own.find(figure => figure.term === term)?.quantity;
    const others = own.filter(figure => figure.term !== term);
    const facts = [...others.map(other => factOf(other.term, other.quantity)), ...assumedNothing];
    const value = solve([term], facts, { explain: false }).quantityOf(term);
    if (value === undefined || !isFinite(value)) {
      return [];
    }
    const agrees = printed && intersect(printed.interval, value.interval) !== undefined;
    return [{ term, formula: formulaOf(term, isZero), value, printed, agrees }];
  });
  const minimum = account.solution.quantityOf(budgetTerms.minimum);
  const floor: Derivation | undefined = minimum && {
    term: budgetTerms.minimum,
    formula: formulaOf(budgetTerms.minimum, isZero),
    value: minimum,
    printed: undefined,
    agrees: undefined,
  };
  return floor ? [...checks, floor] : checks;
}

function isFinite({ interval }: Quantity): boolean {
  return Number.isFinite(interval.lo) && Number.isFinite(interval.hi);
}
