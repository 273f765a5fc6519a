/**
 * Where the value of a parameter comes from: through the calls that pass it, the attributes that hold
 * it and the functions that return it, up to a call that measures free memory. Callers are looked for
 * in the function's own file, in those that it imports, and in those of the package that name its
 * class. Only syntax is followed, no values: the first way that ends in a measurement is told.
 */
import { attributeOf } from './attribute';
import { FactIndex } from './factIndex';
import type { FunctionToRun } from './interpretFunction';
import { Machine, sourceOf, usualLimits } from './machine';
import type { ModuleStore } from './moduleStore';
import { globalName, importedName } from './names';
import type { SourceModule } from './sourceModule';
import { allExpressions, allStatements } from './statementExpressions';
import type { ClassDefinition, Expression } from './syntax';
import { Valuation } from './valuation';
import type { FunctionValue, Value } from './value';
import { opaque, rootPath } from './value';

/** One station on the way, in the order of the data: the measurement first. */
export interface ChainStep {
  readonly kind: 'measured' | 'returned' | 'stored' | 'passed';
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  /** Qualified name of the function around it. */
  readonly function: string;
  /** The code of the station on one line. */
  readonly code: string;
}

/** The whole way. */
export interface CallChain {
  readonly steps: readonly ChainStep[];
  /** The function that measures, with its text. */
  readonly measure: FunctionToRun;
}

export interface ChainOptions {
  readonly store: ModuleStore;
  /** True for a function that returns free memory. */
  readonly measures: (target: FunctionToRun) => Promise<boolean>;
}

type CallExpression = Expression & { readonly kind: 'call' };

const longestChain = 12;
const mostCallers = 6;
const noFacts = new FactIndex({
  inputs: [],
  defaults: [],
  library: [],
  measurement: { id: '', unit: 'B', measures: 'free-memory', unfollowed: [], assumption: '' },
  scaledParameter: { id: '', unit: 'B' },
});

/** Undefined where no way to a measurement is found. */
export async function callChain(
  options: ChainOptions,
  target: FunctionToRun,
  parameter: string,
): Promise<CallChain | undefined> {
  return new ChainSearch(options).fromCallers(target, parameter, longestChain);
}

class ChainSearch {
  readonly #options: ChainOptions;
  readonly #seen = new Set<string>();

  constructor(options: ChainOptions) {
    this.#options = options;
  }

  async fromCallers(
    target: FunctionToRun,
    parameter: string,
    depth: number,
  ): Promise<CallChain | undefined> {
    const key = `${target.module.path} ${target.definition.qualifiedName} ${parameter}`;
    if (depth <= 0 || this.#seen.has(key)) {
      return undefined;
    }
    this.#seen.add(key);
    return (
      (await this.#fromCallersIn([target.module], target, parameter, depth)) ??
      (await this.#fromCallersIn(await this.#imported(target), target, parameter, depth)) ??
      this.#fromCallersIn(await this.#importing(target), target, parameter, depth)
    );
  }

  async #fromCallersIn(
    modules: readonly SourceModule[],
    target: FunctionToRun,
    parameter: string,
    depth: number,
  ): Promise<CallChain | undefined> {
    let left = mostCallers;
    for (const module of modules) {
      for (const [caller, call] of callsOf(module, target.definition.name)) {
        const given = argumentOf(call, target, parameter);
        if (given === undefined || left-- <= 0) {
          continue;
        }
        const found = await this.#fromExpression(given, caller, depth - 1);
        if (found !== undefined) {
          return withStep(found, 'passed', call, caller);
        }
      }
    }
    return undefined;
  }

  /** The files that the function's file imports and that call something of its name. */
  async #imported(target: FunctionToRun): Promise<readonly SourceModule[]> {
    const { module, definition } = target;
    const paths = importsOf(module.text).flatMap(({ level, name }) =>
      this.#options.store.candidates(module.path, level, name),
    );
    return this.#filesThatHold(paths, module, [`.${definition.name}(`]);
  }

