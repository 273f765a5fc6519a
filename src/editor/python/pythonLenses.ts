/** Above functions that size the pool: what the bound run got, and how to bind a log or set a value. */
import type { CancellationToken, CodeLensProvider, Disposable, Event, TextDocument } from 'vscode';
import { CodeLens, EventEmitter, Range } from 'vscode';
import type { AnnotatedFunction } from '../../core/annotate/python/annotation';
import { shortVerdict } from '../../core/annotate/log/logVerdict';
import { commandId } from '../commands';
import type { Messages } from '../messages';
import type { Output } from '../output';
import type { Settings } from '../settings';
import { boundName } from './boundName';
import type { PythonDocuments } from './pythonDocuments';
import type { RunBinding } from './runBinding';

/** Answers code lenses of Python sources. */
export class PythonLenses implements CodeLensProvider, Disposable {
  readonly #documents: PythonDocuments;
  readonly #binding: RunBinding;
  readonly #messages: Messages;
  readonly #settings: Settings;
  readonly #output: Output;
  readonly #changed = new EventEmitter<void>();
  readonly #listeners: readonly Disposable[];

  constructor(
    documents: PythonDocuments,
    binding: RunBinding,
    messages: Messages,
    settings: Settings,
    output: Output,
  ) {
    this.#documents = documents;
    this.#binding = binding;
    this.#messages = messages;
    this.#settings = settings;
    this.#output = output;
    this.#listeners = [
      documents.onDidChange(() => this.#changed.fire()),
      settings.onDidChange(() => this.#changed.fire()),
    ];
  }

  get onDidChangeCodeLenses(): Event<void> {
    return this.#changed.event;
  }

  provideCodeLenses(
    document: TextDocument,
    token: CancellationToken,
  ): Promise<CodeLens[] | undefined> {
    return this.#output.guard('code lenses', async () => {
      if (!this.#settings.get('pythonCodeLens.enabled', document.uri)) {
        return undefined;
      }
      const found = await this.#documents.current(document, token);
      return found?.functions
        .filter(({ role }) => role === 'sizing')
        .flatMap(one => this.#lensesOf(one, document));
    });
  }

  dispose(): void {
    for (const listener of this.#listeners) {
      listener.dispose();
    }
    this.#changed.dispose();
  }

  #lensesOf({ line, missing }: AnnotatedFunction, document: TextDocument): CodeLens[] {
    const range = new Range(line - 1, 0, line - 1, 0);
    const ui = this.#messages.ui.bind(this.#messages);
    const bound = this.#binding.latest;
    const name = bound && boundName(bound, this.#messages);
    const budget = bound
      ? {
          title: ui('python.lens-budget', {
            name: name ?? '',
            verdict: this.#messages.short(shortVerdict(bound.account), bound.uri),
          }),
          command: commandId('openReport'),
          arguments: [bound.uri.toString(), bound.run],
        }
      : { title: ui('python.lens-evaluate'), command: commandId('evaluateBudget') };
    const binding = {
      title: name === undefined ? ui('python.lens-bind') : ui('python.lens-bound', { name }),
      command: commandId('bindLog'),
    };
    const setting = {
      title: ui('python.lens-missing', { number: missing.length }),
      command: commandId('setValue'),
      arguments: [document.uri.toString(), missing[0]],
    };
    return [budget, binding, ...(missing.length > 0 ? [setting] : [])].map(
      command => new CodeLens(range, command),
    );
  }
}
