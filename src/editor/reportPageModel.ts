/** Makes the model of a report page: of a run of a log, of a comparison, of given values. */
import type { Uri } from 'vscode';
import type { RunAccount } from '../core/account/account';
import type { Comparison } from '../core/account/compare';
import type { GivenBudget } from '../core/account/givenBudget';
import { shortVerdict } from '../core/annotate/log/logVerdict';
import { comparisonPage } from '../core/report/comparisonPage';
import type { PageChoice, PageModel, PageRun } from '../core/report/pageModel';
import { runPage } from '../core/report/runPage';
import { runReport } from '../core/report/runReport';
import { valuesPage } from '../core/report/valuesPage';
import type { NamedLog } from './logSource';
import type { Messages } from './messages';
import { escapeHeading } from './reports';

/** Makes models in the user's language and number formats. */
export class PageModels {
  readonly #messages: Messages;

  constructor(messages: Messages) {
    this.#messages = messages;
  }

  /** The page of one run of a log (0-based; the last one without a number). */
  ofLog(log: NamedLog, run = log.accounts.length - 1): PageModel | undefined {
    const { uri, name, accounts } = log;
    const account = accounts[run];
    if (account === undefined) {
      return undefined;
    }
    const title = this.#messages.ui('report.budget-of', { name });
    return {
      ...this.#base(title, uri),
      subtitle: accounts.length > 1 ? this.#heading(run, account) : '',
      hasLog: uri !== undefined,
      choices: accounts.length > 1 ? accounts.map((each, at) => this.#choice(each, at, uri)) : [],
      chosen: run,
      markdown: `# ${escapeHeading(title)}\n\n${this.#messages.report(runReport(account), uri, String)}`,
      run: this.#run(account, uri),
    };
  }

  /** The page of what the beginning of a log tells, while the rest is read. */
  ofHead(log: NamedLog): PageModel | undefined {
    const model = this.ofLog(log);
    const notice = this.#messages.ui('page.head-only', { name: log.name });
    return model && { ...model, choices: [], isPartial: true, notice, markdown: '' };
  }

  /** The page of what stands in a log before the share (0..1) at which its reading was stopped. */
  ofStopped(log: NamedLog, share: number): PageModel | undefined {
    const model = this.ofHead(log);
    const percent = String(Math.floor(share * 100));
    const notice = this.#messages.ui('page.stopped', { name: log.name, percent });
    return model && { ...model, isStopped: true, notice };
  }

  ofComparison(
    comparison: Comparison,
    names: readonly [string, string],
    hasLogs: readonly [boolean, boolean],
    markdown: string,
  ): PageModel {
    const title = this.#messages.ui('report.comparison-of', { a: names[0], b: names[1] });
    const page = comparisonPage(comparison, names, hasLogs, this.#messages.pageWriter(undefined));
    return { ...this.#base(title, undefined), markdown, comparison: page };
  }

  ofValues(budget: GivenBudget, title: string, markdown: string): PageModel {
    const run = valuesPage(budget, this.#messages.pageWriter(undefined));
    return { ...this.#base(title, undefined), markdown, run };
  }

  #run(account: RunAccount, uri: Uri | undefined): PageRun {
    return runPage(account, this.#messages.pageWriter(uri));
  }

  #base(title: string, uri: Uri | undefined): PageModel {
    const { locale, alsoShow } = this.#messages.format(uri);
    return {
      schema: 1,
      title,
      subtitle: '',
      locale,
      alsoShow,
      texts: this.#messages.pageTexts(),
      markdown: '',
      hasLog: false,
      choices: [],
      chosen: 0,
    };
  }

  #choice(account: RunAccount, at: number, uri: Uri | undefined): PageChoice {
    return {
      label: this.#messages.ui('page.run', { number: at + 1 }),
      detail: this.#messages.short(shortVerdict(account), uri),
    };
  }

  #heading(at: number, { run }: RunAccount): string {
    const [first, last] = run.lines;
    return this.#messages.ui('report.run-heading', { number: at + 1, first, last });
  }
}
