/** What the Memory view is made of: logs, their runs, ranks and the ledger of each rank. */
import type { Uri } from 'vscode';
import type { RunAccount } from '../core/account/account';
import type { RankAccount } from '../core/account/rankAccount';
import type { LedgerEntry } from '../core/account/ledger';
import type { NamedLog } from './logSource';

/** A place of the view. It is also what menus of the view hand to commands. */
export class MemoryNode {
  readonly uri: Uri;
  /** Stable over refreshes, so that what is unfolded stays so. */
  readonly id: string;
  readonly content: MemoryContent;
  readonly parent: MemoryNode | undefined;

  constructor(uri: Uri, id: string, content: MemoryContent, parent?: MemoryNode) {
    this.uri = uri;
    this.id = id;
    this.content = content;
    this.parent = parent;
  }

  /** 0-based run that this belongs to; undefined for a log. */
  get run(): number | undefined {
    return this.content.kind === 'log' ? undefined : this.content.run;
  }

  /** 1-based lines to show for it. */
  get lines(): readonly number[] {
    switch (this.content.kind) {
      case 'log':
        return [];
      case 'run':
        return [this.content.account.run.lines[0]];
      case 'rank':
        return this.content.rank.ledger.flatMap(({ lines }) => lines).slice(0, 1);
      case 'entry':
        return this.content.entry.lines;
    }
  }
}

export type MemoryContent =
  /** `log` is undefined while the file was not read. */
  | { readonly kind: 'log'; readonly log: NamedLog | undefined }
  | { readonly kind: 'run'; readonly run: number; readonly account: RunAccount }
  | { readonly kind: 'rank'; readonly run: number; readonly rank: RankAccount }
  | { readonly kind: 'entry'; readonly run: number; readonly entry: LedgerEntry };

/** A log as a place of the view. */
export function logNode(uri: Uri, log: NamedLog | undefined): MemoryNode {
  return new MemoryNode(uri, uri.toString(), { kind: 'log', log });
}

/** What is below a place; a log that was not read has nothing yet. */
export function nodesBelow(node: MemoryNode): readonly MemoryNode[] {
  const { uri, id, content } = node;
  switch (content.kind) {
    case 'log':
      return (content.log?.accounts ?? []).map(
        (account, run) => new MemoryNode(uri, `${id} ${run}`, { kind: 'run', run, account }, node),
      );
    case 'run':
      return content.account.ranks.map(
        (rank, at) =>
          new MemoryNode(uri, `${id} ${at}`, { kind: 'rank', run: content.run, rank }, node),
      );
    case 'rank':
      return content.rank.ledger.map(
        (entry, at) =>
          new MemoryNode(uri, `${id} ${at}`, { kind: 'entry', run: content.run, entry }, node),
      );
    case 'entry':
      return [];
  }
}
