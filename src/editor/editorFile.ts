/**
 * A file through the editor's own file system: for the browser, and for folders that are on no disk
 * of this machine. The editor has no reading by ranges, so the file is held whole, up to a limit.
 */
import type { Uri } from 'vscode';
import { FileSystemError, FileType, workspace } from 'vscode';
import type { HostFile } from './host';
import { UnreadableFile } from './host';

/** Larger files are refused: they would be copied between processes and held in memory. */
export const largestEditorFileBytes = 128 * 2 ** 20;

/** Opens a file of any scheme; throws UnreadableFile. */
export async function openEditorFile(uri: Uri): Promise<HostFile> {
  const found = await workspace.fs.stat(uri).then(undefined, (error: unknown) => {
    throw unreadable(error);
  });
  if ((found.type & FileType.Directory) !== 0) {
    throw new UnreadableFile('folder');
  }
  if (found.size > largestEditorFileBytes) {
    throw new UnreadableFile('too-large', found.size, largestEditorFileBytes);
  }
  const bytes = await workspace.fs.readFile(uri).then(undefined, (error: unknown) => {
    throw unreadable(error);
  });
  if (bytes.length === 0) {
    throw new UnreadableFile('empty');
  }
  return {
    sizeBytes: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
    close: () => Promise.resolve(),
  };
}

function unreadable(error: unknown): UnreadableFile {
  const code = error instanceof FileSystemError ? error.code : '';
  return new UnreadableFile(
    code === 'FileNotFound' ? 'missing' : code === 'FileIsADirectory' ? 'folder' : 'denied',
  );
}
