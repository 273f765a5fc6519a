/**
 * The files that the interpreter may look into. Interpretation is synchronous: a file that is not
 * loaded yet is noted as wanted, the value that needed it stays unknown, and the caller loads the
 * wanted files and interprets again. Import names become paths by walking up from the importing
 * file to a folder of the first name, so packages without `__init__.py` work.
 */
import type { PythonParser, TextChange, Tree } from './parser';
import { SourceModule } from './sourceModule';

/** What a host gives: file texts by path (forward slashes). */
export interface SourceFiles {
  /** The text, or undefined where there is no such file or it may not be read. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** The Python files below a folder, for hosts that can tell. */
  readonly list?: (folder: string) => Promise<readonly string[]>;
}

/** Files larger than this are not read: nothing that sizes memory is. */
const maximumLength = 2_000_000;

/** Loaded files by path. Disposing frees the trees that the store made. */
export class ModuleStore {
  readonly #parser: PythonParser;
  readonly #parse = (text: string): Tree => this.#parser.parse(text);
  readonly #files: SourceFiles;
  readonly #roots: readonly string[];
  readonly #modules = new Map<string, SourceModule | undefined>();
  readonly #wanted = new Set<string>();
  /** By importing folder, level and name. */
  readonly #candidates = new Map<string, readonly string[]>();

  /** `roots` are folders that contain packages, asked before the walk up. */
  constructor(parser: PythonParser, files: SourceFiles, roots: readonly string[] = []) {
    this.#parser = parser;
    this.#files = files;
    this.#roots = roots;
  }

  /** Takes a file whose text the caller holds (an open document). A given tree becomes the store's. */
  open(path: string, text: string, tree?: Tree): SourceModule {
    const known = this.#modules.get(path);
    if (known?.text === text && tree === undefined) {
      return known;
    }
    known?.dispose();
    const module = new SourceModule(
      path,
      text,
      tree ?? this.#parser.parse(text),
      this.#parse,
      known,
    );
    this.#modules.set(path, module);
    return module;
  }

  /** Takes the next text of an open file; with `changes` only what they touch is parsed again. */
  update(path: string, text: string, changes: readonly TextChange[]): SourceModule {
    const known = this.#modules.get(path);
    const tree =
      known && changes.length > 0 ? known.reparse(this.#parser, text, changes) : undefined;
    return this.open(path, text, tree);
  }

  /** True while the file is the one that the store has for its path. */
  isCurrent(module: SourceModule): boolean {
    return this.#modules.get(module.path) === module;
  }

  /** The loaded file of a path; undefined where there is none. */
  current(path: string): SourceModule | undefined {
    return this.#modules.get(path);
  }

  /** True for a path that was looked for in vain. */
  isAbsent(path: string): boolean {
    return this.#modules.has(path) && this.#modules.get(path) === undefined;
  }

  /** Every loaded file. */
  get loaded(): SourceModule[] {
    return [...this.#modules.values()].filter(module => module !== undefined);
  }

  /** Forgets a file that changed on disk. */
  forget(path: string): void {
    this.#modules.get(path)?.dispose();
    this.#modules.delete(path);
  }

  /** The file, or undefined where it is absent or not loaded yet (then it is noted as wanted). */
  get(path: string): SourceModule | undefined {
    if (!this.#modules.has(path)) {
      this.#wanted.add(path);
    }
    return this.#modules.get(path);
  }

  /** The text of a file without loading it: of an open file, else of the disk. */
  async textOf(path: string): Promise<string | undefined> {
    return this.#modules.get(path)?.text ?? this.#files.read(path);
  }

  /** The Python files below a folder; none where the host cannot tell. */
  async filesBelow(folder: string): Promise<readonly string[]> {
    return (await this.#files.list?.(folder)) ?? [];
  }

  /** True while files were asked for that nobody has tried to load. */
  get isWaiting(): boolean {
    return this.#wanted.size > 0;
  }

  /** Leaves unloaded what was asked for. */
  forgetWanted(): void {
    this.#wanted.clear();
  }

  /** Loads what was wanted, with a pause behind each file. False when there was nothing to load. */
  async loadWanted(pause?: () => Promise<void>): Promise<boolean> {
    const paths = [...this.#wanted];
    this.#wanted.clear();
    const texts = await Promise.all(paths.map(path => this.#files.read(path)));
    for (const [at, path] of paths.entries()) {
      const text = texts[at];
      if (!this.#modules.has(path)) {
        const readable = text !== undefined && text.length <= maximumLength;
        this.#modules.set(
          path,
          readable ? new SourceModule(path, text, this.#parse(text), this.#parse) : undefined,
        );
        await (readable ? pause?.() : undefined);
      }
    }
    return paths.length > 0;
  }

  /**
   * The file of a module name as seen from `from`; packages answer with their `__init__.py`. Without
   * `mayLoad`, files that are not loaded are not asked for.
   */
  resolve(from: string, level: number, module: string, mayLoad = true): SourceModule | undefined {
    const candidates = this.candidates(from, level, module);
    // All candidates are asked for at once, so that one round of loading settles the name.
    if (mayLoad) {
      candidates.filter(path => !this.#modules.has(path)).forEach(path => this.#wanted.add(path));
    }
    const first = candidates.find(
      path => this.#modules.get(path) !== undefined || !this.#modules.has(path),
    );
    return first === undefined ? undefined : this.#modules.get(first);
  }

  dispose(): void {
    for (const module of this.#modules.values()) {
      module?.dispose();
    }
    this.#modules.clear();
  }

  /** The paths where a module of this name may be, as seen from `from`; best first. */
  candidates(from: string, level: number, module: string): readonly string[] {
    const key = `${from.slice(0, from.lastIndexOf('/') + 1)} ${level} ${module}`;
    let known = this.#candidates.get(key);
    if (known === undefined) {
      known = this.#candidatesOf(from, level, module);
      this.#candidates.set(key, known);
    }
    return known;
  }

  #candidatesOf(from: string, level: number, module: string): string[] {
    const parts = module === '' ? [] : module.split('.');
    const folders = from.split('/').slice(0, -1);
    const files = (base: string): string[] => {
      const joined = [base, ...parts].join('/');
      return parts.length === 0
        ? [`${joined}/__init__.py`]
        : [`${joined}.py`, `${joined}/__init__.py`];
    };
    if (level > 0) {
      return files(folders.slice(0, folders.length - level + 1).join('/'));
    }
    const [first] = parts;
    const above = folders.flatMap((name, at) =>
      name === first ? [folders.slice(0, at).join('/')] : [],
    );
    return [...this.#roots, ...above.reverse()].flatMap(files);
  }
}
