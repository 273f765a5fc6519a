/** Above the first line of a run: its verdict, its report, and the flag where one is offered. */
import type { CancellationToken, CodeLensProvider, Event, TextDocument } from 'vscode';
import { CodeLens, Range } from 'vscode';
import type { LogLens } from '../core/annotate/log/logLens';
import { logLenses } from '../core/annotate/log/logLens';
import { commandId } from './commands';
import type { LogAnalysis, LogAnswering } from './logAnalysis';

/** Answers code lenses of logs. */
export class LogCodeLenses implements CodeLensProvider {
  readonly onDidChangeCodeLenses: Event<void>;
  readonly #logs: LogAnswering;

  constructor(logs: LogAnswering) {
    this.#logs = logs;
    this.onDidChangeCodeLenses = logs.onDidChange;
  }

  provideCodeLenses(
    document: TextDocument,
    token: CancellationToken,
  ): Promise<CodeLens[] | undefined> {
    return this.#logs.answer('codeLens.enabled', document, token, analysis =>
      logLenses(analysis.accounts).map(lens => this.#codeLens(lens, document, analysis)),
    );
  }

  #codeLens({ line, run, label, does }: LogLens, document: TextDocument, analysis: LogAnalysis) {
    const title = this.#logs.messages.short(label, document.uri);
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