  /** The files of the package that name the function's class and call something of its name. */
  async #importing({ module, definition, owner }: FunctionToRun): Promise<readonly SourceModule[]> {
    const { store } = this.#options;
    const root = packageFolder(module);
    return owner === undefined || root === undefined
      ? []
      : this.#filesThatHold(await store.filesBelow(root), module, [
          owner.name,
          `.${definition.name}(`,
        ]);
  }

  async #filesThatHold(
    paths: readonly string[],
    own: SourceModule,
    words: readonly string[],
  ): Promise<readonly SourceModule[]> {
    const { store } = this.#options;
    const found: SourceModule[] = [];
    for (const path of new Set(paths)) {
      const text = await store.textOf(path);
      if (text !== undefined && words.every(word => text.includes(word))) {
        const other = await this.#loaded(() => store.get(path));
        if (other !== undefined && other !== own) {
          found.push(other);
        }
      }
    }
    return found;
  }

  async #fromExpression(
    expression: Expression,
    at: FunctionToRun,
    depth: number,
  ): Promise<CallChain | undefined> {
    if (depth <= 0) {
      return undefined;
    }
    switch (expression.kind) {
      case 'name':
        return at.definition.parameters.some(({ name }) => name === expression.name)
          ? this.fromCallers(at, expression.name, depth)
          : this.#fromAssignments(expression.name, at, depth);
      case 'attribute':
        return isSelf(expression.object, at)
          ? this.#fromAttribute(expression.name, at, depth)
          : this.#fromField(expression, at, depth);
      case 'call':
        return this.#fromCall(expression, at, depth);
      case 'binary':
        // A change of scale.
        return (
          (await this.#fromExpression(expression.left, at, depth - 1)) ??
          this.#fromExpression(expression.right, at, depth - 1)
        );
      default:
        return undefined;
    }
  }

  /** What is assigned to a local name. */
  async #fromAssignments(
    name: string,
    at: FunctionToRun,
    depth: number,
  ): Promise<CallChain | undefined> {
    for (const statement of allStatements(at.definition.body)) {
      if (
        statement.kind === 'assign' &&
        statement.targets.some(target => target.kind === 'name' && target.name === name)
      ) {
        const found = await this.#fromExpression(statement.value, at, depth - 1);
        if (found !== undefined) {
          return found;
        }
      }
    }
    return undefined;
  }

  /** What some method of the class stores in the attribute. */
  async #fromAttribute(
    name: string,
    at: FunctionToRun,
    depth: number,
  ): Promise<CallChain | undefined> {
    const { module, owner } = at;
    for (const method of module.functions().filter(one => one.owner === owner)) {
      if (!method.definition.text.includes(`.${name}`)) {
        continue;
      }
      const where: FunctionToRun = { module, ...method };
      for (const statement of allStatements(method.definition.body)) {
        const target =
          statement.kind === 'assign'
            ? statement.targets.find(
                one => one.kind === 'attribute' && one.name === name && isSelf(one.object, where),
              )
            : undefined;
        if (statement.kind === 'assign' && target !== undefined) {
          const found = await this.#fromExpression(statement.value, where, depth - 1);
          if (found !== undefined) {
            return withStep(found, 'stored', target, where);
          }
        }
      }
    }
    return undefined;
  }

  /** `result.name`, where a function made the result with that name. */
  async #fromField(
    { object, name }: Expression & { readonly kind: 'attribute' },
    at: FunctionToRun,
    depth: number,
  ): Promise<CallChain | undefined> {
    const calls =
      object.kind === 'call'
        ? [object]
        : object.kind === 'name'
          ? assignedCalls(object.name, at)
          : [];
    for (const call of calls) {
      const callee = await this.#callee(call, at);
      for (const made of callee === undefined ? [] : returnsOf(callee)) {
        const field =
          made.kind === 'call' ? made.keywords.find(one => one.name === name)?.value : undefined;
        const found = field && callee && (await this.#fromExpression(field, callee, depth - 1));
        if (found !== undefined && callee !== undefined) {
          return withStep(found, 'returned', made, callee);
        }
      }
    }
    return undefined;
  }

  async #fromCall(
    call: CallExpression,
    at: FunctionToRun,
    depth: number,
  ): Promise<CallChain | undefined> {
    const callee = await this.#callee(call, at);
    if (callee === undefined) {
      return undefined;
    }
    if (await this.#options.measures(callee)) {
      return withStep({ steps: [], measure: callee }, 'measured', call, at);
    }
    for (const returned of returnsOf(callee)) {
      const found = await this.#fromExpression(returned, callee, depth - 1);
      if (found !== undefined) {
        return withStep(found, 'returned', returned, callee);
      }
    }
    return undefined;
  }

  async #callee(call: CallExpression, at: FunctionToRun): Promise<FunctionToRun | undefined> {
    const value = await this.#loaded(() => calleeValue(this.#machine(), call.callee, at));
    return value?.kind === 'function' ? functionOf(value) : undefined;
  }

  #machine(): Machine {
    return new Machine({
      store: this.#options.store,
      facts: noFacts,
      valuation: new Valuation(),
      inputs: new Map(),
      expressions: new Map(),
      limits: usualLimits,
      usesDefaults: false,
    });
  }

  /** Asks again while files that were asked for are being loaded. */
  async #loaded<T>(ask: () => T): Promise<T> {
    for (let round = 0; ; round++) {
      const answer = ask();
      if (round > 8 || !(await this.#options.store.loadWanted())) {
        return answer;
      }
    }
  }
}

