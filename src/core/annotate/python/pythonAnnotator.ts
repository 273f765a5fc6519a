/**
 * Annotates Python files for a host: keeps the parsed files, loads what a file imports as it is
 * needed, and gives annotations and hovers. One annotator serves a workspace.
 */
import { ModuleStore } from '../../python/moduleStore';
import type { SourceFiles } from '../../python/moduleStore';
import type { PythonParser, TextChange } from '../../python/parser';
import { readFunction } from '../../python/readFunction';
import type { SourceModule } from '../../python/sourceModule';
import { annotateFunction } from './annotateFunction';
import { FileAnnotations } from './fileAnnotations';
import type { AnnotatedReading } from './fileAnnotations';
import { roleOf } from './functionRole';
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
  /** Only the function of this qualified or plain name. */
  readonly function?: string;
  /** Called between functions, so that a host can let others work. */
  readonly pause?: () => Promise<void>;
}

/** Rounds of loading imports: each finds files that the one before could not ask for. */
const maximumRounds = 10;

export class PythonAnnotator {
  readonly #store: ModuleStore;

  /** `roots` are folders that contain packages (`--root`). */
  constructor(parser: PythonParser, files: SourceFiles, roots: readonly string[] = []) {
    this.#store = new ModuleStore(parser, files, roots);
  }

  /** Takes the new text of an open file, reusing its tree; without changes it is parsed anew. */
  update(path: string, text: string, changes: readonly TextChange[] = []): void {
    this.#store.update(path, text, changes);
  }

  /** Forgets a file that changed on disk or was closed. */
  forget(path: string): void {
    this.#store.forget(path);
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
    const module = this.#store.open(path, text);
    const sorted = sortBindings(sglangFacts, request.settings ?? new Map(), text);
    const inputs = new Map([...(request.inputs ?? []), ...sorted.inputs]);
    const options = {
      store: this.#store,
      facts: sglangFacts,
      inputs,
      expressions: sorted.expressions,
    };
    const readings: AnnotatedReading[] = [];
    for (const { definition, owner } of functionsOf(module, request.function)) {
      for (let round = 0; round < maximumRounds; round++) {
        if (token?.isCancellationRequested === true || !this.#store.isCurrent(module)) {
          return undefined;
        }
        const reading = readFunction(options, { module, definition, owner });
        if (this.#store.isWaiting && round < maximumRounds - 1) {
          await this.#store.loadWanted();
          continue;
        }
        const role = roleOf(sglangFacts, reading);
        if (role !== undefined) {
          const values = new FunctionValues(reading);
          readings.push({ values, role, ...annotateFunction(values, role) });
        }
        break;
      }
      await pause?.();
    }
    return new FileAnnotations(module, readings, sorted.unknown);
  }
}

/** Functions whose text names something that memory arithmetic is made of. */
function functionsOf(module: SourceModule, only: string | undefined) {
  return module
    .functions()
    .filter(({ definition }) =>
      only === undefined
        ? memoryWords.test(definition.text)
        : definition.qualifiedName === only || definition.name === only,
    );
}
