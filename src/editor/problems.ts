/**
 * The problems of logs as diagnostics, at most one of a kind for each run, and the quick fix that
 * copies the flag of one. Its code leads to the report of the run.
 */
import type { CodeActionProvider, Disposable, TextDocument } from 'vscode';
import {
  CodeAction,
  CodeActionKind,
  Diagnostic,
  DiagnosticSeverity,
  languages,
  Range,
  workspace,
} from 'vscode';
import type { Problem } from '../core/account/problem';
import type { PlacedProblem } from '../core/annotate/log/logProblem';
import { logProblems } from '../core/annotate/log/logProblem';
import { commandId } from './commands';
import type { LogDocuments } from './logDocuments';
import type { Messages } from './messages';
import { runReportUri } from './reportUri';
import type { Settings } from './settings';

const severities: Readonly<Record<Problem['severity'], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
};

/** Keeps the diagnostics of open logs and offers their fixes. */
export class LogProblems implements CodeActionProvider, Disposable {
  /** What the editor is to know of the provider. */
  static readonly metadata = { providedCodeActionKinds: [CodeActionKind.QuickFix] };

  readonly #collection = languages.createDiagnosticCollection('sglang-kv-lens');
  readonly #flags = new WeakMap<Diagnostic, string>();
  readonly #documents: LogDocuments;
  readonly #messages: Messages;
  readonly #settings: Settings;
  readonly #listeners: readonly Disposable[];

  constructor(documents: LogDocuments, messages: Messages, settings: Settings) {
    this.#documents = documents;
    this.#messages = messages;
    this.#settings = settings;
    this.#listeners = [
      documents.onDidChange(document => this.#update(document)),
      settings.onDidChange(() => {
        for (const document of workspace.textDocuments) {
          this.#update(document);
        }
      }),
    ];
  }

  provideCodeActions(document: TextDocument, range: Range): CodeAction[] {
    const own = this.#collection.get(document.uri) ?? [];
    return own
      .filter(diagnostic => diagnostic.range.intersection(range) !== undefined)
      .flatMap(diagnostic => {
        const flag = this.#flags.get(diagnostic);
        return flag === undefined ? [] : [this.#copyFlag(flag, diagnostic)];
      });
  }

  dispose(): void {
    for (const listener of this.#listeners) {
      listener.dispose();
    }
    this.#collection.dispose();
  }

  #update(document: TextDocument): void {
    const isOn = this.#settings.get('problems.enabled', document.uri);
    const analysis = isOn ? this.#documents.latest(document) : undefined;
    if (analysis !== undefined) {
      const found = logProblems(analysis.accounts).map(placed =>
        this.#diagnostic(placed, document),
      );
      this.#collection.set(document.uri, found);
    } else if (!isOn || !this.#documents.isWaiting(document)) {
      this.#collection.delete(document.uri);
    }
  }

  #diagnostic({ problem, run, start, end }: PlacedProblem, document: TextDocument): Diagnostic {
    const line = problem.line - 1;
    const last = end ?? document.lineAt(line).range.end.character;
    const diagnostic = new Diagnostic(
      new Range(line, start, line, last),
      this.#messages.plain(problem.message, document.uri),
      severities[problem.severity],
    );
    diagnostic.source = this.#messages.ui('diagnostic.source');
    diagnostic.code = {
      value: problem.code,
      target: runReportUri(document.uri, run, this.#messages),
    };
    if (problem.fix !== undefined) {
      this.#flags.set(diagnostic, problem.fix);
    }
    return diagnostic;
  }

  #copyFlag(flag: string, diagnostic: Diagnostic): CodeAction {
    const title = this.#messages.ui('fix.copy-flag', { flag });
    const action = new CodeAction(title, CodeActionKind.QuickFix);
    action.command = { title, command: commandId('copyLaunchFlag'), arguments: [flag] };
    action.diagnostics = [diagnostic];
    action.isPreferred = true;
    return action;
  }
}