function withStep(
  { steps, measure }: CallChain,
  kind: ChainStep['kind'],
  expression: Expression,
  { module, definition }: FunctionToRun,
): CallChain {
  const { row, column } = expression.span;
  const step: ChainStep = {
    kind,
    path: module.path,
    line: row + 1,
    column,
    function: definition.qualifiedName,
    code: sourceOf(module, expression),
  };
  return { steps: [...steps, step], measure };
}

function isSelf(object: Expression, { definition, owner }: FunctionToRun): boolean {
  const [first] = definition.parameters;
  return owner !== undefined && object.kind === 'name' && object.name === first?.name;
}

/** Calls of something of this name, with the functions around them. */
function callsOf(module: SourceModule, name: string): [FunctionToRun, CallExpression][] {
  return module
    .functions()
    .flatMap(one =>
      one.definition.name !== name && one.definition.text.includes(`${name}(`)
        ? allExpressions(one.definition.body).flatMap((call): [FunctionToRun, CallExpression][] =>
            call.kind === 'call' && lastName(call.callee) === name
              ? [[{ module, ...one }, call]]
              : [],
          )
        : [],
    );
}

function lastName(callee: Expression): string | undefined {
  return callee.kind === 'name' || callee.kind === 'attribute' ? callee.name : undefined;
}

/** What a call gives the parameter; undefined where it gives nothing. */
function argumentOf(
  { positional, keywords }: CallExpression,
  { definition, owner }: FunctionToRun,
  parameter: string,
): Expression | undefined {
  const own = definition.parameters.slice(owner === undefined ? 0 : 1);
  const at = own.findIndex(({ name }) => name === parameter);
  const isKeyword = own[at]?.kind === 'keyword-only';
  return (
    keywords.find(({ name }) => name === parameter)?.value ??
    (isKeyword ? undefined : positional[at])
  );
}

function assignedCalls(name: string, { definition }: FunctionToRun): CallExpression[] {
  return allStatements(definition.body).flatMap(statement =>
    statement.kind === 'assign' &&
    statement.value.kind === 'call' &&
    statement.targets.some(target => target.kind === 'name' && target.name === name)
      ? [statement.value]
      : [],
  );
}

function returnsOf({ definition }: FunctionToRun): Expression[] {
  return allStatements(definition.body).flatMap(statement =>
    statement.kind === 'return' && statement.value !== undefined ? [statement.value] : [],
  );
}

function functionOf({ definition, module, owner }: FunctionValue): FunctionToRun | undefined {
  return 'kind' in definition ? undefined : { module, definition, owner: owner?.definition };
}

/** What a callee names: of the class, of the function's own imports, of the module. */
function calleeValue(machine: Machine, callee: Expression, at: FunctionToRun): Value | undefined {
  const { module, owner } = at;
  if (callee.kind === 'name') {
    return named(machine, callee.name, at);
  }
  if (callee.kind !== 'attribute') {
    return undefined;
  }
  if (owner !== undefined && isSelf(callee.object, at)) {
    return attributeOf(machine, selfOf(owner, module), callee.name);
  }
  const object = callee.object.kind === 'name' ? named(machine, callee.object.name, at) : undefined;
  return object && attributeOf(machine, object, callee.name);
}

function selfOf(definition: ClassDefinition, module: SourceModule): Value {
  const type = { kind: 'class', definition, module } as const;
  return opaque(rootPath('self'), { type, isObject: true });
}

function named(machine: Machine, name: string, { module, definition }: FunctionToRun): Value {
  for (const statement of allStatements(definition.body)) {
    const found =
      statement.kind === 'import-from'
        ? statement.names?.find(({ alias }) => alias === name)
        : undefined;
    if (statement.kind === 'import-from' && found !== undefined) {
      return importedName(machine, module, { ...statement, name: found.name });
    }
  }
  return globalName(machine, module, name);
}

/** The folder of the package that the file is in, as its own imports name it. */
function packageFolder({ path, text }: SourceModule): string | undefined {
  const folders = path.split('/').slice(0, -1);
  for (const { level, name } of importsOf(text)) {
    const at = level === 0 ? folders.lastIndexOf(name.split('.')[0] ?? '') : -1;
    if (at !== -1) {
      return folders.slice(0, at + 1).join('/');
    }
  }
  return undefined;
}

/** The modules that a text imports, wherever it does. */
function importsOf(text: string): { readonly level: number; readonly name: string }[] {
  const found = text.matchAll(
    /^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import|import[ \t]+([\w.]+))/gm,
  );
  return [...found].map(([, dots = '', from = '', plain]) => ({
    level: dots.length,
    name: plain ?? from,
  }));
}
