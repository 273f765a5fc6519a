/** Turns a fact that an expression reached into the value that the run goes on with. */
import { apply, constant } from '../terms/build';
import type { InputTerm, Term } from '../terms/term';
import type { DefaultFact, InputFact, LibraryFact } from './facts';
import type { GivenValue, Machine } from './machine';
import { unitNamed } from './machine';
import type { ReachMatch } from './reach';
import type { Value, ValuePath } from './value';
import { numberTerm } from './operation';
import { boolean, fromTerm, none, numberOf, opaque, rootPath, text, truth } from './value';

function termOf(machine: Machine, fact: InputFact): InputTerm {
  const unit = unitNamed(fact.flowUnit ?? fact.unit);
  const isInteger = fact.isInteger === true || fact.isBoolean === true;
  const term = machine.inputTerm(fact.id, unit, isInteger);
  if (fact.least !== undefined) {
    machine.least.set(term, fact.least);
  }
  return term;
}

function literal(value: boolean | string | null): Value {
  return value === null ? none : typeof value === 'string' ? text(value) : boolean(value);
}

/** The value of a given expression. */
export function givenExpression(machine: Machine, key: string, given: GivenValue): Value {
  switch (given.kind) {
    case 'literal':
      return literal(given.value);
    case 'quantity':
      return fromTerm(machine.expressionTerm(key, given.quantity));
    case 'input': {
      const row = machine.facts.input(given.id);
      return row === undefined
        ? opaque(rootPath(key))
        : inputValue(machine, { row, isNegated: false });
    }
  }
}

function isGiven(machine: Machine, id: string): boolean {
  return machine.options.inputs.has(id);
}

/** The value of an input; one that is not given stays a term whose value is missing. */
export function inputValue(machine: Machine, { row, isNegated }: ReachMatch<InputFact>): Value {
  const given = machine.options.inputs.get(row.id);
  if (given?.kind === 'literal') {
    return isNegated && typeof given.value === 'boolean'
      ? boolean(!given.value)
      : literal(given.value);
  }
  const { fallback } = row;
  if (given === undefined && fallback !== undefined && hasValue(machine, row)) {
    return fallbackValue(machine, fallback, isNegated);
  }
  const term = termOf(machine, row);
  if (row.isBoolean === true) {
    return truth(isNegated ? apply('not', [term]) : term);
  }
  return fromTerm(term);
}

function fallbackValue(
  machine: Machine,
  fallback: NonNullable<InputFact['fallback']>,
  isNegated: boolean,
): Value {
  const other = (id: string): Value => {
    const row = machine.facts.input(id);
    return row === undefined ? opaque(rootPath(id)) : inputValue(machine, { row, isNegated });
  };
  if ('sum' in fallback) {
    const terms = fallback.sum.map(id => numberTerm(machine, other(id)) ?? constant(0n));
    return fromTerm(terms.reduce((total, term) => apply('+', [total, term])));
  }
  machine.assumptions.add(fallback.assumption);
  return 'input' in fallback ? other(fallback.input) : numberOf(fallback.value);
}

/** True where the input has a value, or another value stands for it. */
export function hasValue(machine: Machine, { id, fallback }: InputFact): boolean {
  if (isGiven(machine, id) || fallback === undefined) {
    return isGiven(machine, id);
  }
  if ('sum' in fallback) {
    return fallback.sum.every(one => isGiven(machine, one));
  }
  return 'value' in fallback || isGiven(machine, fallback.input);
}

/** What the tables say of a path: an input, the plain profile, a library; undefined for nothing. */
export function toldValue(
  machine: Machine,
  path: ValuePath,
  receiver: Value | undefined,
): Value | undefined {
  const { inputs, defaults, library } = machine.facts;
  const told = inputOrDefault(machine, inputs.value(path), defaults.value(path), path);
  const fact = told === undefined ? library.value(path) : undefined;
  return fact === undefined ? told : libraryValue(machine, fact, path, receiver);
}

