/** Says in the status bar what was recognised in the active log, and offers the report. */
import type { Uri } from 'vscode';
import { summaryMessage } from '../core/account/accountSummary';
import { shortVerdict } from '../core/annotate/log/logVerdict';
import { message } from '../core/message/message';
import type { LogAnalysis } from './logAnalysis';
import type { LogDocuments } from './logDocuments';
import type { Messages } from './messages';
import type { Settings } from './settings';
import { StatusEntry } from './statusEntry';

/** The item of logs; its context key is true while the active editor shows one. */
export function logStatus(
  documents: LogDocuments,
  messages: Messages,
  settings: Settings,
): StatusEntry {
  return new StatusEntry({
    id: 'recognised',
    name: messages.ui('status.name'),
    command: 'evaluateBudget',
    priority: 90,
    activeKey: 'sglangKvLens.isLogActive',
    changes: [settings.onDidChange, documents.onDidChange],
    say: document => {
      const analysis = document && documents.latest(document);
      if (document !== undefined && analysis === undefined && documents.isWaiting(document)) {
        return undefined;
      }
      const isShown = settings.get('statusBar.enabled', document?.uri);
      return {
        isActive: (analysis?.accounts.length ?? 0) > 0,
        shown: isShown && analysis ? shownOf(analysis, messages, document.uri) : undefined,
      };
    },
  });
}

function shownOf(
  { accounts }: LogAnalysis,
  messages: Messages,
  resource: Uri | undefined,
): { icon: string; text: string; tooltip: string } {
  const icon = 'symbol-ruler';
  const last = accounts.at(-1);
  if (last === undefined) {
    const [text, tooltip] = [messages.ui('status.nothing'), messages.ui('status.nothing-tooltip')];
    return { icon, text, tooltip };
  }
  const verdict = shortVerdict(last);
  const text =
    accounts.length === 1
      ? message('status.one-run', { verdict })
      : message('status.runs', { runs: accounts.length, verdict });
  return {
    icon,
    text: messages.short(text, resource),
    tooltip: messages.plain(summaryMessage(last), resource),
  };
}
