/**
 * What one interpretation shares: the files, the facts, the given values, the heap, the bounds on
 * work, and what was noticed on the way. Leaves out the meaning of the language.
 */
import { input } from '../terms/build';
import { UnitInferrer } from '../terms/evaluate';
import type { InputTerm, OperatorTerm, Term } from '../terms/term';
import { topologicalOrder } from '../terms/term';
import type { Quantity } from '../units/quantity';
import type { PythonNumber } from '../units/pythonNumber';
import { Unit, units } from '../units/unit';
import type { FactIndex } from './factIndex';
import type { MeasuredMemory } from './facts';
import type { ModuleStore } from './moduleStore';
import type { HeapContent, Scope } from './scope';
import { Heap } from './scope';
import { SizingTrace } from './sizingTrace';
import type { Reliance } from './reliance';
import type { SourceModule } from './sourceModule';
import type { ClassDefinition, Expression, FunctionDefinition, Span, Statement } from './syntax';
import type { ClassValue, ExceptionValue, FunctionValue, Value } from './value';
import type { Valuation } from './valuation';

/** A value that the user, a log or a config gives for an input id or for an expression. */
export type GivenValue =
  | { readonly kind: 'quantity'; readonly quantity: Quantity }
  | { readonly kind: 'literal'; readonly value: boolean | string | null }
  /** The value of an input, for an expression that is the input by another name. */
  | { readonly kind: 'input'; readonly id: string };

/** Values of expressions, by the function that they stand in. */
export type GivenWithin = ReadonlyMap<FunctionDefinition, ReadonlyMap<string, GivenValue>>;

/** Bounds on work. A run that meets one stops there; values before it stay. */
export interface Limits {
  readonly steps: number;
  readonly depth: number;
  /** Most items of a sequence or rounds of a loop. */
  readonly items: number;
  /** Steps of one call of the function that is looked at; one that takes more is not followed. */
  readonly call?: number;
}

export const usualLimits: Limits = { steps: 60_000, depth: 12, items: 20_000 };

/** Expressions within expressions, through all calls: more than code has, less than the stack holds. */
const deepestNesting = 500;
const deepestCall = 250;

/** A Python exception on its way. */
export class PythonRaise extends Error {
  readonly exception: ExceptionValue;

  constructor(exception: ExceptionValue) {
    super(exception.name);
    this.exception = exception;
  }
}

/** The run cannot go on: too much work, or text that does not parse. */
export class Stopped extends Error {
  readonly reason: 'limit' | 'broken';

  constructor(reason: 'limit' | 'broken') {
    super(reason);
    this.reason = reason;
  }
}

/** A call that was met in the function that is looked at. */
export interface CallRecord {
  readonly callee: FunctionValue | ClassValue | undefined;
  readonly result: Value;
  /** What the callee's own body gave, where the result was replaced by a measured input. */
  readonly followed: Value | undefined;
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** Values of the expressions of one function, in the last round that evaluated them. */
export interface Trace {
  readonly values: Map<Expression, Value>;
  readonly calls: Map<Expression, CallRecord>;
  /** Parts of expressions that the given values rule out. */
  readonly skipped: Span[];
  /** Statements that were run, or that may be in a way that is not followed. */
  readonly reached: Set<Statement>;
  /** Values of targets at their assignment. */
  readonly assigned: Map<Expression, Value>;
}

/** What `__init__` leaves in the attributes of self, and what that takes for granted. */
export interface InitialAttributes {
  readonly attributes: ReadonlyMap<string, Value>;
  readonly assumptions: readonly string[];
}

/** A class and its bases in the order of lookup. */
export interface ClassOrder {
  readonly order: readonly ClassValue[];
  /** True where all bases are known, or such as add nothing. */
  readonly isComplete: boolean;
}

/** One running function. */
export interface Frame {
  readonly scope: Scope;
  readonly module: SourceModule;
  /** Undefined for code of a module or class, and in a lambda. */
  readonly definition: FunctionDefinition | undefined;
  readonly owner: ClassValue | undefined;
  /** The first argument of a method, for `super()`. */
  readonly receiver: Value | undefined;
  readonly depth: number;
  readonly trace: Trace | undefined;
  /** Set in a caller that is asked for what it passes on: nothing behind this offset is run. */
  readonly until?: number;
}

export interface MachineOptions {
  readonly store: ModuleStore;
  readonly facts: FactIndex;
  readonly valuation: Valuation;
  /** By input id. */
  readonly inputs: ReadonlyMap<string, GivenValue>;
  /** By expression text of the function that is looked at, blanks removed. */
  readonly expressions: ReadonlyMap<string, GivenValue>;
  /** The same for expressions of functions that hold there however those are entered. */
  readonly within?: GivenWithin;
  /** Functions that size with the help of others: what is measured in their calls is an input. */
  readonly sizing?: ReadonlySet<FunctionDefinition>;
  readonly limits: Limits;
  /** Takes notice of what is relied on. */
  readonly reliance?: Reliance | undefined;
  /** False where nothing is taken for granted, so that every branch is looked at. */
  readonly usesDefaults: boolean;
}

export class Machine {
  readonly store: ModuleStore;
  readonly facts: FactIndex;
  readonly valuation: Valuation;
  readonly options: MachineOptions;
  heap = new Heap();
  /** Ids of the assumptions that values rest on. */
  readonly assumptions = new Set<string>();
  /** Attributes of unknown objects as they were when first read, by path. */
  readonly readAttributes = new Map<string, Value>();
  readonly moduleValues = new Map<SourceModule, Map<string, Value>>();
  readonly classOrders = new Map<ClassDefinition, ClassOrder>();
  /** Right sides that are worked out just now. */
  readonly openInitialValues = new Set<Expression>();
  readonly initialAttributes = new Map<FunctionDefinition, InitialAttributes>();
  /** Calls in the callers of what is looked at, as deep and as far as those were asked. */
  readonly callsOfCallers = new Map<
    FunctionDefinition,
    { readonly depth: number; readonly until: number; readonly calls: readonly CallRecord[] }
  >();
  /** Where memory is measured and where the fraction is used. */
  readonly sizing = new SizingTrace();
  /** Functions that calls entered. */
  readonly entered = new Map<FunctionDefinition, FunctionValue>();
  /** Input terms that stand for amounts that a library call measures. */
  readonly measured = new Map<InputTerm, MeasuredMemory>();
  readonly derived = new Map<InputTerm, Term>();
  /** The smallest values that inputs can have, where a table tells. */
  readonly least = new Map<Term, bigint>();
  /** Numbers without a unit that somebody set for expressions: they fit any unit, as literals do. */
  readonly plain = new Map<Term, PythonNumber>();
  /** False while the run must not load further files. */
  mayLoad = true;
  /** Conditions of the decided branches around what runs just now, outermost first. */
  readonly #tests: Term[] = [];
  readonly #unitFlow = new UnitInferrer();
  #steps: number;
  #nextId = 1;
  #nesting = 0;
  #naming = 0;
  readonly #unknown = new Map<string, InputTerm>();
  readonly #inputs = new Map<string, InputTerm>();
  readonly #expressions = new Map<string, InputTerm>();
  /** Memory fractions, rounded or not. */
  readonly #fractions = new Set<Term>();

