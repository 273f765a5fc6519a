/** Above the first line of a run: its verdict, its report, and the flag where one is offered. */
import type { CancellationToken, CodeLensProvider, Disposable, Event, TextDocument } from 'vscode';
import { CodeLens, EventEmitter, Range } from 'vscode';
import type { LogLens } from '../core/annotate/log/logLens';
import { logLenses } from '../core/annotate/log/logLens';
import { commandId } from './commands';
import type { LogAnalysis } from './logAnalysis';
import type { LogDocuments } from './logDocuments';
import type { Messages } from './messages';
import type { Output } from './output';
import type { Settings } from './settings';

/** Answers code lenses of logs. */
export class LogCodeLenses implements CodeLensProvider, Disposable {
  readonly #documents: LogDocuments;
  readonly #messages: Messages;
  readonly #settings: Settings;
  readonly #output: Output;
  readonly #changed = new EventEmitter<void>();
  readonly #listeners: readonly Disposable[];

  constructor(documents: LogDocuments, messages: Messages, settings: Settings, output: Output) {
    this.#documents = documents;
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
      if (!this.#settings.get('codeLens.enabled', document.uri)) {
        return undefined;
      }
      const analysis = await this.#documents.current(document, token);
      return (
        analysis &&
        logLenses(analysis.accounts).map(lens => this.#codeLens(lens, document, analysis))
      );
    });
  }

  dispose(): void {
    for (const listener of this.#listeners) {
      listener.dispose();
    }
    this.#changed.dispose();
  }

  #codeLens({ line, run, label, does }: LogLens, document: TextDocument, analysis: LogAnalysis) {
    const title = this.#messages.short(label, document.uri);
    const advice = analysis.accounts[run]?.advice;
    const flag = advice?.kind === 'fraction' ? advice.flag : undefined;
    return new CodeLens(
      new Range(line - 1, 0, line - 1, 0),
      does === 'open-report'
        ? { title, command: commandId('openReport'), arguments: [document.uri.toString(), run] }
        : { title, command: commandId('copyLaunchFlag'), arguments: [flag] },
    );
  }
}
