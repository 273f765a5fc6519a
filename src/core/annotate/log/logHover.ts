/**
 * What a log line says, for a hover: its numbers with their real units, the checks that its own
 * figures allow, and what the account derives from it. Plain data; the edge words it.
 */
import type { RunAccount } from '../../account/account';
import { fieldQuantity } from '../../account/figure';
import type { LogRecord } from '../../log/record';
import type { FormulaPart } from '../../terms/explain';
import { formulaOf } from '../../terms/explain';
import { factOf } from '../../terms/derive';
import { solve } from '../../terms/solve';
import type { Solution } from '../../terms/solve';
import type { Term } from '../../terms/term';
import { budgetTerms } from '../../sglang/budgetFormula';
import type { QuantityId } from '../../sglang/quantityId';
import { intersect } from '../../units/interval';
import type { Quantity } from '../../units/quantity';

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

/** All that a hover over a record shows. */
export interface LogHover {
  readonly record: LogRecord;
  readonly fields: readonly HoverField[];
  /** The field under the cursor. */
  readonly focus: HoverField | undefined;
  readonly derivations: readonly Derivation[];
  /** Values by which the formulas of the derivations are shown. */
  readonly valueOf: (term: Term) => Quantity | undefined;
  /** True where "GB" on the line means GiB. */
  readonly printsGibAsGb: boolean;
  /** True for a sample of one rank that the formula does not use itself. */
  readonly isLocalSample: boolean;
  readonly emitters: readonly string[];
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
  const fields = fieldsOf(record);
  const own = ownFacts(record);
  const solution =
    own.length > 1 ? solve(Object.values(budgetTerms), own, { explain: false }) : undefined;
  return {
    record,
    fields,
    focus: fields.find(
      field => field.line === line && field.start <= column && column <= field.end,
    ),
    derivations: derivationsOf(record, own, solution, account),
    valueOf: term => solution?.quantityOf(term) ?? account?.solution.quantityOf(term),
    printsGibAsGb:
      fields.some(({ quantity }) => quantity.unit.name === 'GiB') &&
      record.form.owner !== 'patch' &&
      record.form.owner !== 'torch',
    isLocalSample: localSamples.has(record.form.id),
    emitters: record.spelling?.emitters ?? [],
  };
}

function fieldsOf(record: LogRecord): HoverField[] {
  return Object.entries(record.fields).flatMap(([name, field]) => {
    const quantity = field && fieldQuantity(record, field);
    const described = record.form.fields[name];
    const id = described && described.unit !== 'text' ? described.quantity : undefined;
    return field && quantity
      ? [{ name, quantity, id, line: field.line, start: field.start, end: field.end }]
      : [];
  });
}

const termOfId: Readonly<Partial<Record<QuantityId, Term>>> = {
  availableAfterLoad: budgetTerms.available,
  totalBeforeLoad: budgetTerms.total,
  memFractionEffective: budgetTerms.fraction,
  slack: budgetTerms.slack,
  restMemory: budgetTerms.rest,
  budgetedBytesPerToken: budgetTerms.cell,
  profiledTokens: budgetTerms.profiled,
};

function ownFacts(record: LogRecord) {
  if (record.form.event !== 'sizing') {
    return [];
  }
  return fieldsOf(record).flatMap(({ id, quantity }) => {
    const term = id && termOfId[id];
    return term ? [factOf(term, quantity)] : [];
  });
}

/** Each figure of a sizing line again from the others, and what the floor of f is. */
function derivationsOf(
  record: LogRecord,
  own: ReturnType<typeof ownFacts>,
  solution: Solution | undefined,
  account: RunAccount | undefined,
): Derivation[] {
  if (solution === undefined || account === undefined) {
    return [];
  }
  const assumedNothing = account.budget.facts.filter(
    ({ term }) => term === budgetTerms.reservation || term === budgetTerms.state,
  );
  const checks = checked.flatMap((term): Derivation[] => {
    const printed = own.find(fact => fact.term === term);
    const others = [...own.filter(fact => fact.term !== term), ...assumedNothing];
    const value = solve([term], others, { explain: false }).quantityOf(term);
    if (value === undefined || !isFinite(value)) {
      return [];
    }
    const shown = printed && solution.quantityOf(term);
    return [
      {
        term,
        formula: formulaOf(term),
        value,
        printed: shown,
        agrees: printed && intersect(printed.interval, value.interval) !== undefined,
      },
    ];
  });
  const minimum = account.solution.quantityOf(budgetTerms.minimum);
  return minimum === undefined
    ? checks
    : [
        ...checks,
        {
          term: budgetTerms.minimum,
          formula: formulaOf(budgetTerms.minimum),
          value: minimum,
          printed: undefined,
          agrees: undefined,
        },
      ];
}

function isFinite({ interval }: Quantity): boolean {
  return Number.isFinite(interval.lo) && Number.isFinite(interval.hi);
}
