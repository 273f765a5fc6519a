/**
 * The start of the extension: what the editor must find at once, commands and the way back of report
 * pages, with the features behind them (features). The two entries differ in the host that they pass.
 */
import type { ExtensionContext } from 'vscode';
import { window } from 'vscode';
import { registerCommands } from './commands';
import type { ExtensionApi } from './extensionApi';
import { FeatureStart } from './featureStart';
import type { EditorHost } from './host';
import { pageType } from './pageType';

/** Starts the extension. */
export function activate(context: ExtensionContext, host: EditorHost): ExtensionApi {
  const start = new FeatureStart(context, host);
  const asked = async (): Promise<ExtensionApi> => (await start.features()).api;
  const present = (): ExtensionApi | undefined => start.started?.api;
  const api: ExtensionApi = {
    isServerLog: async uri => (await asked()).isServerLog(uri),
    notes: uri => present()?.notes(uri) ?? [],
    statusText: () => present()?.statusText(),
    boundText: () => present()?.boundText(),
    pages: () => present()?.pages() ?? [],
    restorePage: async (panel, kept) => (await asked()).restorePage(panel, kept),
    savedPage: async model => (await asked()).savedPage(model),
    memoryRows: async depth => (await asked()).memoryRows(depth),
    memoryDrawings: () => present()?.memoryDrawings() ?? 0,
    memoryBadge: () => present()?.memoryBadge(),
    skippedLines: uri => present()?.skippedLines(uri) ?? [],
  };

  context.subscriptions.push(
    start,
    registerCommands(async () => (await start.features()).commands),
    window.registerWebviewPanelSerializer(pageType, {
      deserializeWebviewPanel: (panel, kept) => api.restorePage(panel, kept),
    }),
  );
  return api;
}
