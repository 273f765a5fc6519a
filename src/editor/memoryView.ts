/**
 * The Memory view: the logs of the window and of the workspace, their runs, ranks and where the
 * memory of each rank went. Every item leads to its line; problems are counted in badges.
 */
import type { Disposable, Event, FileDecorationProvider, TreeDataProvider, TreeView } from 'vscode';
import {
  EventEmitter,
  FileDecoration,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
} from 'vscode';
import type { RunAccount } from '../core/account/account';
import { summaryMessage } from '../core/account/accountSummary';
import type { LedgerId } from '../core/account/ledger';
import { ledgerName } from '../core/account/ledger';
import { shortVerdict } from '../core/annotate/log/logVerdict';
import { foreign, message } from '../core/message/message';
import { commandId } from './commands';
import type { LogDocuments } from './logDocuments';
import type { NamedLog } from './logSource';
import type { MemoryNode } from './memoryNode';
import { logNode, nodesBelow } from './memoryNode';
import type { Messages } from './messages';
import type { Output } from './output';
import { nameOf } from './reportUri';
import type { Reports } from './reports';
import type { Settings } from './settings';
import type { WorkspaceLogs } from './workspaceLogs';

/** The scheme of addresses that only carry how many problems a run has. */
const badgeScheme = 'sglang-kv-lens-memory';

/** The id of the view. */
export const memoryViewId = 'sglangKvLens.memory';

const iconOfEntry: Readonly<Partial<Record<LedgerId, string>>> = {
  start: 'server',
  end: 'circle-outline',
  unaccounted: 'question',
  weights: 'layers',
  draftWeights: 'layers',
  graphMemory: 'graph-line',
  requestToTokenPool: 'table',
};

