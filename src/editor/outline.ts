/** The outline of a log: runs, their ranks, the phases of a rank. */
import type { CancellationToken, DocumentSymbolProvider, TextDocument } from 'vscode';
import { DocumentSymbol, Range, SymbolKind } from 'vscode';
import type { OutlineNode } from '../core/annotate/log/logOutline';
import { logOutline } from '../core/annotate/log/logOutline';
import type { LogDocuments } from './logDocuments';
import type { Messages } from './messages';
import type { Output } from './output';
import type { Settings } from './settings';

const kinds: Readonly<Record<OutlineNode['kind'], SymbolKind>> = {
  run: SymbolKind.Event,
  rank: SymbolKind.Object,
  phase: SymbolKind.Field,
};

/** Answers the symbols of logs. */
export class LogOutline implements DocumentSymbolProvider {
  readonly #documents: LogDocuments;
  readonly #messages: Messages;
  readonly #settings: Settings;
  readonly #output: Output;

  constructor(documents: LogDocuments, messages: Messages, settings: Settings, output: Output) {
    this.#documents = documents;
    this.#messages = messages;
    this.#settings = settings;
    this.#output = output;
  }

  provideDocumentSymbols(
    document: TextDocument,
    token: CancellationToken,
  ): Promise<DocumentSymbol[] | undefined> {
    return this.#output.guard('outline', async () => {
      if (!this.#settings.get('outline.enabled', document.uri)) {
        return undefined;
      }
      const analysis = await this.#documents.current(document, token);
      return analysis && logOutline(analysis.accounts).map(node => this.#symbol(node, document));
    });
  }

  #symbol({ kind, label, lines, children }: OutlineNode, document: TextDocument): DocumentSymbol {
    const [first, last] = lines;
    const start = document.lineAt(first - 1).range;
    const end = document.lineAt(last - 1).range.end;
    const symbol = new DocumentSymbol(
      this.#messages.short(label, document.uri),
      '',
      kinds[kind],
      new Range(start.start, end),
      start,
    );
    symbol.children = children.map(child => this.#symbol(child, document));
    return symbol;
  }
}
