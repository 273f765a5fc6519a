/** The fact tables, indexed by how expressions reach them. */
import { readFormulas } from '../terms/formula';
import type { Term } from '../terms/term';
import type {
  DefaultFact,
  InputFact,
  LibraryFact,
  MeasurementFact,
  ScaledParameterFact,
  SourceFacts,
  WriterFact,
} from './facts';
import { ReachIndex } from './reach';

export interface FormulaFact {
  readonly formula: string;
}

/** Made once from the tables and shared by all runs. */
export class FactIndex {
  readonly inputs = new ReachIndex<InputFact>();
  readonly formulas = new ReachIndex<FormulaFact>();
  readonly defaults = new ReachIndex<DefaultFact>();
  readonly library = new ReachIndex<LibraryFact>();
  readonly writers = new ReachIndex<WriterFact>();
  readonly unfollowed = new ReachIndex<MeasurementFact>();
  readonly measurement: MeasurementFact;
  readonly scaledParameter: ScaledParameterFact;
  /** The last names of the expressions that reach a memory fraction. */
  readonly fractionNames: ReadonlySet<string>;
  readonly #byId = new Map<string, InputFact>();

  constructor(facts: SourceFacts) {
    for (const fact of facts.inputs) {
      this.#byId.set(fact.id, fact);
      fact.reach.forEach(reach => this.inputs.add(reach, fact));
      fact.formulas?.forEach(({ reach, formula }) => this.formulas.add(reach, { formula }));
    }
    for (const fact of facts.defaults) {
      fact.reach.forEach(reach => this.defaults.add(reach, fact));
    }
    for (const fact of facts.library) {
      fact.reach.forEach(reach => this.library.add(reach, fact));
    }
    for (const fact of facts.writers ?? []) {
      fact.reach.forEach(reach => this.writers.add(reach, fact));
    }
    this.fractionNames = new Set(
      facts.inputs
        .filter(({ tag }) => tag === 'fraction')
        .flatMap(({ reach }) => reach.map(one => one.split('.').at(-1) ?? one)),
    );
    this.measurement = facts.measurement;
    this.scaledParameter = facts.scaledParameter;
    facts.measurement.unfollowed.forEach(reach => this.unfollowed.add(reach, facts.measurement));
  }

  input(id: string): InputFact | undefined {
    return this.#byId.get(id);
  }

  get inputIds(): readonly string[] {
    return [...this.#byId.keys()];
  }

  /** The term of a formula over the names that it may use. */
  readFormula(formula: string, names: Readonly<Record<string, Term>>): Term | undefined {
    return readFormulas(`result = ${formula}`, names).get('result');
  }
}
