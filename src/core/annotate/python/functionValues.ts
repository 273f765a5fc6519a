/** Quantities of the terms that one reading of a function made: value, unit, basis, sources. */
import { factOf } from '../../terms/derive';
import { Evaluator } from '../../terms/evaluate';
import type { Solution } from '../../terms/solve';
import { solve } from '../../terms/solve';
import type { InputTerm, Term } from '../../terms/term';
import { topologicalOrder } from '../../terms/term';
import type { FunctionReading } from '../../python/readFunction';
import { numberTerms } from '../../python/readFunction';
import { fromTerm } from '../../python/value';
import type { NumberValue, Value } from '../../python/value';
import { isPoint, point } from '../../units/interval';
import type { Interval } from '../../units/interval';
import type { PythonNumber } from '../../units/pythonNumber';
import type { Basis, Provenance, Quantity } from '../../units/quantity';
import type { Unit } from '../../units/unit';
import { units } from '../../units/unit';

/** Units that only take part in the flow, and what people are shown for them. */
const perToken = units.one.per(units.token);

function shownUnit(unit: Unit | undefined): Unit | undefined {
  return unit === perToken ? units.one : unit;
}

/** Asked for one reading; the solver runs at the first value that is not exact. */
export class FunctionValues {
  readonly reading: FunctionReading;
  #solution: Solution | undefined;
  #nominal: Evaluator | undefined;

  constructor(reading: FunctionReading) {
    this.reading = reading;
  }

  /** The value that a parameter has when the function begins; undefined for `self` and no numbers. */
  parameterValue(name: string): Value | undefined {
    const value = this.reading.run.parameters.get(name);
    return value && this.asNumber(value);
  }

  /** What is only known by its path, as the number that it may be; other values as they are. */
  asNumber(value: Value): Value {
    return value.kind === 'opaque'
      ? fromTerm(this.reading.run.machine.unknown(value.path.text))
      : value;
  }

  /** That of a number, or of every number of a tuple. */
  unitOf(value: Value): Unit | undefined {
    if (value.kind === 'tuple') {
      const [unit, ...others] = new Set(value.items.map(item => this.unitOf(item)));
      return others.length === 0 ? unit : undefined;
    }
    if (value.kind !== 'number' || value.isBoolean) {
      return undefined;
    }
    return shownUnit(this.reading.units.unitOf(value.term));
  }

  /** Undefined where nothing is known of the value, or its unit is not known. */
  quantityOf(value: Value): Quantity | undefined {
    const unit = this.unitOf(value);
    return value.kind === 'number' && unit !== undefined ? this.#quantity(value, unit) : undefined;
  }

  /**
   * The same for what a function gives back: a number that given values make and whose unit is not
   * known is shown as the plain number that it is, unless scales are mixed on the way.
   */
  resultOf(value: Value): Quantity | undefined {
    const known = this.quantityOf(value);
    if (known !== undefined || value.kind !== 'number' || value.isBoolean) {
      return known;
    }
    const isMade = this.#leaves(value.term).some(leaf => this.given(leaf) !== undefined);
    return isMade && this.unitOf(value) === undefined && !this.#addsScales()
      ? this.#quantity(value, units.one)
      : undefined;
  }

