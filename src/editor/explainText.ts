/**
 * The command "Explain Selection or Clipboard": what each known line of a text says, and the budget
 * where the lines tell one.
 */
import type { Uri } from 'vscode';
import { env, window } from 'vscode';
import { logHover } from '../core/annotate/log/logHover';
import { RecordIndex } from '../core/annotate/log/recordIndex';
import { runReport } from '../core/report/runReport';
import type { LogSource, NamedLog } from './logSource';
import type { Messages } from './messages';
import type { Reports } from './reports';
import { escapeHeading } from './reports';

/** Lines that are explained one by one; of a longer text the rest is in the budget alone. */
const mostLines = 40;

/** The command. */
export class ExplainText {
  readonly #source: LogSource;
  readonly #reports: Reports;
  readonly #messages: Messages;

  constructor(source: LogSource, reports: Reports, messages: Messages) {
    this.#source = source;
    this.#reports = reports;
    this.#messages = messages;
  }

  /** Answers the address of the explanation. */
  async run(): Promise<Uri> {
    const editor = window.activeTextEditor;
    const selected = editor?.document.getText(editor.selection) ?? '';
    const isSelection = selected.trim() !== '';
    const text = isSelection ? selected : await env.clipboard.readText();
    const name = this.#messages.ui(isSelection ? 'report.selection' : 'report.clipboard');
    const uri = isSelection ? editor?.document.uri : undefined;
    const log = this.#source.ofText(text, name, uri);
    const title = this.#messages.ui('report.explanation-of', { name });
    const parts = [
      `# ${escapeHeading(title)}`,
      ...this.#lines(log, uri),
      ...log.accounts.map(account => this.#messages.report(runReport(account), uri, String)),
    ];
    return this.#reports.open(this.#reports.keep(title, `${parts.join('\n\n')}\n`), uri);
  }

  /** One explanation for each form: the ranks of a run print the same line many times. */
  #lines({ reading, accounts }: NamedLog, uri: Uri | undefined): string[] {
    const index = new RecordIndex(reading, accounts);
    const explained = new Set<string>();
    return reading.records
      .filter(({ form }) => !explained.has(form.id) && explained.add(form.id))
      .slice(0, mostLines)
      .flatMap(record => {
        const hover = logHover(index.accountOf(record), record, record.line, -1);
        const heading = this.#messages.ui('report.line-heading', { line: record.line });
        return hover.hasContent ? [`## ${heading}`, this.#messages.hover(hover, uri, String)] : [];
      });
  }
}
