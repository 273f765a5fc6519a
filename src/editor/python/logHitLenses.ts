/**
 * Above functions that print lines of the bound run: how many they printed, which a click shows in
 * place. Says “up to” where another function of the sources prints the same words. A file of this kind
 * need not have memory arithmetic, and is not parsed for it.
 */
import type { CancellationToken, CodeLensProvider, Disposable, Event, TextDocument } from 'vscode';
import { CodeLens, EventEmitter, Location, Position, Range, Uri, workspace } from 'vscode';
import type { EmittedRecords } from '../../core/annotate/python/emittedRecords';
import { emittedRecords } from '../../core/annotate/python/emittedRecords';
import type { FeatureParts } from '../answering';
import { openDocument } from '../logSource';
import { boundName } from './boundName';
import { pathOf } from './pythonSources';
import type { BoundRun, RunBinding } from './runBinding';

/** Places that the list beside the source holds; the count tells all. */
const mostPlaces = 1000;

/** Answers code lenses of sources that print. */
export class LogHitLenses implements CodeLensProvider, Disposable {
  readonly #binding: RunBinding;
  readonly #parts: FeatureParts;
  readonly #changed = new EventEmitter<void>();
  readonly #listeners: readonly Disposable[];

  constructor(binding: RunBinding, parts: FeatureParts) {
    this.#binding = binding;
    this.#parts = parts;
    this.#listeners = [
      binding.onDidChange(() => this.#changed.fire()),
      parts.settings.onDidChange(() => this.#changed.fire()),
    ];
  }

  get onDidChangeCodeLenses(): Event<void> {
    return this.#changed.event;
  }

  provideCodeLenses(
    document: TextDocument,
    token: CancellationToken,
  ): Promise<CodeLens[] | undefined> {
    const { output, settings } = this.#parts;
    return output.guard('logHits.enabled', async () => {
      if (!settings.get('logHits.enabled', document.uri)) {
        return undefined;
      }
      const bound = await this.#binding.current();
      if (bound === undefined) {
        return undefined;
      }
      const { version } = document;
      const { records } = bound.account.run;
      const path = pathOf(document.uri);
      const found = await emittedRecords(path, document.getText(), records, textOf);
      const isStale = token.isCancellationRequested || document.version !== version;
      return isStale ? undefined : found.map(one => this.#lensOf(one, bound, document));
    });
  }

  dispose(): void {
    for (const listener of this.#listeners) {
      listener.dispose();
    }
    this.#changed.dispose();
  }

  #lensOf(
    { line, records, isShared }: EmittedRecords,
    bound: BoundRun,
    { uri }: TextDocument,
  ): CodeLens {
    const { messages } = this.#parts;
    const { repeats } = bound.reading;
    const count = records.reduce((sum, record) => sum + 1 + (repeats.get(record) ?? 0), 0);
    const id = isShared ? 'hits-shared' : count === 1 ? 'hit' : 'hits';
    const places = records
      .slice(0, mostPlaces)
      .map(
        one =>
          new Location(bound.uri, new Range(one.line - 1, one.start, one.endLine - 1, one.end)),
      );
    return new CodeLens(new Range(line - 1, 0, line - 1, 0), {
      title: messages.ui(`python.lens-${id}`, { count, name: boundName(bound, messages) }),
      command: 'editor.action.showReferences',
      arguments: [uri, new Position(line - 1, 0), places],
    });
  }
}

/** The text of another file of the sources, as it is open or on disk. */
async function textOf(path: string): Promise<string | undefined> {
  const uri = Uri.parse(path);
  const open = openDocument(uri)?.getText();
  if (open !== undefined) {
    return open;
  }
  const bytes = await workspace.fs.readFile(uri).then(undefined, () => undefined);
  return bytes && new TextDecoder().decode(bytes);
}
