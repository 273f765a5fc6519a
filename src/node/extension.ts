/** The entry for extension hosts with Node: files of this machine are read by ranges. */
import type { ExtensionContext } from 'vscode';
import { activate as activateEditor } from '../editor/extension';
import type { ExtensionApi } from '../editor/extensionApi';
import { openEditorFile } from '../editor/editorFile';
import type { EditorHost } from '../editor/host';
import { UnreadableFile } from '../editor/host';
import { findByte, openLogFile, UnreadableInput } from './fileSource';

const host: EditorHost = {
  findByte,
  openFile: async uri => {
    if (uri.scheme !== 'file') {
      return openEditorFile(uri);
    }
    try {
      return await openLogFile(uri.fsPath);
    } catch (error) {
      throw error instanceof UnreadableInput ? new UnreadableFile(error.reason) : error;
    }
  },
};

export function activate(context: ExtensionContext): ExtensionApi {
  return activateEditor(context, host);
}
