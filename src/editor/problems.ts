/**
 * The problems of logs as diagnostics, at most one of a kind for each run, and the quick fix that
 * copies the flag of one. Its code leads to the report of the run.
 */
import type { CodeActionProvider, Disposable, TextDocument } from 'vscode';
import { CodeAction, CodeActionKind, Diagnostic, DiagnosticSeverity, Range } from 'vscode';
import type { Problem } from '../core/account/problem';
import type { PlacedProblem } from '../core/annotate/log/logProblem';
import { logProblems } from '../core/annotate/log/logProblem';
import { commandId } from './commands';
import { Diagnostics } from './diagnostics';
import type { LogAnalysis, LogAnswering } from './logAnalysis';
import { runReportUri } from './reportUri';

const severities: Readonly<Record<Problem['severity'], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
};

/** Keeps the diagnostics of open logs and offers their fixes. */
export class LogProblems implements CodeActionProvider, Disposable {
  /** What the editor is to know of the provider. */
  static readonly metadata = { providedCodeActionKinds: [CodeActionKind.QuickFix] };

  readonly #flags = new WeakMap<Diagnostic, string>();
  readonly #logs: LogAnswering;
  readonly #diagnostics: Diagnostics<LogAnalysis>;

  constructor(logs: LogAnswering) {
    this.#logs = logs;
    this.#diagnostics = new Diagnostics(
      'sglang-kv-lens',
      'problems.enabled',
      logs,
      ({ accounts }, document) =>
        logProblems(accounts).map(placed => this.#diagnostic(placed, document)),
    );
  }

  provideCodeActions(document: TextDocument, range: Range): CodeAction[] {
    return this.#diagnostics
      .of(document.uri)
      .filter(diagnostic => diagnostic.range.intersection(range) !== undefined)
      .flatMap(diagnostic => {
        const flag = this.#flags.get(diagnostic);
        return flag === undefined ? [] : [this.#copyFlag(flag, diagnostic)];
      });
  }

  dispose(): void {
    this.#diagnostics.dispose();
  }

  #diagnostic({ problem, run, start, end }: PlacedProblem, document: TextDocument): Diagnostic {
    const line = problem.line - 1;
    const last = end ?? document.lineAt(line).range.end.character;
    const diagnostic = new Diagnostic(
      new Range(line, start, line, last),
      this.#logs.messages.plain(problem.message, document.uri),
      severities[problem.severity],
    );
    diagnostic.source = this.#logs.messages.ui('diagnostic.source');
    diagnostic.code = {
      value: problem.code,
      target: runReportUri(document.uri, run, this.#logs.messages),
    };
    if (problem.fix !== undefined) {
      this.#flags.set(diagnostic, problem.fix);
    }
    return diagnostic;
  }

  #copyFlag(flag: string, diagnostic: Diagnostic): CodeAction {
    const title = this.#logs.messages.ui('fix.copy-flag', { flag });
    const action = new CodeAction(title, CodeActionKind.QuickFix);
    action.command = { title, command: commandId('copyLaunchFlag'), arguments: [flag] };
    action.diagnostics = [diagnostic];
    action.isPreferred = true;
    return action;
  }
}
