/** The outline of a log: runs, their ranks, the phases of a rank. */
import type { CancellationToken, DocumentSymbolProvider, TextDocument } from 'vscode';
import { DocumentSymbol, Range, SymbolKind } from 'vscode';
import type { OutlineNode } from '../core/annotate/log/logOutline';
import { logOutline } from '../core/annotate/log/logOutline';
import type { LogAnswering } from './logAnalysis';

const kinds: Readonly<Record<OutlineNode['kind'], SymbolKind>> = {
  run: SymbolKind.Event,
  rank: SymbolKind.Object,
  phase: SymbolKind.Field,
};

/** Answers the symbols of logs. */
export class LogOutline implements DocumentSymbolProvider {
  readonly #logs: LogAnswering;

  constructor(logs: LogAnswering) {
    this.#logs = logs;
  }

  provideDocumentSymbols(
    document: TextDocument,
    token: CancellationToken,
  ): Promise<DocumentSymbol[] | undefined> {
    return this.#logs.answer('outline.enabled', document, token, ({ accounts }) =>
      logOutline(accounts).map(node => this.#symbol(node, document)),
    );
  }

  #symbol({ kind, label, lines, children }: OutlineNode, document: TextDocument): DocumentSymbol {
    const [first, last] = lines;
    const start = document.lineAt(first - 1).range;
    const end = document.lineAt(last - 1).range.end;
    const symbol = new DocumentSymbol(
      this.#logs.messages.short(label, document.uri),
      '',
      kinds[kind],
      new Range(start.start, end),
      start,
    );
    symbol.children = children.map(child => this.#symbol(child, document));
    return symbol;
  }
}
