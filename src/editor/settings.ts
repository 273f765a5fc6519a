/**
 * The one reader of settings. Every value is read for a resource, so that folders of one window can
 * differ; a value of the wrong type counts as not set.
 */
import type { Disposable, Event, Uri } from 'vscode';
import { env, EventEmitter, workspace } from 'vscode';
import type { FormatOptions } from '../core/units/format';

const section = 'sglangKvLens';

/** Every setting below `sglangKvLens.` with its default; package.json has the same (tested). */
export const settingDefaults = {
  'hover.enabled': true,
  'notes.enabled': true,
  'problems.enabled': true,
  'codeLens.enabled': true,
  'outline.enabled': true,
  'folding.enabled': true,
  'statusBar.enabled': true,
  'pythonHover.enabled': true,
  'inlayHints.enabled': true,
  'pythonCodeLens.enabled': true,
  'logHits.enabled': true,
  'skippedBranches.enabled': true,
  'pythonProblems.enabled': true,
  'contentRecognition.enabled': true,
  'modelConfig.enabled': true,
  'reportPage.enabled': true,
  'memoryView.enabled': true,
  'format.alsoShow': 'nothing' as FormatOptions['alsoShow'],
  'report.openAs': 'preview' as 'preview' | 'text',
} as const;

type Defaults = typeof settingDefaults;

/** The type of a setting: that of its default, widened. */
export type SettingValue<Key extends keyof Defaults> = Defaults[Key] extends boolean
  ? boolean
  : Defaults[Key];

/** Reads settings and tells when one of them changed. */
export class Settings implements Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly #listener: Disposable;

  constructor() {
    this.#listener = workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration(section)) {
        this.#changed.fire();
      }
    });
  }

  /** Any of our settings changed, for any resource. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** The value for a resource; without one, for the window. */
  get<Key extends keyof Defaults>(key: Key, resource: Uri | undefined): SettingValue<Key> {
    const fallback = settingDefaults[key] as SettingValue<Key>;
    const value = read(key, resource);
    return typeof value === typeof fallback ? (value as SettingValue<Key>) : fallback;
  }

  /** Tokens that the pool is to hold; undefined where nothing is set. */
  neededTokens(resource: Uri | undefined): number | undefined {
    const value = read('advice.neededTokens', resource);
    return typeof value === 'number' && value >= 1 ? Math.floor(value) : undefined;
  }

  /** How numbers are written. */
  format(resource: Uri | undefined): FormatOptions {
    return { locale: env.language, alsoShow: this.get('format.alsoShow', resource) };
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }
}

function read(key: string, resource: Uri | undefined): unknown {
  return workspace.getConfiguration(section, resource ?? null).get<unknown>(key);
}
