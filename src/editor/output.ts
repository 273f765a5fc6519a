/** The output channel: what went wrong, for people who want to know and for reports of mistakes. */
import type { Disposable, LogOutputChannel } from 'vscode';
import { window } from 'vscode';

/** Made when the first entry is written: most sessions have none. */
export class Output implements Disposable {
  readonly #name: string;
  #channel: LogOutputChannel | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  error(what: string, error: unknown): void {
    this.#open().error(what, error instanceof Error ? (error.stack ?? error.message) : error);
  }

  show(): void {
    this.#open().show(true);
  }

  /**
   * Runs a provider: an error gives no annotation and one entry here, never a failure that the
   * editor shows.
   */
  async guard<T>(what: string, provide: () => Promise<T> | T): Promise<T | undefined> {
    try {
      return await provide();
    } catch (error) {
      this.error(what, error);
      return undefined;
    }
  }

  dispose(): void {
    this.#channel?.dispose();
  }

  #open(): LogOutputChannel {
    this.#channel ??= window.createOutputChannel(this.#name, { log: true });
    return this.#channel;
  }
}
