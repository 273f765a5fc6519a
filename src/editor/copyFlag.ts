/** The command "Copy Launch Flag": the recommended flag of the active log, or a given one. */
import { env, window } from 'vscode';
import type { RunAccount } from '../core/account/account';
import { adviceMessage } from '../core/account/accountCure';
import { HumanError } from './humanError';
import type { LogAnalysis } from './logAnalysis';
import type { LogDocuments } from './logDocuments';
import { MemoryNode } from './memoryNode';
import type { Messages } from './messages';

/** A flag and its value: nothing that a shell would take for more than that. */
const plainFlag = /^--[a-z][a-z-]* [\w.]+$/;

/** The command. */
export class CopyFlag {
  readonly #documents: LogDocuments;
  readonly #messages: Messages;

  constructor(documents: LogDocuments, messages: Messages) {
    this.#documents = documents;
    this.#messages = messages;
  }

  /** Answers the flag that was copied. */
  async run(argument?: unknown): Promise<string> {
    const given = argument instanceof MemoryNode ? flagOf(argument) : argument;
    const isGiven = typeof given === 'string' && plainFlag.test(given);
    const flag = isGiven ? given : await this.#flagOfActiveLog();
    await env.clipboard.writeText(flag);
    window.setStatusBarMessage(this.#messages.ui('done.flag-copied', { flag }), 4000);
    return flag;
  }

  /** Of the run at the cursor, else of the last one. */
  async #flagOfActiveLog(): Promise<string> {
    const editor = window.activeTextEditor;
    const analysis = editor && (await this.#documents.current(editor.document));
    const account = analysis && runAt(analysis, editor.selection.active.line + 1);
    if (account === undefined) {
      throw new HumanError(this.#messages.ui('error.no-log-active'));
    }
    if (account.advice.kind === 'fraction') {
      return account.advice.flag;
    }
    const reason = this.#messages.plain(adviceMessage(account), editor?.document.uri);
    throw new HumanError(`${this.#messages.ui('error.no-flag')} ${reason}`);
  }
}

function runAt({ accounts }: LogAnalysis, line: number): RunAccount | undefined {
  const at = accounts.find(({ run: { lines } }) => lines[0] <= line && line <= lines[1]);
  return at ?? accounts.at(-1);
}

function flagOf({ content }: MemoryNode): string | undefined {
  const advice = content.kind === 'run' ? content.account.advice : undefined;
  return advice?.kind === 'fraction' ? advice.flag : undefined;
}
