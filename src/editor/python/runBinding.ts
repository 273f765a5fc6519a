/**
 * The run whose values the Python files of a workspace are shown with. Kept for the workspace; follows
 * the log while it is open.
 */
import type { Disposable, Event, Memento } from 'vscode';
import { EventEmitter, Uri } from 'vscode';
import type { RunAccount } from '../../core/account/account';
import type { PythonBindings } from '../../core/annotate/python/pythonBindings';
import { bytesPerTokenOf, runBindings } from '../../core/annotate/python/runBindings';
import type { LogReading } from '../../core/log/run';
import type { Quantity } from '../../core/units/quantity';
import type { LogDocuments } from '../logDocuments';
import type { LogSource, NamedLog } from '../logSource';
import type { Output } from '../output';
import { nameOf } from '../reportUri';

/** A bound run and what it gives. */
export interface BoundRun {
  readonly uri: Uri;
  readonly name: string;
  /** 0-based. */
  readonly run: number;
  /** How many runs the log has. */
  readonly runs: number;
  readonly account: RunAccount;
  readonly reading: LogReading;
  readonly inputs: PythonBindings;
  readonly bytesPerToken: Quantity | undefined;
}

/** What of a log that was read is bound. */
type ReadLog = Pick<NamedLog, 'accounts' | 'reading'>;

interface StoredBinding {
  readonly log: string;
  readonly run: number;
}

const storedKey = 'boundRun';

/** Binds, remembers, follows. */
export class RunBinding implements Disposable {
  readonly #state: Memento;
  readonly #source: LogSource;
  readonly #output: Output;
  readonly #changed = new EventEmitter<void>();
  readonly #listener: Disposable;
  #bound: BoundRun | undefined;
  #restoring: Promise<void> | undefined;

  constructor(state: Memento, documents: LogDocuments, source: LogSource, output: Output) {
    this.#state = state;
    this.#source = source;
    this.#output = output;
    this.#listener = documents.onDidChange(document => {
      const analysis = documents.latest(document);
      const isBound = this.#bound?.uri.toString() === document.uri.toString();
      if (isBound && this.#bound !== undefined && analysis !== undefined) {
        this.#set(boundRun(document.uri, this.#bound.run, analysis));
      }
    });
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** The bound run as far as it is read; undefined where none is bound. */
  get latest(): BoundRun | undefined {
    return this.#bound;
  }

  /** As `latest`, after the binding of an earlier session was read. */
  async current(): Promise<BoundRun | undefined> {
    await (this.#restoring ??= this.#restore());
    return this.#bound;
  }

  /** Binds a run of a log that was read. */
  async bind(uri: Uri, run: number, log: ReadLog): Promise<void> {
    this.#restoring = Promise.resolve();
    this.#set(boundRun(uri, run, log));
    const stored: StoredBinding = { log: uri.toString(), run };
    await this.#state.update(storedKey, stored);
  }

  async unbind(): Promise<void> {
    this.#restoring = Promise.resolve();
    this.#set(undefined);
    await this.#state.update(storedKey, undefined);
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }

  async #restore(): Promise<void> {
    const stored = this.#state.get<unknown>(storedKey);
    if (!isStored(stored)) {
      return;
    }
    try {
      const uri = Uri.parse(stored.log, true);
      const log = await this.#source.read(uri);
      if (log !== undefined && this.#bound === undefined) {
        this.#set(boundRun(uri, stored.run, log));
      }
    } catch (error) {
      // The log may be gone; what was bound is said again when a log is bound.
      this.#output.error('reading the bound log', error);
    }
  }

  #set(bound: BoundRun | undefined): void {
    this.#bound = bound;
    this.#changed.fire();
  }
}

function boundRun(uri: Uri, run: number, { accounts, reading }: ReadLog): BoundRun | undefined {
  const index = run in accounts ? run : accounts.length - 1;
  const account = accounts[index];
  return (
    account && {
      uri,
      name: nameOf(uri),
      run: index,
      runs: accounts.length,
      account,
      reading,
      inputs: runBindings(account),
      bytesPerToken: bytesPerTokenOf(account),
    }
  );
}

function isStored(value: unknown): value is StoredBinding {
  return (
    typeof value === 'object' &&
    value !== null &&
    'log' in value &&
    typeof value.log === 'string' &&
    'run' in value &&
    typeof value.run === 'number'
  );
}
