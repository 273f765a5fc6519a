/** Says in the status bar, while a source with memory arithmetic is active, which run is bound. */
import type { FeatureParts } from '../answering';
import { StatusEntry } from '../statusEntry';
import { boundName } from './boundName';
import type { PythonDocuments } from './pythonDocuments';
import type { RunBinding } from './runBinding';

/** The item of sources; its context key is true while the editor shows memory arithmetic. */
export function boundStatus(
  documents: PythonDocuments,
  binding: RunBinding,
  { messages, settings }: FeatureParts,
): StatusEntry {
  return new StatusEntry({
    id: 'bound',
    name: messages.ui('python.status-name'),
    command: 'bindLog',
    priority: 91,
    activeKey: 'sglangKvLens.isPythonActive',
    changes: [settings.onDidChange, binding.onDidChange, documents.onDidChange],
    say: document => {
      if (document !== undefined && documents.isWaiting(document)) {
        return undefined;
      }
      const found = document && documents.latest(document);
      const isActive = (found?.functions.length ?? 0) > 0;
      const isShown = isActive && settings.get('statusBar.enabled', document?.uri);
      const bound = binding.latest;
      return {
        isActive,
        shown: isShown
          ? {
              icon: 'link',
              text: bound ? boundName(bound, messages) : messages.ui('python.status-unbound'),
              tooltip: messages.ui(
                bound ? 'python.status-tooltip' : 'python.status-unbound-tooltip',
              ),
            }
          : undefined,
      };
    },
  });
}
