/** Above functions that size the pool: what the bound run got, and how to bind a log or set a value. */
import type { CancellationToken, CodeLensProvider, Event, TextDocument } from 'vscode';
import { CodeLens, Range } from 'vscode';
import type { AnnotatedFunction } from '../../core/annotate/python/annotation';
import { shortVerdict } from '../../core/annotate/log/logVerdict';
import { commandId } from '../commands';
import { boundName } from './boundName';
import type { PythonAnswering } from './pythonDocuments';
import type { RunBinding } from './runBinding';

/** Answers code lenses of Python sources. */
export class PythonLenses implements CodeLensProvider {
  readonly onDidChangeCodeLenses: Event<void>;
  readonly #python: PythonAnswering;
  readonly #binding: RunBinding;

  constructor(python: PythonAnswering, binding: RunBinding) {
    this.#python = python;
    this.#binding = binding;
    this.onDidChangeCodeLenses = python.onDidChange;
  }

  provideCodeLenses(
    document: TextDocument,
    token: CancellationToken,
  ): Promise<CodeLens[] | undefined> {
    return this.#python.answer('pythonCodeLens.enabled', document, token, ({ functions }) =>
      functions
        .filter(({ role }) => role === 'sizing')
        .flatMap(one => this.#lensesOf(one, document)),
    );
  }

  #lensesOf({ line, missing }: AnnotatedFunction, document: TextDocument): CodeLens[] {
    const range = new Range(line - 1, 0, line - 1, 0);
    const { messages } = this.#python;
    const ui = messages.ui.bind(messages);
    const bound = this.#binding.latest;
    const name = bound && boundName(bound, messages);
    const budget = bound
      ? {
          title: ui('python.lens-budget', {
            name: name ?? '',
            verdict: messages.short(shortVerdict(bound.account), bound.uri),
          }),
          command: commandId('openReport'),
          arguments: [bound.uri.toString(), bound.run],
        }
      : { title: ui('python.lens-evaluate'), command: commandId('evaluateBudget') };
    const binding = {
      title: name === undefined ? ui('python.lens-bind') : ui('python.lens-bound', { name }),
      command: commandId('bindLog'),
    };
    const setting = {
      title: ui('python.lens-missing', { number: missing.length }),
      command: commandId('setValue'),
      arguments: [document.uri.toString(), missing[0]],
    };
    return [budget, binding, ...(missing.length > 0 ? [setting] : [])].map(
      command => new CodeLens(range, command),
    );
  }
}
