/** The documents of report pages as the editor serves them; what stands in them is src/webview. */
import type { ExtensionContext, Webview } from 'vscode';
import { Uri, workspace } from 'vscode';
import type { PageModel } from '../core/report/pageModel';
import { livePage } from '../webview/livePage';

/** Makes the documents of pages. */
export class ReportDocuments {
  /** The only folder from which a page may load. */
  readonly folder: Uri;

  constructor({ extensionUri }: ExtensionContext) {
    this.folder = Uri.joinPath(extensionUri, 'dist');
  }

  /** The style sheet of pages and of saved reports. */
  async style(): Promise<string> {
    return new TextDecoder().decode(await workspace.fs.readFile(this.#file('webview.css')));
  }

  /** A document that shows a model, or a text. */
  of(webview: Webview, shown: PageModel | string): string {
    const address = (name: string): string => webview.asWebviewUri(this.#file(name)).toString();
    return livePage(shown, {
      script: address('webview.js'),
      style: address('webview.css'),
      styleSource: webview.cspSource,
      nonce: makeNonce(),
    });
  }

  #file(name: string): Uri {
    return Uri.joinPath(this.folder, name);
  }
}

function makeNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
