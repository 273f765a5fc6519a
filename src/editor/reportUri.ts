/**
 * The addresses of reports: `sglang-kv-lens:/<title>.md?<query>`. The query names the log and the
 * run, or a report that only this session holds. Reading one back trusts nothing.
 */
import { Uri } from 'vscode';
import type { Messages } from './messages';

/** The scheme of our virtual documents. */
export const reportScheme = 'sglang-kv-lens';

/** What a report is of. `run` is 0-based; without it every run of the log. */
export type ReportSubject =
  | { readonly kind: 'log'; readonly log: string; readonly run?: number }
  | { readonly kind: 'kept'; readonly id: number };

/** The address of a subject; the title is what the tab shows. */
export function reportUri(title: string, subject: ReportSubject): Uri {
  const name = title.replace(/[/\\:*?"<>|]/g, ' ');
  return Uri.from({ scheme: reportScheme, path: `/${name}.md`, query: JSON.stringify(subject) });
}

/** The address of the report of a log, or of one of its runs. */
export function runReportUri(log: Uri, run: number | undefined, messages: Messages): Uri {
  const name = nameOf(log);
  const title =
    run === undefined
      ? messages.ui('report.budget-of', { name })
      : messages.ui('report.run-of', { name, number: run + 1 });
  return reportUri(title, {
    kind: 'log',
    log: log.toString(),
    ...(run !== undefined && { run }),
  });
}

/** The subject of an address; undefined for one that we did not make. */
export function subjectOf({ scheme, query }: Uri): ReportSubject | undefined {
  try {
    const subject: unknown = scheme === reportScheme ? JSON.parse(query) : undefined;
    return isSubject(subject) ? subject : undefined;
  } catch {
    return undefined;
  }
}

/** The last part of a path, as a person calls the file. */
export function nameOf(uri: Uri): string {
  return uri.path.split('/').at(-1) ?? uri.path;
}

function isSubject(value: unknown): value is ReportSubject {
  if (typeof value !== 'object' || value === null || !('kind' in value)) {
    return false;
  }
  if (value.kind === 'kept') {
    return 'id' in value && typeof value.id === 'number';
  }
  const hasRun = 'run' in value;
  return (
    value.kind === 'log' &&
    'log' in value &&
    typeof value.log === 'string' &&
    (!hasRun || typeof value.run === 'number')
  );
}
