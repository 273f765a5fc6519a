/**
 * Annotates Python files for a host: keeps the parsed files, loads what a file imports as it is
 * needed, and gives annotations and hovers. One annotator serves a workspace.
 */
import type { GivenValue, GivenWithin, Limits } from '../../python/machine';
import { usualLimits } from '../../python/machine';
import { ModuleStore } from '../../python/moduleStore';
import type { SourceFiles } from '../../python/moduleStore';
import type { ChainStep } from '../../python/callChain';
import { callChain } from '../../python/callChain';
import type { PythonParser, TextChange } from '../../python/parser';
import type { FunctionToRun } from '../../python/interpretFunction';
import type { FunctionReading, ReadingOptions } from '../../python/readFunction';
import { readFunction } from '../../python/readFunction';
import { Reliance } from '../../python/reliance';
import type { SourceModule } from '../../python/sourceModule';
import type { FunctionDefinition } from '../../python/syntax';
import type { UnfollowedImport } from '../../python/unfollowedImport';
import { unfollowedImports } from '../../python/unfollowedImport';
import { measurement } from '../../sglang/source/sizingFact';
import type { Quantity } from '../../units/quantity';
import type { FunctionRole, PythonAnnotation } from './annotation';
import { annotateFunction, firstBroken, plainAnnotations } from './annotateFunction';
import { divisorBindings, lacksDivisor } from './divisorBinding';
import { withExpressionInputs } from './expressionInput';
import { FileAnnotations } from './fileAnnotations';
import type { AnnotatedReading } from './fileAnnotations';
import { roleOf, settledRole } from './functionRole';
import { isLibraryPackage } from './libraryPackage';
import { FunctionValues } from './functionValues';
import type { PythonBindings } from './pythonBindings';
import { sortBindings } from './pythonBindings';
import { memoryWords, sglangFacts } from './sourceFacts';

/** Asked between functions; a cancelled call rejects nothing and gives undefined. */
export interface CancellationToken {
  readonly isCancellationRequested: boolean;
}

/** What to annotate. */
export interface AnnotationRequest {
  readonly path: string;
  readonly text: string;
  /** Values that hold for every function: of a run, of a config. By input id only. */
  readonly inputs?: PythonBindings;
  /** Values that somebody set by hand: by input id, or by an expression of the file. */
  readonly settings?: PythonBindings;
  /** For a sizing function that gets the bytes per token from elsewhere. */
  readonly bytesPerToken?: Quantity;
  /** Only the function of this qualified or plain name. */
  readonly function?: string;
  /** Called between pieces of work, so that a host can let others work. */
  readonly pause?: Pause;
}

type Pause = () => Promise<void>;

/** A caller's patience: when it gives up, and how others get their turn. */
interface Turn {
  readonly token: CancellationToken | undefined;
  readonly pause: Pause | undefined;
}

/** A function that takes more steps than this sets up a server; it is no formula. */
const openLimits: Limits = { ...usualLimits, steps: 15_000, depth: 8 };
/** What sets up a server may measure on its way: its usual course is seen to its end. */
const roleLimits: Limits = { ...openLimits, steps: 20_000, call: 3_000 };

/** Where a parameter comes from, the measurement first. */
export interface ParameterChain {
  readonly steps: readonly ChainStep[];
  /** True where what is measured is reduced to the smallest of all ranks. */
  readonly isLeastOfRanks: boolean;
}

/** Rounds of loading imports: each finds files that the one before could not ask for. */
const maximumRounds = 10;

interface KnownRole {
  /** The code of the function that the role was found in. */
  readonly code: string;
  /** What the role rests on; undefined when it must be found again. */
  readonly reliance: Reliance | undefined;
  readonly role: FunctionRole | undefined;
  /** What is certain of a function without a role, the text that it was found in, and its row. */
  readonly plain: readonly PythonAnnotation[];
  readonly text: string;
  readonly row: number;
}

