/**
 * The command "Evaluate KV Budget": of a log, a selection, the clipboard, a file, or values asked one
 * by one. Called with an address (explorer, other extensions) it asks nothing.
 */
import type { QuickPickItem, Uri } from 'vscode';
import { env, window } from 'vscode';
import { budgetOfValues } from '../core/account/givenBudget';
import { shortVerdict } from '../core/annotate/log/logVerdict';
import { valuesReport } from '../core/report/valuesReport';
import { uriFrom } from './argument';
import type { LogDocuments } from './logDocuments';
import type { NamedLog } from './logSource';
import type { LogSource } from './logSource';
import type { Messages } from './messages';
import type { PageModels } from './reportPageModel';
import { nameOf } from './reportUri';
import type { Reports } from './reports';
import { escapeHeading } from './reports';
import type { ValueInput } from './valueInput';

interface SourcePick extends QuickPickItem {
  /** Opens a report and answers its address; undefined when the user stopped. */
  readonly evaluate: () => Promise<Uri | undefined>;
}

/** The command. */
export class EvaluateBudget {
  readonly #documents: LogDocuments;
  readonly #source: LogSource;
  readonly #reports: Reports;
  readonly #values: ValueInput;
  readonly #messages: Messages;
  readonly #models: PageModels;

  constructor(
    documents: LogDocuments,
    source: LogSource,
    reports: Reports,
    values: ValueInput,
    messages: Messages,
    models: PageModels,
  ) {
    this.#models = models;
    this.#documents = documents;
    this.#source = source;
    this.#reports = reports;
    this.#values = values;
    this.#messages = messages;
  }

  /** Answers the address of the report; undefined when the user stopped. */
  async run(argument?: unknown): Promise<Uri | undefined> {
    const uri = uriFrom(argument);
    if (uri !== undefined) {
      return this.#ofUri(uri);
    }
    const picked = await window.showQuickPick(this.#picks(), {
      placeHolder: this.#messages.ui('source.placeholder'),
    });
    return picked?.evaluate();
  }

  #picks(): SourcePick[] {
    return [
      ...this.#selectionPick(),
      ...this.#documentPick(),
      {
        label: this.#messages.ui('source.clipboard'),
        evaluate: async () =>
          this.#ofText(await env.clipboard.readText(), this.#messages.ui('report.clipboard')),
      },
      {
        label: this.#messages.ui('source.values'),
        detail: this.#messages.ui('source.values-detail'),
        evaluate: () => this.#ofValues(),
      },
      { label: this.#messages.ui('source.file'), evaluate: () => this.#ofFile() },
    ];
  }

  #documentPick(): SourcePick[] {
    const document = window.activeTextEditor?.document;
    const last = document && this.#documents.latest(document)?.accounts.at(-1);
    return document && last
      ? [
          {
            label: this.#messages.ui('source.document'),
            description: nameOf(document.uri),
            detail: this.#messages.short(shortVerdict(last), document.uri),
            evaluate: () => this.#ofUri(document.uri),
          },
        ]
      : [];
  }

  #selectionPick(): SourcePick[] {
    const editor = window.activeTextEditor;
    const text = editor?.document.getText(editor.selection) ?? '';
    return editor && text.trim() !== ''
      ? [
          {
            label: this.#messages.ui('source.selection'),
            description: nameOf(editor.document.uri),
            evaluate: () =>
              this.#ofText(text, this.#messages.ui('report.selection'), editor.document.uri),
          },
        ]
      : [];
  }

  async #ofUri(uri: Uri): Promise<Uri | undefined> {
    const log = await this.#source.read(uri, () => this.#reports.placeFor(uri));
    return log && this.#open(log);
  }

  async #ofText(text: string, name: string, uri?: Uri): Promise<Uri> {
    return this.#open(this.#source.ofText(text, name, uri));
  }

  async #ofFile(): Promise<Uri | undefined> {
    const openLabel = this.#messages.ui('source.open');
    const chosen = await window.showOpenDialog({ canSelectMany: false, openLabel });
    const [uri] = chosen ?? [];
    return uri && this.#ofUri(uri);
  }

  async #ofValues(): Promise<Uri | undefined> {
    const values = await this.#values.ask();
    if (values === undefined) {
      return undefined;
    }
    const title = this.#messages.ui('report.budget-of', {
      name: this.#messages.ui('report.values'),
    });
    const budget = budgetOfValues(values);
    const text = `# ${escapeHeading(title)}\n\n${this.#messages.report(valuesReport(budget), undefined, String)}`;
    const report = this.#reports.keep(title, text, this.#models.ofValues(budget, title, text));
    return this.#reports.open(report, undefined);
  }

  #open(log: NamedLog): Promise<Uri> {
    return this.#reports.open(this.#reports.ofLog(log), log.uri);
  }
}
