/** What can be folded in a log: runs and their phases. */
import type { CancellationToken, FoldingRangeProvider, TextDocument } from 'vscode';
import { FoldingRange, FoldingRangeKind } from 'vscode';
import { logFolding } from '../core/annotate/log/logFolding';
import type { LogAnswering } from './logAnalysis';

/** Answers the folding ranges of logs; for other documents the editor folds by indentation. */
export class LogFolding implements FoldingRangeProvider {
  readonly #logs: LogAnswering;

  constructor(logs: LogAnswering) {
    this.#logs = logs;
  }

  provideFoldingRanges(
    document: TextDocument,
    _context: unknown,
    token: CancellationToken,
  ): Promise<FoldingRange[] | undefined> {
    return this.#logs.answer('folding.enabled', document, token, ({ accounts }) =>
      logFolding(accounts).map(
        ([first, last]) => new FoldingRange(first - 1, last - 1, FoldingRangeKind.Region),
      ),
    );
  }
}
