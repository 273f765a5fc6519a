/**
 * The config.json that belongs to a log: chosen by the user, or the only one of the workspace that
 * fits the log's model. A path in a log is opened only when the user picks it, on the machine of the
 * log, and never where the workspace is not trusted. Leaves out what a config says.
 */
import type { Disposable, Event } from 'vscode';
import { EventEmitter, Uri, workspace } from 'vscode';
import { accountOfRun } from '../core/account/account';
import type { GivenConfig } from '../core/account/runLayout';
import type { Run } from '../core/log/run';
import { readModelLayout } from '../core/model/modelLayout';
import type { Refusal } from '../core/model/refusal';
import { pathInLog } from '../core/annotate/log/modelPath';
import type { Settings } from './settings';

/** Configs of a workspace that are looked at. */
const mostConfigs = 60;

/** Larger files are no configs. */
const mostBytes = 8 * 2 ** 20;

/** A config.json of the workspace that gives a layout. */
export interface FoundConfig {
  readonly uri: Uri;
  readonly config: GivenConfig;
}

/** What reading a config came to. */
export type ReadConfig =
  | { readonly kind: 'known'; readonly config: GivenConfig }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'missing' };

/** False where the sizes that a run prints are not those of the config. */
function isOfRun(run: Run, config: GivenConfig): boolean {
  const { layout } = accountOfRun(run, { config });
  return layout?.kind !== 'known' || layout.value.agreement !== 'differs';
}

/** Finds, reads and remembers configs for this session. */
export class ModelConfigs implements Disposable {
  readonly #settings: Settings;
  readonly #changed = new EventEmitter<Uri>();
  readonly #searchable = new EventEmitter<undefined>();
  /** By log; undefined where the user wants none. */
  readonly #chosen = new Map<string, FoundConfig | undefined>();
  /** Logs that a config was looked for. */
  readonly #looked = new Set<string>();
  readonly #listeners: readonly Disposable[];
  #inWorkspace: Promise<readonly FoundConfig[]> | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    const watcher = workspace.createFileSystemWatcher('**/config.json');
    this.#listeners = [
      watcher,
      watcher.onDidCreate(() => this.#forget(undefined)),
      watcher.onDidDelete(uri => this.#forget(uri)),
      watcher.onDidChange(uri => this.#forget(uri)),
    ];
  }

  /** A log has another config than before. */
  get onDidChange(): Event<Uri> {
    return this.#changed.event;
  }

  /** A config came, went or changed: logs that have none may find one now. */
  get onDidChangeWorkspace(): Event<undefined> {
    return this.#searchable.event;
  }

  /** The config of a log as far as it is known. */
  configOf(log: Uri | undefined): GivenConfig | undefined {
    return log && this.#chosen.get(log.toString())?.config;
  }

  /** True for a config that a log of this session has. */
  knows(uri: Uri): boolean {
    const key = uri.toString();
    return [...this.#chosen.values()].some(chosen => chosen?.uri.toString() === key);
  }

  /** Takes a config for a log; undefined for none. */
  choose(log: Uri, config: FoundConfig | undefined): void {
    this.#chosen.set(log.toString(), config);
    this.#changed.fire(log);
  }

  /**
   * Looks for the config of a log that has none: the only one of the workspace that fits its model.
   * Answers those that fit where there are several.
   */
  async discover(log: Uri, runs: readonly Run[]): Promise<readonly FoundConfig[]> {
    const key = log.toString();
    if (this.#chosen.has(key) || !this.#settings.get('modelConfig.enabled', log)) {
      return [];
    }
    if (!this.#looked.has(key)) {
      // A folder that comes with its files at once may give no event for them: a new log looks anew.
      this.#looked.add(key);
      this.#inWorkspace = undefined;
    }
    const fitting = await this.fitting(runs);
    const [only, ...others] = fitting;
    if (only !== undefined && others.length === 0 && !this.#chosen.has(key)) {
      this.choose(log, only);
      return [];
    }
    return fitting;
  }

  /** Configs of the workspace that are of the model of one of the runs. */
  async fitting(runs: readonly Run[]): Promise<readonly FoundConfig[]> {
    const classes = new Set(runs.flatMap(({ modelClass }) => modelClass ?? []));
    const folders = new Set(runs.flatMap(run => pathInLog(run)?.name ?? []));
    if (classes.size === 0 && folders.size === 0) {
      return [];
    }
    const found = await this.inWorkspace();
    const named = found.filter(({ uri }) => folders.has(uri.path.split('/').at(-2) ?? ''));
    const candidates =
      named.length > 0
        ? named
        : found.filter(({ config }) => classes.has(config.layout.architecture ?? ''));
    return candidates.filter(({ config }) => runs.every(run => isOfRun(run, config)));
  }

  /** Every config.json of the workspace that gives a layout. */
  inWorkspace(): Promise<readonly FoundConfig[]> {
    return (this.#inWorkspace ??= this.#search());
  }

  /** Reads a config by its address. */
  async read(uri: Uri): Promise<ReadConfig> {
    const bytes = await this.#bytesOf(uri);
    if (bytes === undefined) {
      return { kind: 'missing' };
    }
    const read = readModelLayout(new TextDecoder().decode(bytes));
    return read.kind === 'known'
      ? { kind: 'known', config: { layout: read.value, name: uri.toString() } }
      : read;
  }

  /**
   * The config beside the model of a log, at the path that the log names: only where the workspace is
   * trusted and the path is one of the log's own machine. Nothing is opened here.
   */
  besideModel(log: Uri, runs: readonly Run[]): Uri | undefined {
    const path = runs.map(pathInLog).find(found => found?.isAbsolute)?.path;
    return path === undefined || !workspace.isTrusted || log.scheme === 'untitled'
      ? undefined
      : log.with({ path: `${path}/config.json`, query: '', fragment: '' });
  }

  dispose(): void {
    for (const listener of this.#listeners) {
      listener.dispose();
    }
    this.#changed.dispose();
    this.#searchable.dispose();
  }

  async #search(): Promise<readonly FoundConfig[]> {
    const uris = await workspace.findFiles('**/config.json', '**/node_modules/**', mostConfigs);
    const found: FoundConfig[] = [];
    for (const uri of uris) {
      const read = await this.read(uri);
      if (read.kind === 'known') {
        found.push({ uri, config: read.config });
      }
    }
    return found;
  }

  async #bytesOf(uri: Uri): Promise<Uint8Array | undefined> {
    try {
      const { size } = await workspace.fs.stat(uri);
      return size > mostBytes ? undefined : await workspace.fs.readFile(uri);
    } catch {
      // Not there, a folder, or no permission: all mean that there is no config to read.
      return undefined;
    }
  }

  /** A config changed: what was read of it is read again. */
  #forget(changed: Uri | undefined): void {
    this.#inWorkspace = undefined;
    for (const [log, chosen] of [...this.#chosen]) {
      if (chosen !== undefined && chosen.uri.toString() === changed?.toString()) {
        void this.#renew(Uri.parse(log), chosen.uri);
      }
    }
    this.#searchable.fire(undefined);
  }

  async #renew(log: Uri, uri: Uri): Promise<void> {
    const read = await this.read(uri);
    if (read.kind === 'known') {
      this.choose(log, { uri, config: read.config });
    } else {
      this.#chosen.delete(log.toString());
      this.#changed.fire(log);
    }
  }
}