  /** True where amounts of two scales are added or compared: then what follows means nothing. */
  #addsScales(): boolean {
    return this.reading.units.mixedScales.some(
      ({ term }) => !(term.kind === 'operator' && term.operator === '*'),
    );
  }

  /** Inputs below a value that count for it: those of branches not taken are left out. */
  inputsBelow(value: Value): InputTerm[] {
    return value.kind === 'number' ? this.#leaves(value.term) : [];
  }

  /** The quantity that was given for an input. */
  given(input: InputTerm): Quantity | undefined {
    return this.reading.run.machine.valuation.given.get(input);
  }

  /** Names of inputs whose values are missing for an exact value. */
  missingFor(value: Value): string[] {
    if (value.kind === 'opaque') {
      return [...value.missing];
    }
    if (value.kind !== 'number') {
      return [];
    }
    const evaluation = this.reading.run.machine.valuation.evaluate(value.term);
    return evaluation.kind === 'missing' && this.#bounds(value.term) === undefined
      ? [...new Set(evaluation.inputs.filter(one => !this.given(one)).map(({ name }) => name))]
      : [];
  }

  #quantity({ term }: NumberValue, unit: Unit): Quantity | undefined {
    const exact = this.reading.run.machine.valuation.exact(term);
    const bounds = exact === undefined ? this.#bounds(term) : undefined;
    if (exact === undefined && bounds === undefined) {
      return undefined;
    }
    const nominal = exact === undefined ? this.#nominalValue(term, bounds) : undefined;
    const single = exact ?? (bounds && isPoint(bounds) ? nominal : undefined);
    return {
      interval: bounds ?? around(exact ?? 0),
      unit,
      ...this.#sources(term),
      ...(single !== undefined && { exact: single }),
      ...(nominal !== undefined && { nominal: Number(nominal) }),
    };
  }

  #sources(term: Term): {
    basis: Basis;
    assumptions: readonly string[];
    provenance: readonly Provenance[];
  } {
    const given = this.#leaves(term).flatMap(leaf => this.given(leaf) ?? []);
    const usual = [...this.reading.run.machine.assumptions];
    if (given.length === 0 && usual.length > 0) {
      // A number that nothing given makes is what the usual case leaves of the code.
      return { basis: 'assumed', assumptions: usual, provenance: [] };
    }
    const provenance = new Map(
      given.flatMap(one => one.provenance.map(source => [JSON.stringify(source), source] as const)),
    );
    return {
      basis: given.some(({ basis }) => basis === 'assumed') ? 'assumed' : 'proved',
      assumptions: [...new Set(given.flatMap(({ assumptions }) => assumptions))],
      provenance: [...provenance.values()],
    };
  }

  #leaves(term: Term): InputTerm[] {
    const { valuation } = this.reading.run.machine;
    const leaves = new Set<InputTerm>();
    const seen = new Set<Term>();
    const visit = (node: Term): void => {
      if (seen.has(node)) {
        return;
      }
      seen.add(node);
      if (node.kind === 'input') {
        leaves.add(node);
      } else if (node.kind === 'choice') {
        const holds = valuation.decide(node.condition);
        visit(node.condition);
        [
          ...(holds === false ? [] : [node.whenTrue]),
          ...(holds === true ? [] : [node.whenFalse]),
        ].forEach(visit);
      } else if (node.kind === 'operator') {
        node.operands.forEach(visit);
      }
    };
    visit(term);
    return [...leaves];
  }

  #bounds(term: Term): Interval | undefined {
    const interval = this.#solve().intervalOf(term);
    return interval && (interval.lo > -Infinity || interval.hi < Infinity) ? interval : undefined;
  }

  #solve(): Solution {
    if (this.#solution === undefined) {
      const { run } = this.reading;
      const roots = numberTerms(run);
      const reached = new Set(topologicalOrder(roots));
      const facts = [...run.machine.valuation.given].flatMap(([term, quantity]) =>
        reached.has(term) ? [factOf(term, quantity)] : [],
      );
      this.#solution = solve(roots, facts, { explain: false, maximumSplits: 4 });
    }
    return this.#solution;
  }

  #nominalValue(term: Term, bounds: Interval | undefined): PythonNumber | undefined {
    if (this.#nominal === undefined) {
      const values = [...this.reading.run.machine.valuation.given].flatMap(
        ([input, { exact, printed, nominal }]): [Term, PythonNumber][] => {
          const value = exact ?? printed ?? nominal;
          return value === undefined ? [] : [[input, value]];
        },
      );
      this.#nominal = new Evaluator(new Map(values));
    }
    const value = this.#nominal.value(term);
    const isInside =
      value !== undefined && bounds !== undefined && bounds.lo <= value && value <= bounds.hi;
    return isInside ? value : undefined;
  }
}

function around(value: PythonNumber): Interval {
  return point(Number(value));
}
