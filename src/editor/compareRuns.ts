/**
 * The command "Compare Two Runs": two runs of open logs, of logs in the workspace or of any files.
 * Called with two addresses (explorer) it asks only where a log has several runs.
 */
import type { QuickPickItem, Uri } from 'vscode';
import { window, workspace } from 'vscode';
import type { RunAccount } from '../core/account/account';
import { compareRuns } from '../core/account/compare';
import { shortVerdict } from '../core/annotate/log/logVerdict';
import { comparisonReport } from '../core/report/comparisonReport';
import { uriFrom, urisFrom } from './argument';
import { pickGrowing } from './growingPick';
import { HumanError } from './humanError';
import type { LogDocuments } from './logDocuments';
import type { LogSource, NamedLog } from './logSource';
import { openDocument } from './logSource';
import type { Messages } from './messages';
import type { PageModels } from './reportPageModel';
import { nameOf } from './reportUri';
import type { Reports } from './reports';
import { escapeHeading } from './reports';

/** One run that was chosen. */
interface ChosenRun {
  readonly uri: Uri | undefined;
  readonly name: string;
  readonly account: RunAccount;
}

interface RunPick extends QuickPickItem {
  readonly choose: () => Promise<ChosenRun | undefined>;
}

/** Logs of the workspace that are offered beside the open ones. */
const offeredFiles = '**/*.{log,out}';
const mostFiles = 50;

/** The command. */
export class CompareRuns {
  readonly #documents: LogDocuments;
  readonly #source: LogSource;
  readonly #reports: Reports;
  readonly #messages: Messages;
  readonly #models: PageModels;

  constructor(
    documents: LogDocuments,
    source: LogSource,
    reports: Reports,
    messages: Messages,
    models: PageModels,
  ) {
    this.#models = models;
    this.#documents = documents;
    this.#source = source;
    this.#reports = reports;
    this.#messages = messages;
  }

  /** Answers the address of the comparison; undefined when the user stopped. */
  async run(first?: unknown, second?: unknown): Promise<Uri | undefined> {
    const given = addresses(first, second);
    if (given.length === 1) {
      throw new HumanError(this.#messages.ui('error.one-run'));
    }
    const [uriA, uriB] = given;
    const a = await (uriA ? this.#runOf(uriA) : this.#pick('run.first-placeholder'));
    if (a === undefined) {
      return undefined;
    }
    const b = await (uriB ? this.#runOf(uriB) : this.#pick('run.second-placeholder', a.account));
    return b && this.#open(a, b);
  }

  /** Compares a run (0-based) of a log with one that the user picks. */
  async with(log: NamedLog, run: number): Promise<Uri | undefined> {
    const a = await this.#runPicks(log)[run]?.choose();
    const b = a && (await this.#pick('run.second-placeholder', a.account));
    return a && b && this.#open(a, b);
  }

  async #pick(
    placeholder: 'run.first-placeholder' | 'run.second-placeholder',
    without?: RunAccount,
  ): Promise<ChosenRun | undefined> {
    const now = this.#documents.all.flatMap(({ document, analysis }) => {
      const log: NamedLog = { uri: document.uri, name: nameOf(document.uri), ...analysis };
      return this.#runPicks(log).filter(({ account }) => account !== without);
    });
    const picked = await pickGrowing<RunPick>({
      placeHolder: this.#messages.ui(placeholder),
      now,
      later: this.#filePicks(),
      last: [{ label: this.#messages.ui('run.other-file'), choose: () => this.#otherFile() }],
    });
    return picked?.choose();
  }

  /** Logs of the workspace that are not open. */
  async #filePicks(): Promise<RunPick[]> {
    const files = await workspace.findFiles(offeredFiles, '**/node_modules/**', mostFiles);
    return files
      .filter(uri => openDocument(uri) === undefined)
      .sort((a, b) => a.path.localeCompare(b.path))
      .map(uri => ({
        label: nameOf(uri),
        description: workspace.asRelativePath(uri),
        detail: this.#messages.ui('run.file'),
        choose: () => this.#runOf(uri),
      }));
  }

  #runPicks(log: NamedLog): (RunPick & { readonly account: RunAccount })[] {
    return log.accounts.map((account, index) => {
      const [first, last] = account.run.lines;
      const name = this.#runName(log, index);
      return {
        label: name,
        description: this.#messages.ui('run.lines', { first, last }),
        detail: this.#messages.short(shortVerdict(account), log.uri),
        account,
        choose: () => Promise.resolve({ uri: log.uri, name, account }),
      };
    });
  }

  /** The only run of a log, or the one that the user picks. */
  async #runOf(uri: Uri): Promise<ChosenRun | undefined> {
    const log = await this.#source.read(uri);
    const picks = log ? this.#runPicks(log) : [];
    const [only] = picks;
    if (only === undefined || picks.length === 1) {
      return only?.choose();
    }
    const picked = await window.showQuickPick(picks, {
      placeHolder: this.#messages.ui('run.of-log', { name: nameOf(uri) }),
    });
    return picked?.choose();
  }

  async #otherFile(): Promise<ChosenRun | undefined> {
    const [uri] = (await window.showOpenDialog({ canSelectMany: false })) ?? [];
    return uri && this.#runOf(uri);
  }

  #runName({ name, accounts }: NamedLog, index: number): string {
    return accounts.length === 1
      ? name
      : this.#messages.ui('run.label', { name, number: index + 1 });
  }

  #open(a: ChosenRun, b: ChosenRun): Promise<Uri> {
    const title = this.#messages.ui('report.comparison-of', { a: a.name, b: b.name });
    const comparison = compareRuns(a.account, b.account);
    const report = this.#messages.report(comparisonReport(comparison), undefined, String);
    const text = `# ${escapeHeading(title)}\n\n${report}`;
    const hasLogs = [a.uri !== undefined, b.uri !== undefined] as const;
    const page = this.#models.ofComparison(comparison, [a.name, b.name], hasLogs, text);
    const kept = this.#reports.keep(title, text, page, [a.uri, b.uri]);
    return this.#reports.open(kept, undefined);
  }
}

/** The explorer passes the clicked file and then all selected ones; others pass two addresses. */
function addresses(first: unknown, second: unknown): readonly Uri[] {
  const listed = urisFrom(second);
  return listed.length > 0
    ? listed.slice(0, 2)
    : [uriFrom(first), uriFrom(second)].flatMap(uri => uri ?? []);
}
