/**
 * What a reading rested on: the functions that it looked into, what stands around them, and questions to
 * whole files, with their answers. It holds while every file that changed since gives the same answers,
 * wherever its functions stand now. Leaves out files that are new or gone (moduleStore).
 */
import type { ModuleStore } from './moduleStore';
import type { SourceModule } from './sourceModule';
import type { FunctionDefinition } from './syntax';

interface Question {
  readonly ask: (module: SourceModule) => string;
  readonly answer: string;
}

interface ReliedFile {
  module: SourceModule;
  readonly questions: Map<string, Question>;
}

/** Filled while a function is read. */
export class Reliance {
  readonly #files = new Map<string, ReliedFile>();
  readonly #modules = new Map<SourceModule, ReliedFile>();
  readonly #functions = new Set<FunctionDefinition>();

  /** What stands around the functions of the file: constants, imports, classes. */
  onFile(module: SourceModule): void {
    this.#file(module);
  }

  onFunction(module: SourceModule, definition: FunctionDefinition): void {
    if (!this.#functions.has(definition)) {
      this.#functions.add(definition);
      const { qualifiedName } = definition;
      this.onAnswer(module, `function ${qualifiedName}`, one => one.codeOf(qualifiedName));
    }
  }

  /** The answer of the file to a question, which `key` tells from others. */
  onAnswer(module: SourceModule, key: string, ask: Question['ask']): void {
    const { questions } = this.#file(module);
    if (!questions.has(key)) {
      questions.set(key, { ask, answer: ask(module) });
    }
  }

  /** True while the files of the store give the same answers. */
  holds(store: ModuleStore): boolean {
    for (const [path, file] of this.#files) {
      const current = store.current(path);
      if (current === undefined) {
        return false;
      }
      if (current !== file.module) {
        if ([...file.questions.values()].some(({ ask, answer }) => ask(current) !== answer)) {
          return false;
        }
        file.module = current;
      }
    }
    return true;
  }

  #file(module: SourceModule): ReliedFile {
    let file = this.#modules.get(module);
    if (file === undefined) {
      const frame: Question = { ask: one => one.frame, answer: module.frame };
      file = { module, questions: new Map([['frame', frame]]) };
      this.#modules.set(module, file);
      this.#files.set(module.path, file);
    }
    return file;
  }
}
