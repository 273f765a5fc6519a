/** Arguments of commands, which come from menus, links and other extensions: checked, never trusted. */
import { Uri } from 'vscode';
import { MemoryNode } from './memoryNode';

/** An address: a Uri, its text, or a place of the Memory view. */
export function uriFrom(argument: unknown): Uri | undefined {
  if (argument instanceof MemoryNode) {
    return argument.uri;
  }
  if (argument instanceof Uri) {
    return argument;
  }
  if (typeof argument !== 'string') {
    return undefined;
  }
  try {
    return Uri.parse(argument, true);
  } catch {
    return undefined;
  }
}

/** A whole number that is not negative. */
export function indexFrom(argument: unknown): number | undefined {
  return typeof argument === 'number' && Number.isSafeInteger(argument) && argument >= 0
    ? argument
    : undefined;
}

/** A 0-based run: of the place of the Memory view that is the first argument, else the second. */
export function runFrom(first: unknown, second: unknown): number | undefined {
  return first instanceof MemoryNode ? first.run : indexFrom(second);
}

/** The addresses that the explorer passes for a multiple selection, or that a caller lists. */
export function urisFrom(argument: unknown): readonly Uri[] {
  return Array.isArray(argument) ? argument.flatMap(each => uriFrom(each) ?? []) : [];
}
