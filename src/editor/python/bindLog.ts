/**
 * The command "Bind Log to Workspace": a run of an open log, of a log in the workspace or of any file.
 * Called with an address (explorer) it asks only where the log has several runs.
 */
import type { QuickPickItem, Uri } from 'vscode';
import { window, workspace } from 'vscode';
import { shortVerdict } from '../../core/annotate/log/logVerdict';
import { runFrom, uriFrom } from '../argument';
import type { LogDocuments } from '../logDocuments';
import type { LogSource, NamedLog } from '../logSource';
import { openDocument } from '../logSource';
import type { Messages } from '../messages';
import { nameOf } from '../reportUri';
import { boundName } from './boundName';
import type { RunBinding } from './runBinding';

interface BindPick extends QuickPickItem {
  readonly choose: () => Promise<void>;
}

/** Logs of the workspace that are offered beside the open ones. */
const offeredFiles = '**/*.{log,out}';
const mostFiles = 50;

/** The command. */
export class BindLog {
  readonly #documents: LogDocuments;
  readonly #source: LogSource;
  readonly #binding: RunBinding;
  readonly #messages: Messages;

  constructor(documents: LogDocuments, source: LogSource, binding: RunBinding, messages: Messages) {
    this.#documents = documents;
    this.#source = source;
    this.#binding = binding;
    this.#messages = messages;
  }

  /** Binds the run that is named (0-based) or picked; null as the address unbinds. */
  async run(address?: unknown, run?: unknown): Promise<void> {
    if (address === null) {
      await this.#unbind();
      return;
    }
    const uri = uriFrom(address);
    if (uri !== undefined) {
      await this.#bindFile(uri, runFrom(address, run));
      return;
    }
    const picked = await window.showQuickPick(this.#picks(), {
      placeHolder: this.#messages.ui('bind.placeholder'),
      matchOnDescription: true,
    });
    await picked?.choose();
  }

  async #picks(): Promise<BindPick[]> {
    const bound = await this.#binding.current();
    const open = this.#documents.all.flatMap(({ document, analysis }) =>
      this.#runPicks({ uri: document.uri, name: nameOf(document.uri), ...analysis }),
    );
    const files = await workspace.findFiles(offeredFiles, '**/node_modules/**', mostFiles);
    return [
      ...(bound === undefined
        ? []
        : [
            {
              label: this.#messages.ui('bind.none', { name: boundName(bound, this.#messages) }),
              choose: () => this.#unbind(),
            },
          ]),
      ...open,
      ...files
        .filter(uri => openDocument(uri) === undefined)
        .map(uri => ({
          label: nameOf(uri),
          description: workspace.asRelativePath(uri),
          detail: this.#messages.ui('run.file'),
          choose: () => this.#bindFile(uri),
        })),
      { label: this.#messages.ui('run.other-file'), choose: () => this.#otherFile() },
    ];
  }

  #runPicks(log: NamedLog): BindPick[] {
    return log.accounts.map((account, index) => {
      const [first, last] = account.run.lines;
      return {
        label:
          log.accounts.length > 1
            ? this.#messages.ui('run.label', { name: log.name, number: index + 1 })
            : log.name,
        description: this.#messages.ui('run.lines', { first, last }),
        detail: this.#messages.short(shortVerdict(account), log.uri),
        choose: () => this.#bind(log, index),
      };
    });
  }

  async #bindFile(uri: Uri, run?: number): Promise<void> {
    const log = await this.#source.read(uri);
    if (log === undefined) {
      return;
    }
    if (run !== undefined || log.accounts.length === 1) {
      await this.#bind(log, run ?? 0);
      return;
    }
    const picked = await window.showQuickPick(this.#runPicks(log), {
      placeHolder: this.#messages.ui('run.of-log', { name: log.name }),
    });
    await picked?.choose();
  }

  async #otherFile(): Promise<void> {
    const [uri] = (await window.showOpenDialog({ canSelectMany: false })) ?? [];
    if (uri !== undefined) {
      await this.#bindFile(uri);
    }
  }

  async #bind(log: NamedLog, run: number): Promise<void> {
    const { uri } = log;
    if (uri === undefined) {
      return;
    }
    await this.#binding.bind(uri, run, log);
    const bound = this.#binding.latest;
    if (bound !== undefined) {
      const name = boundName(bound, this.#messages);
      window.setStatusBarMessage(this.#messages.ui('bind.done', { name }), 4000);
    }
  }

  async #unbind(): Promise<void> {
    await this.#binding.unbind();
    window.setStatusBarMessage(this.#messages.ui('bind.undone'), 4000);
  }
}
