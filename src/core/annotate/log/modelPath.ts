/**
 * The path of the model that a run was started with, as far as it may name a file of the log's own
 * machine. A share of another machine is none. Opens nothing.
 */
import type { Run } from '../../log/run';

/** A path as the launch arguments print it. */
export interface ModelPath {
  /** With `/` between its parts. */
  readonly path: string;
  /** The last part: the folder's name, or the model's in a repository. */
  readonly name: string;
  /** True for a path on a disk; false for a name in a repository of models. */
  readonly isAbsolute: boolean;
}

/** Longer ones are no paths. */
const longest = 1024;

/** The path; undefined where none is printed, or where it is that of another machine. */
export function pathInLog({ serverArguments }: Run): ModelPath | undefined {
  const printed = serverArguments?.values.get('model_path')?.value;
  if (typeof printed !== 'string' || printed.length > longest || printed.includes('\0')) {
    return undefined;
  }
  const path = printed.replaceAll('\\', '/').replace(/\/+$/, '');
  // `\\server\share`, and what climbs out of where it seems to be.
  if (path.startsWith('//') || path.split('/').includes('..')) {
    return undefined;
  }
  const name = path.split('/').at(-1) ?? '';
  return name === '' ? undefined : { path: rooted(path), name, isAbsolute: isAbsolute(path) };
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:\//.test(path);
}

/** `C:/models` has a `/` in front in an address. */
function rooted(path: string): string {
  return /^[A-Za-z]:\//.test(path) ? `/${path}` : path;
}
