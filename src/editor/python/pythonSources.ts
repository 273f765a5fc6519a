/**
 * The annotator of Python files: its parser is loaded when the first file asks for it, and files that
 * a source imports are read through the editor, from wherever the workspace is. Leaves out which
 * documents are annotated (pythonDocuments).
 */
import type { Disposable, Event, FileSystemWatcher } from 'vscode';
import { EventEmitter, RelativePattern, Uri, window, workspace } from 'vscode';
import { PythonAnnotator } from '../../core/annotate/python/pythonAnnotator';
import type { WasmFiles } from '../../core/python/parser';
import { PythonParser } from '../../core/python/parser';
import { openDocument } from '../logSource';
import type { Messages } from '../messages';
import type { Output } from '../output';

/** Paths of the annotator are addresses as text, so that files of every scheme have one. */
export function pathOf(uri: Uri): string {
  return uri.toString();
}

/** Files of a package in which callers are looked for. */
const mostFiles = 10_000;

/** Loads at need and keeps. */
export class PythonSources implements Disposable {
  readonly #extension: Uri;
  readonly #messages: Messages;
  readonly #output: Output;
  readonly #read = new Set<string>();
  readonly #changed = new EventEmitter<void>();
  #annotator: Promise<PythonAnnotator | undefined> | undefined;
  #watcher: FileSystemWatcher | undefined;
  #isDisposed = false;

  /** `extension` is the folder of the extension, whose `dist` holds the parser. */
  constructor(extension: Uri, messages: Messages, output: Output) {
    this.#extension = extension;
    this.#messages = messages;
    this.#output = output;
  }

  /** A Python file that was read changed on disk. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** True once something was parsed, or tried to be. */
  get isLoaded(): boolean {
    return this.#annotator !== undefined;
  }

  /** Undefined where the parser does not load; the user was told then. */
  annotator(): Promise<PythonAnnotator | undefined> {
    return (this.#annotator ??= this.#load());
  }

  /** True for a file that was read for an annotation, so that a link may open it. */
  knows(uri: Uri): boolean {
    return this.#read.has(pathOf(uri));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watcher?.dispose();
    this.#changed.dispose();
    void this.#annotator?.then(annotator => annotator?.dispose());
  }

  async #load(): Promise<PythonAnnotator | undefined> {
    try {
      const parser = await PythonParser.load(() => this.#wasmFiles());
      const annotator = new PythonAnnotator(parser, {
        read: path => this.#textOf(path),
        list: async folder => {
          const pattern = new RelativePattern(Uri.parse(folder), '**/*.py');
          return (await workspace.findFiles(pattern, undefined, mostFiles)).map(pathOf);
        },
      });
      this.#watch(annotator);
      return annotator;
    } catch (error) {
      this.#output.error('reading Python', error);
      void window.showWarningMessage(this.#messages.ui('python.unavailable'));
      return undefined;
    }
  }

  async #wasmFiles(): Promise<WasmFiles> {
    const read = (name: string): Thenable<Uint8Array> =>
      workspace.fs.readFile(Uri.joinPath(this.#extension, 'dist', name));
    const [runtime, grammar] = await Promise.all([
      read('web-tree-sitter.wasm'),
      read('tree-sitter-python.wasm'),
    ]);
    return { runtime, grammar };
  }

  async #textOf(path: string): Promise<string | undefined> {
    const uri = Uri.parse(path);
    const text = openDocument(uri)?.getText() ?? (await textOnDisk(uri));
    if (text !== undefined) {
      this.#read.add(path);
    }
    return text;
  }

  #watch(annotator: PythonAnnotator): void {
    if (this.#isDisposed) {
      return;
    }
    const forget = (uri: Uri): void => {
      // An open file is known by its document, which tells of its edits itself.
      if (openDocument(uri) === undefined) {
        annotator.forget(pathOf(uri));
        this.#changed.fire();
      }
    };
    this.#watcher = workspace.createFileSystemWatcher('**/*.py');
    this.#watcher.onDidChange(forget);
    this.#watcher.onDidCreate(forget);
    this.#watcher.onDidDelete(forget);
  }
}

async function textOnDisk(uri: Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}
