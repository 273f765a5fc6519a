/** What can be folded in a log: runs and their phases. */
import type { CancellationToken, FoldingRangeProvider, TextDocument } from 'vscode';
import { FoldingRange, FoldingRangeKind } from 'vscode';
import { logFolding } from '../core/annotate/log/logFolding';
import type { LogDocuments } from './logDocuments';
import type { Output } from './output';
import type { Settings } from './settings';

/** Answers the folding ranges of logs; for other documents the editor folds by indentation. */
export class LogFolding implements FoldingRangeProvider {
  readonly #documents: LogDocuments;
  readonly #settings: Settings;
  readonly #output: Output;

  constructor(documents: LogDocuments, settings: Settings, output: Output) {
    this.#documents = documents;
    this.#settings = settings;
    this.#output = output;
  }

  provideFoldingRanges(
    document: TextDocument,
    _context: unknown,
    token: CancellationToken,
  ): Promise<FoldingRange[] | undefined> {
    return this.#output.guard('folding', async () => {
      if (!this.#settings.get('folding.enabled', document.uri)) {
        return undefined;
      }
      const analysis = await this.#documents.current(document, token);
      return (
        analysis &&
        logFolding(analysis.accounts).map(
          ([first, last]) => new FoldingRange(first - 1, last - 1, FoldingRangeKind.Region),
        )
      );
    });
  }
}