  constructor(options: MachineOptions) {
    this.options = options;
    this.store = options.store;
    this.facts = options.facts;
    this.valuation = options.valuation;
    this.#steps = options.limits.steps;
  }

  /** Counts one step of work. */
  step(): void {
    if (--this.#steps < 0) {
      throw new Stopped('limit');
    }
  }

  /** Steps that may still be taken. */
  get stepsLeft(): number {
    return this.#steps;
  }

  get reliance(): Reliance | undefined {
    return this.options.reliance;
  }

  /** Runs `work` with at most this many of the steps that are left. */
  withinSteps<T>(steps: number, work: () => T): T {
    const before = this.#steps;
    const allowed = Math.min(before, steps);
    this.#steps = allowed;
    try {
      return work();
    } finally {
      this.#steps = before - (allowed - Math.max(0, this.#steps));
    }
  }

  /** As withinSteps; undefined, with the heap of before, where the work needs more steps. */
  attemptWithin<T>(steps: number, work: () => T): T | undefined {
    const heap = this.heap.fork();
    try {
      return this.withinSteps(steps, work);
    } catch (error) {
      if (error instanceof Stopped && error.reason === 'limit' && this.#steps > 0) {
        this.heap = heap;
        return undefined;
      }
      throw error;
    }
  }

  /** Does `work` one level deeper. Text that is nested without end is stopped before the stack is. */
  nested<T>(work: () => T): T {
    if (this.#nesting >= deepestNesting) {
      throw new Stopped('limit');
    }
    this.#nesting++;
    try {
      return work();
    } finally {
      this.#nesting--;
    }
  }

  /** Works out what a name of a module stands for; meanwhile the name is unknown. */
  naming<T>(work: () => T): T {
    this.#naming++;
    try {
      return work();
    } finally {
      this.#naming--;
    }
  }

  /** True while the value of a module's name is worked out. */
  get isNaming(): boolean {
    return this.#naming > 0;
  }

  /** Does `work` in a branch that this condition decided. */
  inBranchOf<T>(condition: Term, work: () => T): T {
    this.#tests.push(condition);
    try {
      return work();
    } finally {
      this.#tests.pop();
    }
  }

