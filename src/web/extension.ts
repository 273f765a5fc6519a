/** The entry for extension hosts in a browser: files come whole from the editor, up to a limit. */
import type { ExtensionContext } from 'vscode';
import { openEditorFile } from '../editor/editorFile';
import { activate as activateEditor } from '../editor/extension';
import type { ExtensionApi } from '../editor/extensionApi';

export function activate(context: ExtensionContext): ExtensionApi {
  return activateEditor(context, { openFile: openEditorFile });
}
