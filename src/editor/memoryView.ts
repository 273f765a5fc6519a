/**
 * The Memory view: the logs of the window and of the workspace, their runs, ranks and where the
 * memory of each rank went. Every item leads to its line; problems are counted in badges. It is drawn
 * anew only where a row looks different: a log that grows moves nothing under the mouse.
 */
import type {
  Disposable,
  Event,
  FileDecoration,
  FileDecorationProvider,
  TreeDataProvider,
  TreeItem,
  TreeView,
  Uri,
} from 'vscode';
import { EventEmitter, window } from 'vscode';
import type { LogDocuments } from './logDocuments';
import type { NamedLog } from './logSource';
import { MemoryItems, severe } from './memoryItem';
import type { MemoryNode } from './memoryNode';
import { logNode, nodesBelow } from './memoryNode';
import type { Messages } from './messages';
import type { Output } from './output';
import { nameOf } from './reportUri';
import type { Reports } from './reports';
import type { Settings } from './settings';
import type { WorkspaceLogs } from './workspaceLogs';

/** The id of the view. */
export const memoryViewId = 'sglangKvLens.memory';

/** Changes within this time are shown at once. */
const pauseMs = 100;

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
  readonly #items: MemoryItems;
  readonly #changed = new EventEmitter<MemoryNode | undefined>();
  readonly #listeners: readonly Disposable[];
  #view: TreeView<MemoryNode> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What the rows looked like when the editor was last told of a change. */
  #look = '';
  #drawings = 0;

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
    this.#items = new MemoryItems(messages);
    this.#listeners = [
      documents.onDidChange(() => this.#schedule()),
      reports.onDidChange(() => this.#schedule()),
      settings.onDidChange(() => this.#schedule()),
      workspaceLogs.onDidChange(() => this.#schedule()),
      workspaceLogs.onDidDelete(uri => this.#reports.forgetLog(uri)),
    ];
  }

  /** Shows the view; called once. */
  start(): Disposable {
    const view = window.createTreeView(memoryViewId, {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    this.#view = view;
    view.onDidChangeVisibility(({ visible }) => {
      if (visible) {
        this.#refresh();
        void this.#find();
      }
    });
    this.#count();
    return view;
  }

  get onDidChangeTreeData(): Event<MemoryNode | undefined> {
    return this.#changed.event;
  }

  /** The problems that the badge counts; undefined while there is none. For tests. */
  get badge(): number | undefined {
    return this.#view?.badge?.value;
  }

  /** How often the editor was told to draw the rows anew. For tests. */
  get drawings(): number {
    return this.#drawings;
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

  /** Looks for logs in the workspace again, and reads again those that were read. */
  async findAgain(): Promise<void> {
    await this.#workspace.find(true);
    for (const { uri } of this.#reports.readLogs) {
      if (uri === undefined) continue;
      // A log that is gone, or none any more, leaves the view.
      const log = await this.#read(uri).catch(() => undefined);
      if (log === undefined) this.#reports.forgetLog(uri);
    }
    this.#refresh();
  }

  async getChildren(node?: MemoryNode): Promise<MemoryNode[]> {
    if (!this.#isOn) {
      return [];
    }
    if (node === undefined) {
      const logs = this.#logs();
      // The first steps are for a workspace without logs: not before that is known.
      await (logs.length === 0 ? this.#find() : undefined);
      return logs.length === 0 ? this.#logs() : logs;
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
    return this.#items.of(node);
  }

  provideFileDecoration(uri: Uri): FileDecoration | undefined {
    return this.#items.decorationOf(uri);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const listener of this.#listeners) {
      listener.dispose();
    }
    this.#changed.dispose();
  }

  get #isOn(): boolean {
    return this.#settings.get('memoryView.enabled', undefined);
  }

  async #find(): Promise<void> {
    await this.#output.guard('finding logs', () => this.#workspace.find());
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#refresh(), pauseMs);
  }

  /** The badge always; the rows only where they are seen. */
  #refresh(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#count();
    if (this.#view?.visible !== true) {
      return;
    }
    const rows = this.#logs().map(node => this.#items.lookOf(node));
    const look = JSON.stringify([this.#isOn, rows]);
    if (look !== this.#look) {
      this.#look = look;
      this.#drawings += 1;
      this.#changed.fire(undefined);
    }
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

  /** The badge of the view: problems of what is open or read. */
  #count(): void {
    if (this.#view === undefined) {
      return;
    }
    const accounts = this.#logs().flatMap(({ content }) =>
      content.kind === 'log' ? (content.log?.accounts ?? []) : [],
    );
    const number = this.#isOn ? severe(accounts).length : 0;
    this.#view.badge =
      number === 0
        ? undefined
        : { value: number, tooltip: this.#messages.ui('memory.problems', { number }) };
  }
}