  /** Conditions of the decided branches around what runs just now, through all calls. */
  get tests(): readonly Term[] {
    return [...this.#tests];
  }

  /** True where the term needs a value that somebody gave. */
  restsOnGiven(term: Term): boolean {
    const { given } = this.valuation;
    return topologicalOrder([term]).some(node => node.kind === 'input' && given.has(node));
  }

  /** True where no further call should be followed: properties can ask for each other in a ring. */
  get isDeep(): boolean {
    return this.#nesting > deepestCall;
  }

  allocate(content: HeapContent): number {
    const id = this.#nextId++;
    this.heap.set(id, content);
    return id;
  }

  /** The one term of an expression whose value is missing. */
  unknown(text: string, options: { unit?: Unit | undefined; isInteger?: boolean } = {}): InputTerm {
    const known = this.#unknown.get(text);
    if (known !== undefined) {
      return known;
    }
    const made = input(text, options.unit, { integer: options.isInteger === true });
    this.#unknown.set(text, made);
    return made;
  }

  /** The one term of an input id, with its given quantity. */
  inputTerm(id: string, unit: Unit | undefined, isInteger: boolean): InputTerm {
    const known = this.#inputs.get(id);
    if (known !== undefined) {
      return known;
    }
    const term = input(id, unit, { integer: isInteger });
    this.#inputs.set(id, term);
    if (this.facts.input(id)?.tag === 'fraction') {
      this.#fractions.add(term);
    }
    const given = this.options.inputs.get(id);
    if (given?.kind === 'quantity') {
      this.valuation.give(term, given.quantity);
    }
    return term;
  }

  /** What is given for an expression of the frame's function, by its text without blanks. */
  givenFor(
    { trace, definition }: Frame,
    key: () => string,
  ): readonly [string, GivenValue] | undefined {
    const { expressions, within } = this.options;
    const own = definition && within?.get(definition);
    if (own === undefined && (trace === undefined || expressions.size === 0)) {
      return undefined;
    }
    const text = key();
    const given = (trace && expressions.get(text)) ?? own?.get(text);
    return given && [text, given];
  }

  /** The term of an expression whose value the user gave. */
  expressionTerm(text: string, quantity: Quantity): InputTerm {
    const known = this.#expressions.get(text);
    if (known !== undefined) {
      return known;
    }
    const isInteger = typeof quantity.exact === 'bigint';
    const term = input(text, quantity.unit, { integer: isInteger });
    this.#expressions.set(text, term);
    this.valuation.give(term, quantity);
    if (quantity.unit === units.one && quantity.exact !== undefined) {
      this.plain.set(term, quantity.exact);
    }
    return term;
  }

  /** Takes notice of an operation: one that a memory fraction is an operand of is where it is used. */
  noteOperation(operands: readonly Term[], result: Term): void {
    if (!this.hasFraction(operands)) {
      return;
    }
    this.sizing.noteScaled(result);
    if (operands.length === 1) {
      this.#fractions.add(result);
    }
  }

  /** True where one of the terms is a memory fraction. */
  hasFraction(terms: readonly Term[]): boolean {
    return this.#fractions.size > 0 && terms.some(one => this.#isFraction(one));
  }

  #isFraction(term: Term): boolean {
    return (
      this.#fractions.has(term) ||
      (term.kind === 'choice' &&
        (this.#isFraction(term.whenTrue) || this.#isFraction(term.whenFalse)))
    );
  }

  /** The unit by forward flow. */
  unitOf(term: Term): Unit | undefined {
    return this.#unitFlow.unitOf(term);
  }

  /** Ids of inputs that terms were made for. */
  get inputTerms(): ReadonlyMap<string, InputTerm> {
    return this.#inputs;
  }

  /** True when free memory that a library call measures is part of the term, and not taken from it. */
  isMeasurement(term: Term): boolean {
    return this.#holds(term, 'free-memory', new Set());
  }

  /** True for a capacity from which what is in use was taken. */
  isWhatIsLeft({ operator, operands: [first, second] }: OperatorTerm): boolean {
    return (
      operator === '-' &&
      first !== undefined &&
      second !== undefined &&
      this.#holds(first, 'capacity', new Set()) &&
      this.#holds(second, 'in-use', new Set())
    );
  }

  #holds(term: Term, wanted: MeasuredMemory, seen: Set<Term>): boolean {
    if (seen.has(term)) {
      return false;
    }
    seen.add(term);
    const visit = (node: Term): boolean => this.#holds(node, wanted, seen);
    switch (term.kind) {
      case 'input': {
        const source = this.derived.get(term);
        return this.measured.get(term) === wanted || (source !== undefined && visit(source));
      }
      case 'constant':
        return false;
      case 'choice':
        return visit(term.whenTrue) || visit(term.whenFalse);
      case 'operator': {
        const isLeft = term.operator === '-' || term.operator === '/' || term.operator === '//';
        const isLeftOver = wanted === 'free-memory' && this.isWhatIsLeft(term);
        return isLeftOver || term.operands.slice(0, isLeft ? 1 : undefined).some(visit);
      }
    }
  }
}

/** A unit by its spelling; the spellings are ours, so a wrong one is a mistake of ours. */
export function unitNamed(name: string): Unit {
  const unit = Unit.parse(name);
  if (unit === undefined) {
    throw new Error(`not a unit: ${name}`);
  }
  return unit;
}

/** The source of an expression on one line, blanks joined. */
export function sourceOf(module: SourceModule, { span }: Expression): string {
  const text = module.text.slice(span.start, span.end);
  return span.row === span.endRow ? text : text.replace(/\s+/g, ' ');
}

/** Source text as a key: no blanks. */
export function sourceKey(text: string): string {
  return text.replace(/\s+/g, '');
}