/** An input with a value comes before the plain profile, one without comes after it. */
export function inputOrDefault(
  machine: Machine,
  found: ReachMatch<InputFact> | undefined,
  assumed: ReachMatch<DefaultFact> | undefined,
  path: ValuePath,
): Value | undefined {
  if (assumed !== undefined && (found === undefined || !hasValue(machine, found.row))) {
    return defaultValue(machine, assumed, path);
  }
  return found && inputValue(machine, found);
}

/** The value of the plain profile; `path` names what is only known to exist. */
export function defaultValue(
  machine: Machine,
  { row, isNegated }: ReachMatch<DefaultFact>,
  path: ValuePath,
): Value {
  if (!machine.options.usesDefaults) {
    const found = machine.facts.inputs.value(path);
    const number = found === undefined ? undefined : inputValue(machine, found);
    return opaque(path, number?.kind === 'number' ? { number: number.term } : {});
  }
  if (row.when?.some(id => isGiven(machine, id)) === false || row.value === 'absent') {
    return opaque(path);
  }
  const overridden = row.unless?.some(id => isGiven(machine, id)) === true;
  const value = overridden ? (row.otherwise ?? 'unknown') : row.value;
  if (!overridden) {
    machine.assumptions.add(row.assumption);
  }
  if (value === 'fallback') {
    return path.arguments?.[1] ?? none;
  }
  if (value === 'object' || value === 'unknown') {
    return opaque(path, { isObject: value === 'object' });
  }
  if (typeof value === 'object') {
    return value === null ? none : { kind: 'tuple', items: [] };
  }
  return typeof value === 'boolean' ? boolean(value !== isNegated) : numberOf(value);
}

/** True where the plain profile says that an object has no such attribute; then that is assumed. */
export function isAbsent(machine: Machine, path: ValuePath): boolean {
  const row = machine.options.usesDefaults ? machine.facts.defaults.value(path)?.row : undefined;
  if (row?.value !== 'absent') {
    return false;
  }
  machine.assumptions.add(row.assumption);
  return true;
}

/** What a library's call or attribute gives. `receiver` is the value in front of the last step. */
function libraryValue(
  machine: Machine,
  { row }: ReachMatch<LibraryFact>,
  path: ValuePath,
  receiver: Value | undefined,
): Value {
  const { result } = row;
  const amount = (name: string, unit: string, isInteger: boolean, at = 0): Value => {
    const term = machine.unknown(name, { unit: unitNamed(unit), isInteger });
    if (row.measures !== undefined && at === 0) {
      machine.sizing.noteLibrary();
      machine.measured.set(term, row.measures);
    }
    return fromTerm(term);
  };
  if ('tuple' in result) {
    return {
      kind: 'tuple',
      items: result.tuple.map(({ unit }, at) => amount(`${path.text}[${at}]`, unit, true, at)),
    };
  }
  if ('value' in result) {
    return fromTerm(constant(result.value, unitNamed(result.unit)));
  }
  if ('like' in result) {
    const source = result.like === 'argument' ? path.arguments?.[0] : receiver;
    return source?.kind === 'number'
      ? fromTerm(derivedTerm(machine, path.text, source.term))
      : opaque(path);
  }
  return amount(path.text, result.unit, result.isInteger === true);
}

/** An unknown amount in the unit of another one. */
function derivedTerm(machine: Machine, name: string, source: Term): InputTerm {
  const term = machine.unknown(name, { unit: machine.unitOf(source) });
  machine.derived.set(term, source);
  return term;
}

/** The term of a formula of inputs and of the first argument of a call. */
export function formulaValue(
  machine: Machine,
  formula: string,
  argument: Value | undefined,
): Term | undefined {
  const names = formula.match(/[A-Za-z_]\w*/g) ?? [];
  const terms = names.flatMap(name => {
    const row = machine.facts.input(name);
    const value =
      name === 'argument' ? argument : row && inputValue(machine, { row, isNegated: false });
    const term = value && numberTerm(machine, value);
    return term === undefined ? [] : [[name, term] as const];
  });
  return machine.facts.readFormula(formula, Object.fromEntries(terms));
}
