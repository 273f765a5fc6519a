/**
 * Logs of servers among the files of the workspace, found by their first lines when the Memory view
 * is first looked at. Leaves out reading them: that is done when one is unfolded.
 */
import type { Event, Uri } from 'vscode';
import { Disposable, EventEmitter, workspace } from 'vscode';
import { isServerLog } from '../core/annotate/log/recogniseLog';
import { utf8Decoder } from '../core/log/utf8';
import type { EditorHost } from './host';
import type { Settings } from './settings';
import { Slices } from './slices';

const candidates = '**/*.{log,out,txt}';
const leftOut = '**/{node_modules,.git,.venv,venv,site-packages}/**';
const mostFiles = 100;

/** The first lines of a server are within this. */
const sniffedBytes = 64 * 1024;

/** Files that are on no disk of this machine come whole: larger ones are left for the user to open. */
const largestForeignBytes = 4 * 2 ** 20;

/** Finds logs. */
export class WorkspaceLogs extends Disposable {
  readonly #host: EditorHost;
  readonly #settings: Settings;
  readonly #changed = new EventEmitter<void>();
  #found: readonly Uri[] = [];
  #finding: Promise<void> | undefined;

  constructor(host: EditorHost, settings: Settings) {
    super(() => this.#changed.dispose());
    this.#host = host;
    this.#settings = settings;
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  get found(): readonly Uri[] {
    return this.#found;
  }

  /** Finds them once, or anew. */
  find(again = false): Promise<void> {
    if (again || this.#finding === undefined) {
      this.#finding = this.#find();
    }
    return this.#finding;
  }

  async #find(): Promise<void> {
    if (!this.#settings.get('memoryView.enabled', undefined)) {
      return;
    }
    const files = await workspace.findFiles(candidates, leftOut, mostFiles);
    const slices = new Slices();
    const found: Uri[] = [];
    for (const uri of files.sort((a, b) => a.path.localeCompare(b.path))) {
      if (await this.#isLog(uri)) {
        found.push(uri);
      }
      await slices.pause();
    }
    this.#found = found;
    this.#changed.fire();
  }

  async #isLog(uri: Uri): Promise<boolean> {
    try {
      const { size } = await workspace.fs.stat(uri);
      if (uri.scheme !== 'file' && size > largestForeignBytes) {
        return false;
      }
      const file = await this.#host.openFile(uri);
      try {
        const bytes = await file.read(0, sniffedBytes);
        return isServerLog(utf8Decoder.decode(bytes));
      } finally {
        await file.close();
      }
    } catch {
      // A file that cannot be read is no log to show.
      return false;
    }
  }
}