/** Answers the view. */
export class MemoryView
  implements TreeDataProvider<MemoryNode>, FileDecorationProvider, Disposable
{
  readonly #documents: LogDocuments;
  readonly #reports: Reports;
  readonly #workspace: WorkspaceLogs;
  readonly #read: (uri: Uri) => Promise<NamedLog | undefined>;
  readonly #messages: Messages;
  readonly #settings: Settings;
  readonly #output: Output;
  readonly #changed = new EventEmitter<MemoryNode | undefined>();
  readonly #decorated = new EventEmitter<undefined>();
  readonly #listeners: readonly Disposable[];
  #view: TreeView<MemoryNode> | undefined;

  constructor(
    documents: LogDocuments,
    reports: Reports,
    workspaceLogs: WorkspaceLogs,
    read: (uri: Uri) => Promise<NamedLog | undefined>,
    messages: Messages,
    settings: Settings,
    output: Output,
  ) {
    this.#documents = documents;
    this.#reports = reports;
    this.#workspace = workspaceLogs;
    this.#read = read;
    this.#messages = messages;
    this.#settings = settings;
    this.#output = output;
    this.#listeners = [
      documents.onDidChange(() => this.refresh()),
      reports.onDidChange(() => this.refresh()),
      settings.onDidChange(() => this.refresh()),
      workspaceLogs.onDidChange(() => this.refresh()),
    ];
  }

  /** Shows the view; called once. */
  start(): Disposable {
    const view = window.createTreeView(memoryViewId, { treeDataProvider: this });
    this.#view = view;
    view.onDidChangeVisibility(({ visible }) => {
      if (visible) void this.#output.guard('finding logs', () => this.#workspace.find());
    });
    this.#count();
    return view;
  }

  get onDidChangeTreeData(): Event<MemoryNode | undefined> {
    return this.#changed.event;
  }

  get onDidChangeFileDecorations(): Event<undefined> {
    return this.#decorated.event;
  }

  /** The problems that the badge counts; undefined while there is none. For tests. */
  get badge(): number | undefined {
    return this.#view?.badge?.value;
  }

  /** The rows as they read, unfolded to a depth. For tests. */
  async rows(depth: number, node?: MemoryNode): Promise<string[]> {
    const nodes = depth <= 0 ? [] : await this.getChildren(node);
    const rows: string[] = [];
    for (const each of nodes) {
      const { label, description } = this.getTreeItem(each);
      rows.push(`${typeof label === 'string' ? label : ''}: ${String(description ?? '')}`);
      rows.push(...(await this.rows(depth - 1, each)));
    }
    return rows;
  }

  refresh(): void {
    this.#changed.fire(undefined);
    this.#count();
  }

  /** Looks for logs in the workspace again. */
  async findAgain(): Promise<void> {
    await this.#workspace.find(true);
    this.refresh();
  }

  async getChildren(node?: MemoryNode): Promise<MemoryNode[]> {
    if (!this.#settings.get('memoryView.enabled', undefined)) {
      return [];
    }
    if (node === undefined) {
      void this.#output.guard('finding logs', () => this.#workspace.find());
      return this.#logs();
    }
    const { content } = node;
    if (content.kind === 'log' && content.log === undefined) {
      const log = await this.#output.guard('reading a log', () => this.#read(node.uri));
      return log ? [...nodesBelow(logNode(node.uri, log))] : [];
    }
    return [...nodesBelow(node)];
  }

  getParent({ parent }: MemoryNode): MemoryNode | undefined {
    return parent;
  }

  getTreeItem(node: MemoryNode): TreeItem {
    const item = this.#item(node);
    item.id = node.id;
    if (node.lines.length > 0) {
      item.command = {
        command: commandId('revealEntry'),
        title: this.#messages.ui('memory.reveal'),
        arguments: [node],
      };
    }
    return item;
  }

  provideFileDecoration({ scheme, query }: Uri): FileDecoration | undefined {
    const [, severity, count] =
      scheme === badgeScheme ? (/^(error|warning) (\d+)$/.exec(query) ?? []) : [];
    return severity === undefined || count === undefined
      ? undefined
      : new FileDecoration(
          count.length > 2 ? '9+' : count,
          this.#messages.ui('memory.problems', { number: count }),
          new ThemeColor(`list.${severity}Foreground`),
        );
  }

  dispose(): void {
    for (const listener of this.#listeners) {
      listener.dispose();
    }
    this.#changed.dispose();
    this.#decorated.dispose();
  }

  /** Open logs first, then those that were read, then the other logs of the workspace. */
  #logs(): MemoryNode[] {
    const known = new Map<string, MemoryNode>();
    const add = (uri: Uri, log: NamedLog | undefined): void => {
      if (!known.has(uri.toString())) {
        known.set(uri.toString(), logNode(uri, log));
      }
    };
    for (const { document, analysis } of this.#documents.all) {
      if (analysis.accounts.length > 0) {
        add(document.uri, { uri: document.uri, name: nameOf(document.uri), ...analysis });
      }
    }
    for (const log of this.#reports.readLogs) {
      if (log.uri !== undefined) add(log.uri, log);
    }
    for (const uri of this.#workspace.found) {
      add(uri, undefined);
    }
    return [...known.values()];
  }

  #item(node: MemoryNode): TreeItem {
    const { content, uri } = node;
    switch (content.kind) {
      case 'log':
        return this.#logItem(uri, content.log);
      case 'run':
        return this.#runItem(uri, content.run, content.account);
      case 'rank': {
        const { rank } = content;
        const name = message('page.foreign', { text: foreign(rank.rank) });
        const label =
          rank.rank === ''
            ? this.#messages.ui('memory.only-rank')
            : this.#messages.ui('memory.rank', { rank: this.#messages.plain(name, uri) });
        const item = new TreeItem(label, TreeItemCollapsibleState.Collapsed);
        const end = rank.ledger.find(({ id }) => id === 'end');
        const left = end && this.#messages.pageWriter(uri).short(end.size);
        item.description = [
          ...(left === undefined ? [] : [this.#messages.ui('memory.left', { left })]),
          ...(rank.isBinding ? [this.#messages.ui('memory.decides')] : []),
        ].join(' · ');
        item.iconPath = new ThemeIcon('chip');
        item.contextValue = node.lines.length > 0 ? 'rank-line' : 'rank';
        if (rank.ledger.length === 0) {
          item.collapsibleState = TreeItemCollapsibleState.None;
          item.description = this.#messages.ui('memory.unknown');
        }
        return item;
      }
      case 'entry': {
        const { id, size, lines } = content.entry;
        const write = this.#messages.pageWriter(uri);
        const item = new TreeItem(
          write.message(message('name.ledger', { entry: ledgerName(content.entry) })),
        );
        item.description = write.short(size);
        item.tooltip = `${write.quantity(size)}${lines.length > 0 ? ` · ${lines.map(line => this.#messages.ui('report.link', { line })).join(', ')}` : ''}`;
        item.iconPath = new ThemeIcon(iconOfEntry[id] ?? 'database');
        item.contextValue = lines.length > 0 ? 'entry-line' : 'entry';
        return item;
      }
    }
  }

  #logItem(uri: Uri, log: NamedLog | undefined): TreeItem {
    const item = new TreeItem(nameOf(uri), TreeItemCollapsibleState.Collapsed);
    const last = log?.accounts.at(-1);
    item.contextValue = 'log';
    item.iconPath = new ThemeIcon('output');
    item.description =
      log === undefined
        ? this.#messages.ui('memory.not-read')
        : log.accounts.length > 1
          ? this.#messages.ui('memory.runs', { number: log.accounts.length })
          : '';
    item.tooltip = last ? this.#messages.plain(summaryMessage(last), uri) : uri.path;
    if (log !== undefined) {
      item.resourceUri = badgeOf(uri, log.accounts);
      item.collapsibleState = TreeItemCollapsibleState.Expanded;
    }
    return item;
  }

  #runItem(uri: Uri, run: number, account: RunAccount): TreeItem {
    const item = new TreeItem(
      this.#messages.ui('page.run', { number: run + 1 }),
      TreeItemCollapsibleState.Collapsed,
    );
    const flag = account.advice.kind === 'fraction' ? 'run-flag-line' : 'run-line';
    item.contextValue = flag;
    item.description = this.#messages.short(shortVerdict(account), uri);
    item.tooltip = [
      this.#messages.plain(summaryMessage(account), uri),
      ...account.problems.map(problem => this.#messages.plain(problem.message, uri)),
    ].join('\n\n');
    item.iconPath = runIcon(account);
    item.resourceUri = badgeOf(uri, [account]);
    return item;
  }

  /** The badge of the view: problems of what is open or read. */
  #count(): void {
    this.#decorated.fire(undefined);
    if (this.#view === undefined) {
      return;
    }
    const isOn = this.#settings.get('memoryView.enabled', undefined);
    const accounts = this.#logs().flatMap(({ content }) =>
      content.kind === 'log' ? (content.log?.accounts ?? []) : [],
    );
    const number = isOn ? severe(accounts).length : 0;
    this.#view.badge =
      number === 0
        ? undefined
        : { value: number, tooltip: this.#messages.ui('memory.problems', { number }) };
  }
}

function severe(accounts: readonly RunAccount[]): RunAccount['problems'] {
  return accounts
    .flatMap(({ problems }) => problems)
    .filter(({ severity }) => severity !== 'information');
}

function badgeOf(uri: Uri, accounts: readonly RunAccount[]): Uri {
  const problems = severe(accounts);
  const isError = problems.some(({ severity }) => severity === 'error');
  return Uri.from({
    scheme: badgeScheme,
    path: uri.path,
    query: problems.length === 0 ? '' : `${isError ? 'error' : 'warning'} ${problems.length}`,
  });
}

function runIcon({ outcome, problems }: RunAccount): ThemeIcon {
  if (outcome.kind === 'ok') {
    return problems.some(({ severity }) => severity !== 'information')
      ? new ThemeIcon('warning', new ThemeColor('list.warningForeground'))
      : new ThemeIcon('pass', new ThemeColor('charts.green'));
  }
  return outcome.kind === 'incomplete' || outcome.kind === 'not-memory'
    ? new ThemeIcon('circle-outline')
    : new ThemeIcon('error', new ThemeColor('list.errorForeground'));
}
