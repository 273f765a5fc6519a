/**
 * Reads one function with what is given: runs it, finds whether it sizes memory by a fraction, binds
 * the parameter that the fraction scales, and infers the units of everything it computed.
 */
import type { Term } from '../terms/term';
import { operandsOf, topologicalOrder } from '../terms/term';
import type { Unit } from '../units/unit';
import { parametersFromCalls } from './callSites';
import type { FactIndex } from './factIndex';
import type { FunctionRun, FunctionToRun, RaisedException } from './interpretFunction';
import { interpretFunction } from './interpretFunction';
import type { GivenValue, GivenWithin, Limits } from './machine';
import { Machine, unitNamed, usualLimits } from './machine';
import { inUnit } from './measurement';
import type { ModuleStore } from './moduleStore';
import { numberTerm } from './operation';
import type { Reliance } from './reliance';
import { UnitFlow } from './unitFlow';
import type { FunctionDefinition } from './syntax';
import { Valuation } from './valuation';
import type { Value } from './value';
import { fromTerm } from './value';

/** What a reading may use. */
export interface ReadingOptions {
  readonly store: ModuleStore;
  readonly facts: FactIndex;
  /** By input id. */
  readonly inputs: ReadonlyMap<string, GivenValue>;
  /** By expression text without blanks. */
  readonly expressions: ReadonlyMap<string, GivenValue>;
  /** Values of expressions of certain functions, wherever those run. */
  readonly within?: GivenWithin;
  readonly sizing?: ReadonlySet<FunctionDefinition>;
  readonly limits?: Limits;
  /** Takes notice of what is relied on. */
  readonly reliance?: Reliance;
  /** False to look at every branch, whatever is usual. */
  readonly usesDefaults?: boolean;
}

/** The parameter that the memory fraction scales, in the unit that the function takes it in. */
export interface ScaledParameter {
  readonly name: string;
  readonly unit: Unit;
}

/** A function with values, units and what it was recognised by. */
export interface FunctionReading {
  readonly run: FunctionRun;
  readonly units: UnitFlow;
  /** True where a result depends on a memory fraction. */
  readonly usesFraction: boolean;
  readonly scaledParameter: ScaledParameter | undefined;
  /** The functions that size: those in whose calls what is measured meets what the fraction makes. */
  readonly owners: ReadonlySet<FunctionDefinition>;
  /** True where the usual case contradicts the function, so that it is read as if uncalled. */
  readonly isUncalled: boolean;
}

export function readFunction(asked: ReadingOptions, target: FunctionToRun): FunctionReading {
  const usual = interpret(asked, target, new Map());
  const { run: first, options, isUncalled } = withoutContradiction(asked, target, usual);
  if (options.store.isWaiting) {
    // The caller loads what was asked for and reads again: nothing else is worth finding out.
    return {
      run: first,
      units: new UnitFlow([]),
      usesFraction: false,
      scaledParameter: undefined,
      owners: new Set(),
      isUncalled,
    };
  }
  const roots = numberTerms(first);
  const fraction = fractionTerms(options.facts, first);
  const { sizing, inputTerms } = first.machine;
  const found = sizing.ownersIn(roots, inputTerms.get(options.facts.measurement.id));
  const usesFraction = found.size > 0 || topologicalOrder(roots).some(term => fraction.has(term));
  const scaledParameter = usesFraction
    ? findScaledParameter(options.facts, target, first, fraction)
    : undefined;
  const owners = new Set(usesFraction ? [...sizing.replacing, ...found] : []);
  const run =
    scaledParameter === undefined && found.size === 0
      ? first
      : interpret({ ...options, sizing: owners }, target, new Map(), scaledParameter);
  const units = new UnitFlow(numberTerms(run), leadingTerms(run), run.machine.plain);
  return { run, units, usesFraction, scaledParameter, owners, isUncalled };
}

/**
 * A function that fails by what is usual alone is not called in the usual case: an assertion that a
 * state layer exists tells nothing of a model without one. It is read with nothing taken for granted.
 */
