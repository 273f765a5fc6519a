/** How the places of the Memory view look: label, note, icon, badge, menu. Leaves out which there are. */
import type { Uri } from 'vscode';
import {
  FileDecoration,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  Uri as Address,
} from 'vscode';
import type { RunAccount } from '../core/account/account';
import type { RankAccount } from '../core/account/rankAccount';
import { summaryMessage } from '../core/account/accountSummary';
import type { LedgerEntry, LedgerId } from '../core/account/ledger';
import { ledgerName } from '../core/account/ledger';
import { shortVerdict } from '../core/annotate/log/logVerdict';
import { foreign, message } from '../core/message/message';
import { commandId } from './commands';
import type { NamedLog } from './logSource';
import type { MemoryNode } from './memoryNode';
import { nodesBelow } from './memoryNode';
import type { Messages } from './messages';
import { nameOf } from './reportUri';

/** The scheme of addresses that only carry how many problems a run has. */
const badgeScheme = 'sglang-kv-lens-memory';

const iconOfEntry: Readonly<Partial<Record<LedgerId, string>>> = {
  start: 'server',
  end: 'circle-outline',
  unaccounted: 'question',
  weights: 'layers',
  draftWeights: 'layers',
  graphMemory: 'graph-line',
  requestToTokenPool: 'table',
};

/** Makes the rows. */
export class MemoryItems {
  readonly #messages: Messages;

  constructor(messages: Messages) {
    this.#messages = messages;
  }

  /** The row of a place; Enter or a click shows its line. */
  of(node: MemoryNode): TreeItem {
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

  /** Everything that is seen of a place and of those below it; equal texts look alike. */
  lookOf(node: MemoryNode): string {
    const { label, description, contextValue, resourceUri, iconPath, tooltip } = this.of(node);
    const icon = iconPath instanceof ThemeIcon ? [iconPath.id, iconPath.color?.id] : [];
    const own = [label, description, contextValue, resourceUri?.query, icon, tooltip, node.lines];
    return JSON.stringify([node.id, own, nodesBelow(node).map(below => this.lookOf(below))]);
  }

  /** The badge that an address of `resourceUri` carries. */
  decorationOf({ scheme, query }: Uri): FileDecoration | undefined {
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

  #item(node: MemoryNode): TreeItem {
    const { content, uri } = node;
    switch (content.kind) {
      case 'log':
        return this.#logItem(uri, content.log);
      case 'run':
        return this.#runItem(uri, content.run, content.account);
      case 'rank':
        return this.#rankItem(uri, content.rank, node.lines.length > 0);
      case 'entry':
        return this.#entryItem(uri, content.entry);
    }
  }

  #rankItem(uri: Uri, rank: RankAccount, hasLine: boolean): TreeItem {
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
      ...(rank.decides ? [this.#messages.ui('memory.decides')] : []),
    ].join(' · ');
    item.iconPath = new ThemeIcon('chip');
    item.contextValue = hasLine ? 'rank-line' : 'rank';
    if (rank.ledger.length === 0) {
      item.collapsibleState = TreeItemCollapsibleState.None;
      item.description = this.#messages.ui('memory.unknown');
    }
    return item;
  }

  #entryItem(uri: Uri, entry: LedgerEntry): TreeItem {
    const { id, size, lines } = entry;
    const write = this.#messages.pageWriter(uri);
    const item = new TreeItem(write.message(message('name.ledger', { entry: ledgerName(entry) })));
    item.description = write.short(size);
    const places = lines.map(line => this.#messages.ui('report.link', { line })).join(', ');
    item.tooltip = [write.quantity(size), places].filter(text => text !== '').join(' · ');
    item.iconPath = new ThemeIcon(iconOfEntry[id] ?? 'database');
    item.contextValue = lines.length > 0 ? 'entry-line' : 'entry';
    return item;
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
    item.tooltip = last
      ? this.#messages.plain(summaryMessage(last), uri)
      : [uri.path, this.#messages.ui('memory.not-read-long')].join('\n\n');
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
}

/** Problems that a badge counts. */
export function severe(accounts: readonly RunAccount[]): RunAccount['problems'] {
  return accounts
    .flatMap(({ problems }) => problems)
    .filter(({ severity }) => severity !== 'information');
}

function badgeOf(uri: Uri, accounts: readonly RunAccount[]): Uri {
  const problems = severe(accounts);
  const isError = problems.some(({ severity }) => severity === 'error');
  return Address.from({
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
