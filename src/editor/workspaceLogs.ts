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
const leftOutFolders = ['node_modules', '.git', '.venv', 'venv', 'site-packages'];

/** Files that are looked into; a workspace of more has its logs opened by hand. */
const mostFiles = 1000;

/** A folder that gets many files at once is looked at when it is quiet. */
const quietMs = 1000;

/** What was found is shown after so many files, before all are looked at. */
const shownAfter = 100;

/** The first lines of a server are within this. */
const sniffedBytes = 64 * 1024;

/** Files that are on no disk of this machine come whole: larger ones are left for the user to open. */
const largestForeignBytes = 4 * 2 ** 20;

/** Finds logs. */
export class WorkspaceLogs extends Disposable {
  readonly #host: EditorHost;
  readonly #settings: Settings;
  readonly #changed = new EventEmitter<void>();
  readonly #deleted = new EventEmitter<Uri>();
  readonly #watcher = workspace.createFileSystemWatcher(candidates, false, true, false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #found: readonly Uri[] = [];
  #finding: Promise<void> | undefined;

  constructor(host: EditorHost, settings: Settings) {
    super(() => {
      clearTimeout(this.#timer);
      this.#watcher.dispose();
      this.#changed.dispose();
      this.#deleted.dispose();
    });
    this.#host = host;
    this.#settings = settings;
    this.#watcher.onDidCreate(uri => this.#cameIn(uri));
    this.#watcher.onDidDelete(uri => this.#wentOut(uri));
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** A file is gone that may have been a log. */
  get onDidDelete(): Event<Uri> {
    return this.#deleted.event;
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

  /** Nothing is looked for before the view was first looked at. */
  #cameIn(uri: Uri): void {
    if (this.#finding !== undefined && !isLeftOut(uri)) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.find(true).catch(() => undefined), quietMs);
    }
  }

  #wentOut(uri: Uri): void {
    const address = uri.toString();
    const kept = this.#found.filter(found => found.toString() !== address);
    this.#deleted.fire(uri);
    if (kept.length < this.#found.length) {
      this.#found = kept;
      this.#changed.fire();
    }
  }

  async #find(): Promise<void> {
    if (!this.#settings.get('memoryView.enabled', undefined)) {
      return;
    }
    const leftOut = `**/{${leftOutFolders.join(',')}}/**`;
    const files = await workspace.findFiles(candidates, leftOut, mostFiles);
    const slices = new Slices();
    const found: Uri[] = [];
    const isFirst = this.#found.length === 0;
    for (const [at, uri] of files.sort((a, b) => a.path.localeCompare(b.path)).entries()) {
      if (await this.#isLog(uri)) {
        found.push(uri);
      }
      if (isFirst && found.length > 0 && at % shownAfter === shownAfter - 1) {
        this.#found = [...found];
        this.#changed.fire();
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

function isLeftOut({ path }: Uri): boolean {
  return path.split('/').some(part => leftOutFolders.includes(part));
}
