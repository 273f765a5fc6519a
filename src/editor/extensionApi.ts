/** What the extension answers to those that activate it: our tests, which have no other way to see it. */
import type { Uri, WebviewPanel } from 'vscode';
import type { PageModel } from '../core/report/pageModel';
import type { LineNote } from './decorations';

/** What the extension shows where the editor has no way to ask for it. For tests; may change. */
export interface ExtensionApi {
  /** True once the document is analysed, false when it is no log of a server. */
  isServerLog(uri: Uri): Promise<boolean>;
  /** The notes that are drawn after lines of a visible document. */
  notes(uri: Uri): readonly LineNote[];
  /** The text of the status item; undefined while it is hidden. */
  statusText(): string | undefined;
  /** The text of the item that says which run is bound; undefined while it is hidden. */
  boundText(): string | undefined;
  /** What the open report pages show. */
  pages(): readonly PageModel[];
  /** Makes a report page again from what it kept, as the editor does after a reload. */
  restorePage(panel: WebviewPanel, kept: unknown): Promise<void>;
  /** A report page as the file that “Save as HTML” writes. */
  savedPage(model: PageModel): Promise<string>;
  /** The Memory view as rows of label and description, unfolded to this depth. */
  memoryRows(depth: number): Promise<readonly string[]>;
  /** How often the Memory view was drawn anew. */
  memoryDrawings(): number;
  /** The number on the Memory view's badge. */
  memoryBadge(): number | undefined;
  /** 0-based first lines of the parts of a visible document that are drawn as not reached. */
  skippedLines(uri: Uri): readonly number[];
}
