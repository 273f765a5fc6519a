/** A range of the core as the editor's. Both count rows and UTF-16 units from 0. */
import { Range } from 'vscode';
import type { SourceRange } from '../../core/annotate/python/annotation';

/** The same range. */
export function editorRange({ row, column, endRow, endColumn }: SourceRange): Range {
  return new Range(row, column, endRow, endColumn);
}
