/** The entry for extension hosts in a browser: files come whole from the editor, up to a limit. */
import type { ExtensionContext } from 'vscode';
import { openEditorFile } from '../editor/editorFile';
import type { ExtensionApi } from '../editor/extension';
import { activate as activateEditor } from '../editor/extension';

export function activate(context: ExtensionContext): ExtensionApi {
  return activateEditor(context, { openFile: openEditorFile });
}