function withoutContradiction(
  options: ReadingOptions,
  target: FunctionToRun,
  run: FunctionRun,
): { run: FunctionRun; options: ReadingOptions; isUncalled: boolean } {
  const rests = (one: RaisedException): boolean =>
    one.exit.exception?.tests?.some(test => run.machine.restsOnGiven(test)) === true;
  const certain = run.raises.find(({ isCertain }) => isCertain);
  if (certain === undefined || rests(certain) || options.usesDefaults === false) {
    return { run, options, isUncalled: false };
  }
  const bare = { ...options, usesDefaults: false };
  const open = interpret(bare, target, new Map());
  const isAnyway = open.raises.some(
    ({ isCertain, exit }) => isCertain && exit.span.start === certain.exit.span.start,
  );
  return isAnyway
    ? { run, options, isUncalled: false }
    : { run: open, options: bare, isUncalled: true };
}

function interpret(
  options: ReadingOptions,
  target: FunctionToRun,
  parameters: Map<string, Value>,
  scaled?: ScaledParameter,
): FunctionRun {
  const machine = new Machine({
    ...options,
    limits: options.limits ?? usualLimits,
    usesDefaults: options.usesDefaults ?? true,
    valuation: new Valuation(),
  });
  if (scaled !== undefined) {
    const { id, unit } = options.facts.scaledParameter;
    const own = unitNamed(unit);
    const term = inUnit(machine.inputTerm(id, own, false), own, scaled.unit);
    parameters.set(scaled.name, fromTerm(term));
  }
  // What callers give is not asked where every branch of a function is looked at for itself.
  const fromCalls = options.usesDefaults === false ? [] : parametersFromCalls(machine, target);
  return interpretFunction(machine, target, new Map([...fromCalls, ...parameters]));
}

/** The terms of everything that the run computed. */
export function numberTerms(run: FunctionRun): Term[] {
  const terms = new Set<Term>();
  const add = (value: Value): void => {
    if (value.kind === 'number') {
      terms.add(value.term);
    } else if (value.kind === 'tuple') {
      value.items.forEach(add);
    }
  };
  run.trace.values.forEach(add);
  run.trace.assigned.forEach(add);
  run.names.forEach(add);
  if (run.returns !== undefined) {
    add(run.returns);
  }
  return [...terms];
}

/** What the function returns, else nothing: the arithmetic that it is about. */
function leadingTerms({ returns }: FunctionRun): Term[] {
  const values = returns?.kind === 'tuple' ? returns.items : [returns];
  return values.flatMap(value => (value?.kind === 'number' ? [value.term] : []));
}

function fractionTerms(facts: FactIndex, { machine }: FunctionRun): ReadonlySet<Term> {
  const terms = [...machine.inputTerms].flatMap(([id, term]) =>
    facts.input(id)?.tag === 'fraction' ? [term] : [],
  );
  return new Set(terms);
}

function dependsOn(term: Term, wanted: ReadonlySet<Term>): boolean {
  return topologicalOrder([term]).some(node => wanted.has(node));
}

/** A product of a parameter and of something that depends on the fraction. */
function findScaledParameter(
  facts: FactIndex,
  target: FunctionToRun,
  run: FunctionRun,
  fraction: ReadonlySet<Term>,
): ScaledParameter | undefined {
  const roots = numberTerms(run);
  const parameters = new Map<Term, string>(
    target.definition.parameters.flatMap(({ name }): [Term, string][] => {
      const value = run.parameters.get(name);
      const term = value && numberTerm(run.machine, value);
      return term === undefined ? [] : [[term, name]];
    }),
  );
  for (const term of topologicalOrder(roots)) {
    if (term.kind !== 'operator' || term.operator !== '*') {
      continue;
    }
    for (const operand of operandsOf(term)) {
      const others = operandsOf(term).filter(other => other !== operand);
      const amount = inOwnUnit(operand, parameters);
      const name = parameters.get(amount);
      if (name !== undefined && others.some(other => dependsOn(other, fraction))) {
        const unit = new UnitFlow(roots, leadingTerms(run), run.machine.plain).unitOf(amount);
        const own = unitNamed(facts.scaledParameter.unit);
        return { name, unit: unit?.isMemory === true ? unit : own };
      }
    }
  }
  return undefined;
}

/** The parameter that was brought to another unit by numbers of the source. */
function inOwnUnit(term: Term, parameters: ReadonlyMap<Term, string>): Term {
  if (
    parameters.has(term) ||
    term.kind !== 'operator' ||
    !['*', '/', '//', '<<', '>>'].includes(term.operator)
  ) {
    return term;
  }
  const [first, second] = term.operands;
  if (first !== undefined && second?.kind === 'constant') {
    return inOwnUnit(first, parameters);
  }
  return second !== undefined && first?.kind === 'constant' && term.operator === '*'
    ? inOwnUnit(second, parameters)
    : term;
}
