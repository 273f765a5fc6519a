/**
 * The command "Choose Model Config": for the log at hand, of those that fit it, any other of the
 * workspace, a file, or the one at the path in the log. Also tells once that several would fit.
 */
import type { Disposable, QuickPickItem, TextDocument, Uri } from 'vscode';
import { window, workspace } from 'vscode';
import type { Run } from '../core/log/run';
import { refusalMessage } from '../core/model/modelMessages';
import { HumanError } from './humanError';
import type { LogDocuments } from './logDocuments';
import type { LogSource } from './logSource';
import type { Messages } from './messages';
import type { FoundConfig, ModelConfigs } from './modelConfigs';
import type { Output } from './output';
import { uriFrom } from './argument';

interface ConfigPick extends QuickPickItem {
  /** Answers the config; undefined for none, or when the user stopped. */
  readonly take: () => Promise<FoundConfig | undefined>;
}

/** The command, and the question that comes by itself. */
export class ChooseConfig implements Disposable {
  readonly #documents: LogDocuments;
  readonly #configs: ModelConfigs;
  readonly #source: LogSource;
  readonly #messages: Messages;
  readonly #output: Output;
  readonly #asked = new Set<string>();
  readonly #listeners: readonly Disposable[];

  constructor(
    documents: LogDocuments,
    configs: ModelConfigs,
    source: LogSource,
    messages: Messages,
    output: Output,
  ) {
    this.#documents = documents;
    this.#configs = configs;
    this.#source = source;
    this.#messages = messages;
    this.#output = output;
    const look = (document: TextDocument): void => {
      void output.guard('looking for a config', () => this.#discover(document));
    };
    this.#listeners = [
      documents.onDidChange(look),
      configs.onDidChangeWorkspace(() => documents.all.forEach(({ document }) => look(document))),
    ];
  }

  /** Answers the address of the chosen config; undefined when the user stopped or wants none. */
  async run(log?: unknown, config?: unknown): Promise<Uri | undefined> {
    const uri = uriFrom(log) ?? window.activeTextEditor?.document.uri;
    const read = uri && (await this.#source.read(uri));
    if (uri === undefined || read === undefined) {
      throw new HumanError(this.#messages.ui('error.no-log-active'));
    }
    const given = uriFrom(config);
    const chosen = given
      ? await this.read(given)
      : await this.#ask(
          uri,
          read.accounts.map(account => account.run),
        );
    if (chosen !== undefined) {
      this.#configs.choose(uri, chosen);
    }
    return chosen?.uri;
  }

  /** Asks for any config, without a log. */
  async ofWorkspace(): Promise<FoundConfig | undefined> {
    const found = await this.#configs.inWorkspace();
    const picked = await window.showQuickPick(
      [...found.map(config => this.#pickOf(config)), this.#filePick()],
      { placeHolder: this.#messages.ui('config.placeholder') },
    );
    return picked?.take();
  }

  /** Reads a config; says by a HumanError which key stands against it. */
  async read(uri: Uri): Promise<FoundConfig> {
    const read = await this.#configs.read(uri);
    const name = workspace.asRelativePath(uri);
    switch (read.kind) {
      case 'known':
        return { uri, config: read.config };
      case 'missing':
        throw new HumanError(this.#messages.ui('error.no-config', { name }));
      case 'refused':
        throw new HumanError(`${name}: ${this.#messages.plain(refusalMessage(read.refusal), uri)}`);
    }
  }

  dispose(): void {
    for (const listener of this.#listeners) {
      listener.dispose();
    }
  }

  async #discover(document: TextDocument): Promise<void> {
    const { uri } = document;
    const runs = this.#documents.latest(document)?.reading.runs ?? [];
    const several = await this.#configs.discover(uri, runs);
    const key = uri.toString();
    const isSeen = window.visibleTextEditors.some(editor => editor.document === document);
    if (several.length < 2 || this.#asked.has(key) || !isSeen) {
      return;
    }
    this.#asked.add(key);
    const choose = this.#messages.ui('config.choose');
    const question = this.#messages.ui('config.several', { count: several.length });
    void window
      .showInformationMessage(question, choose)
      .then(answer =>
        answer === choose
          ? this.#output.guard('choosing a config', () => this.run(uri).then(() => undefined))
          : undefined,
      );
  }

  async #ask(log: Uri, runs: readonly Run[]): Promise<FoundConfig | undefined> {
    const fitting = await this.#configs.fitting(runs);
    const others = (await this.#configs.inWorkspace()).filter(
      ({ uri }) => !fitting.some(found => found.uri.toString() === uri.toString()),
    );
    const beside = this.#configs.besideModel(log, runs);
    const none: ConfigPick = {
      label: this.#messages.ui('config.none'),
      take: () => {
        this.#configs.choose(log, undefined);
        return Promise.resolve(undefined);
      },
    };
    const picks: ConfigPick[] = [
      ...fitting.map(config => ({
        ...this.#pickOf(config),
        detail: this.#messages.ui('config.fits'),
      })),
      ...others.map(config => this.#pickOf(config)),
      ...(beside ? [this.#besidePick(beside)] : []),
      this.#filePick(),
      ...(this.#configs.configOf(log) ? [none] : []),
    ];
    const picked = await window.showQuickPick(picks, {
      placeHolder: this.#messages.ui('config.placeholder'),
    });
    return picked?.take();
  }

  #pickOf(config: FoundConfig): ConfigPick {
    return {
      label: workspace.asRelativePath(config.uri),
      description: config.config.layout.architecture ?? '',
      take: () => Promise.resolve(config),
    };
  }

  /** The file at the path in the log is opened only now. */
  #besidePick(uri: Uri): ConfigPick {
    return {
      label: this.#messages.ui('config.in-log'),
      description: uri.path,
      take: () => this.read(uri),
    };
  }

  #filePick(): ConfigPick {
    return {
      label: this.#messages.ui('config.file'),
      take: async () => {
        const [uri] =
          (await window.showOpenDialog({
            canSelectMany: false,
            openLabel: this.#messages.ui('config.open'),
            filters: { JSON: ['json'] },
          })) ?? [];
        return uri && this.read(uri);
      },
    };
  }
}
