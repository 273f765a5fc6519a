/**
 * Links from a report to lines of its log. The Markdown preview follows no `file:` link and no
 * command, but a path from the first workspace folder; where there is none, the number stands alone.
 */
import type { Uri } from 'vscode';
import { workspace } from 'vscode';

/** A 1-based line as Markdown; the label is Markdown already. */
export function lineLink(file: Uri | undefined, line: number, label = String(line)): string {
  const path = file && pathFromWorkspace(file);
  return path === undefined ? label : `[${label}](<${path}#L${line}>)`;
}

/** The path of a file from the first workspace folder, as the preview resolves it. */
function pathFromWorkspace(file: Uri): string | undefined {
  const root = workspace.workspaceFolders?.[0]?.uri;
  if (root?.scheme !== file.scheme || root.authority !== file.authority) {
    return undefined;
  }
  const from = segmentsOf(root);
  const to = segmentsOf(file);
  const isOtherDrive = /^[a-z]:$/i.test(to[0] ?? '') && from[0] !== to[0];
  if (isOtherDrive) {
    return undefined;
  }
  let common = 0;
  while (common < from.length && from[common] === to[common]) {
    common += 1;
  }
  const up = from.slice(common).map(() => '..');
  return `/${[...up, ...to.slice(common).map(encodeURIComponent)].join('/')}`;
}

function segmentsOf({ path }: Uri): string[] {
  return path.split('/').filter(segment => segment !== '');
}