export class PythonAnnotator {
  readonly #store: ModuleStore;
  /** By path and qualified name. */
  readonly #roles = new Map<string, KnownRole>();

  /** By file, then by function and parameter; kept while the file's text is the same. */
  #chains = new WeakMap<SourceModule, Map<string, Promise<ParameterChain | undefined>>>();

  /** `roots` are folders that contain packages (`--root`). */
  constructor(parser: PythonParser, files: SourceFiles, roots: readonly string[] = []) {
    this.#store = new ModuleStore(parser, files, roots);
  }

  /** Takes the new text of an open file, reusing its tree; without changes it is parsed anew. */
  update(path: string, text: string, changes: readonly TextChange[] = []): void {
    if (this.#store.isAbsent(path)) {
      this.forget(path);
    }
    this.#store.update(path, text, changes);
  }

  /** Forgets a file that changed on disk or was closed. */
  forget(path: string): void {
    this.#store.forget(path);
    this.#chains = new WeakMap();
    for (const [key, known] of this.#roles) {
      this.#roles.set(key, { ...known, reliance: undefined });
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** True when the text may hold memory arithmetic: nothing is parsed for the answer. */
  static mayHaveMemoryArithmetic(text: string): boolean {
    return memoryWords.test(text);
  }

  /** Undefined when cancelled, or when the file got another text meanwhile. */
  async annotate(
    request: AnnotationRequest,
    token?: CancellationToken,
  ): Promise<FileAnnotations | undefined> {
    const { path, text, pause } = request;
    const turn: Turn = { token, pause };
    if (this.#store.isAbsent(path)) {
      this.forget(path);
    }
    const module = this.#store.open(path, text);
    const sorted = sortBindings(sglangFacts, request.settings ?? new Map(), text);
    const inputs = new Map([...(request.inputs ?? []), ...sorted.inputs]);
    const given: ReadingOptions = {
      store: this.#store,
      facts: sglangFacts,
      inputs,
      expressions: sorted.expressions,
    };
    const readings: AnnotatedReading[] = [];
    const plain: PythonAnnotation[] = [];
    const targets = this.#functionsOf(module, request.function);
    const first = new Set(targets.map(({ definition }) => definition));
    for (const target of targets) {
      const usual = await this.#roleOf(target, turn);
      // A function that is asked for by its name is worth another look, with the values.
      const isAsked = request.function !== undefined;
      const options = usual || isAsked ? await this.#optionsFor(given, target, turn) : given;
      const reading = usual || isAsked ? await this.#read(options, target, turn) : undefined;
      const role = reading && settledRole(sglangFacts, usual, reading);
      if (this.#isStale(module, token)) {
        return undefined;
      }
      if (role !== undefined && reading !== undefined) {
        const within = await this.#divisorsIn(options, target, reading, request, turn);
        const bound = within.size === 0 ? reading : readFunction({ ...options, within }, target);
        const values = new FunctionValues(bound);
        readings.push({ values, role, ...annotateFunction(values, role) });
        if (!isAsked && first.has(target.definition)) {
          targets.push(...callersOf(module, target, targets));
        }
      } else {
        plain.push(...this.#plainOf(target));
      }
      await pause?.();
    }
    readings.sort((a, b) => a.summary.range.row - b.summary.range.row);
    return new FileAnnotations(module, readings, plain, sorted.unknown);
  }

  /** Own modules that the file calls and that could not be found; ask after it was annotated. */
  unfollowedImports(path: string): readonly UnfollowedImport[] {
    const module = this.#store.loaded.find(one => one.path === path);
    return module === undefined ? [] : unfollowedImports(this.#store, module, isLibraryPackage);
  }

  /**
   * Where the parameter of a sizing function that the fraction scales comes from. Undefined for other
   * parameters, and where no way to a measurement is found.
   */
  async chainOf(
    path: string,
    name: string,
    parameter: string,
    pause?: Pause,
  ): Promise<ParameterChain | undefined> {
    const module = this.#store.loaded.find(one => one.path === path);
    const found = module?.functions().find(one => one.definition.qualifiedName === name);
    if (module === undefined || found === undefined) {
      return undefined;
    }
    const key = `${name}\n${parameter}`;
    const known = this.#chains.get(module)?.get(key);
    if (known !== undefined) {
      return known;
    }
    const made = this.#findChain({ module, ...found }, parameter, pause);
    this.#chains.set(module, new Map([...(this.#chains.get(module) ?? []), [key, made]]));
    return made;
  }

  async #findChain(
    target: FunctionToRun,
    parameter: string,
    pause: Pause | undefined,
  ): Promise<ParameterChain | undefined> {
    const turn: Turn = { token: undefined, pause };
    const measures = async (one: FunctionToRun): Promise<boolean> =>
      memoryWords.measures(one.definition.text) &&
      (await this.#roleOf(one, turn)) === 'available-memory';
    const chain = await callChain({ store: this.#store, measures }, target, parameter);
    return (
      chain && {
        steps: chain.steps,
        isLeastOfRanks: chain.measure.definition.text.includes(measurement.leastOfRanks),
      }
    );
  }

  /** The run's bytes per token in every sizing function that the reading enters and that lacks them. */
  async #divisorsIn(
    options: ReadingOptions,
    target: FunctionToRun,
    reading: FunctionReading,
    { bytesPerToken }: AnnotationRequest,
    turn: Turn,
  ): Promise<GivenWithin> {
    const within = new Map<FunctionDefinition, ReadonlyMap<string, GivenValue>>();
    if (bytesPerToken === undefined || !lacksDivisor(new FunctionValues(reading))) {
      return within;
    }
    for (const one of [target, ...functionsEntered(target, reading)]) {
      const role = await this.#roleOf(one, turn);
      // What splits an amount may divide it by another one; which split is meant, the way there tells.
      const mayDivide = role === 'sizing' || (role === 'pool-split' && one !== target);
      const own = one === target ? reading : mayDivide && (await this.#read(options, one, turn));
      if (mayDivide && own) {
        const bound = divisorBindings(new FunctionValues(own), bytesPerToken);
        if (bound.size > 0) {
          within.set(one.definition, bound);
        }
      }
    }
    return within;
  }

  /** The same with values of expressions that are inputs by another name as values of the inputs. */
  async #optionsFor(
    given: ReadingOptions,
    target: FunctionToRun,
    turn: Turn,
  ): Promise<ReadingOptions> {
    const reading =
      given.expressions.size === 0
        ? undefined
        : await this.#read({ ...given, expressions: new Map() }, target, turn);
    return reading === undefined ? given : withExpressionInputs(given, reading);
  }

  /**
   * What a function is for, whatever the values: every branch is looked at. Kept while what it rests
   * on is the same; while the text does not parse, the role of before stays.
   */
  async #roleOf(target: FunctionToRun, turn: Turn): Promise<FunctionRole | undefined> {
    const { module, definition } = target;
    const { text } = definition;
    const code = module.codeIn(definition);
    const key = roleKey(module, definition.qualifiedName);
    const known = this.#roles.get(key);
    const hasPlaces = known !== undefined && (known.role !== undefined || known.text === text);
    if (hasPlaces && known.code === code && known.reliance?.holds(this.#store) === true) {
      return known.role;
    }
    const reliance = new Reliance();
    const open = await this.#looked(false, target, reliance, turn);
    // With every branch open some values stay unknown that the usual case knows.
    const found =
      open?.role === undefined ? open && (await this.#looked(true, target, reliance, turn)) : open;
    if (found === undefined) {
      return undefined;
    }
    const isBroken = firstBroken(definition.body) !== undefined;
    const role = found.role ?? (isBroken ? known?.role : undefined);
    const plain =
      role === undefined && !isBroken ? plainAnnotations(new FunctionValues(found.reading)) : [];
    this.#roles.set(key, { code, reliance, role, plain, text, row: definition.span.row });
    return role;
  }

  /** What is certain of a function that was found to have no role, where it stands now. */
  #plainOf({ module, definition }: FunctionToRun): readonly PythonAnnotation[] {
    const known = this.#roles.get(roleKey(module, definition.qualifiedName));
    const moved = definition.span.row - (known?.row ?? 0);
    return (known?.plain ?? []).map(one => ({
      ...one,
      range: { ...one.range, row: one.range.row + moved, endRow: one.range.endRow + moved },
    }));
  }

  /**
   * The functions that a look is worth: asked for, or with words of memory arithmetic. One that had a
   * role is looked at although a statement that does not parse just now took its words.
   */
  #functionsOf(module: SourceModule, only: string | undefined): FunctionToRun[] {
    return module
      .functions()
      .filter(({ definition }) =>
        only === undefined
          ? memoryWords.test(definition.text) ||
            (definition.isBroken &&
              this.#roles.get(roleKey(module, definition.qualifiedName))?.role !== undefined)
          : definition.qualifiedName === only || definition.name === only,
      )
      .map(one => ({ module, ...one }));
  }

  /** A look without values; `usesDefaults` leaves out branches that are unusual. */
  async #looked(
    usesDefaults: boolean,
    target: FunctionToRun,
    reliance: Reliance,
    turn: Turn,
  ): Promise<{ reading: FunctionReading; role: FunctionRole | undefined } | undefined> {
    const options: ReadingOptions = {
      store: this.#store,
      facts: sglangFacts,
      inputs: new Map(),
      expressions: new Map(),
      usesDefaults,
      reliance,
      limits: usesDefaults ? roleLimits : openLimits,
    };
    const reading = await this.#read(options, target, turn);
    return reading && { reading, role: roleOf(sglangFacts, reading) };
  }

  /** Reads a function, loading the files that it asks for. Undefined when cancelled or stale. */
  async #read(
    options: ReadingOptions,
    target: FunctionToRun,
    turn: Turn,
  ): Promise<FunctionReading | undefined> {
    for (let round = 0; !this.#isStale(target.module, turn.token); round++) {
      const reading = readFunction(options, target);
      const isDone = !this.#store.isWaiting || round >= maximumRounds - 1;
      await turn.pause?.();
      if (isDone) {
        return this.#isStale(target.module, turn.token) ? undefined : reading;
      }
      if (options.usesDefaults === false && reading.run.stopped === 'limit') {
        // With every branch open, more files only make it longer.
        this.#store.forgetWanted();
        return reading;
      }
      await this.#store.loadWanted(turn.pause);
    }
    return undefined;
  }

  #isStale(module: SourceModule, token: CancellationToken | undefined): boolean {
    return token?.isCancellationRequested === true || !this.#store.isCurrent(module);
  }
}

/** Functions of the file that name a function in a call and are not looked at already. */
function callersOf(
  module: SourceModule,
  { definition: { name } }: FunctionToRun,
  known: readonly FunctionToRun[],
): FunctionToRun[] {
  const call = new RegExp(`\\b${name}\\(`);
  const looked = new Set(known.map(({ definition }) => definition));
  return name === '__init__'
    ? []
    : module
        .functions()
        .filter(({ definition }) => !looked.has(definition) && call.test(definition.text))
        .map(one => ({ module, ...one }));
}

/** The functions that a reading enters and that have to do with memory. */
function functionsEntered(target: FunctionToRun, { run }: FunctionReading): FunctionToRun[] {
  return [...run.machine.entered.values()].flatMap((callee): FunctionToRun[] => {
    const { definition, module, owner } = callee;
    const isOwn = !('kind' in definition) && definition !== target.definition;
    return isOwn && memoryWords.test(definition.text)
      ? [{ definition, module, owner: owner?.definition }]
      : [];
  });
}

function roleKey({ path }: SourceModule, qualifiedName: string): string {
  return `${path}\n${qualifiedName}`;
}
