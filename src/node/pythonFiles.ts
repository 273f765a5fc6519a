/**
 * What the Python interpreter needs of this machine: the wasm files beside the bundle, and the text
 * of files by path.
 */
import { isAscii } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceFiles } from '../core/python/moduleStore';
import type { WasmFiles } from '../core/python/parser';

/** The two wasm files that the build lays beside its bundles; rejects where one is missing. */
export async function wasmFilesIn(folder: string): Promise<WasmFiles> {
  const [runtime, grammar] = await Promise.all(
    ['web-tree-sitter.wasm', 'tree-sitter-python.wasm'].map(name => readFile(join(folder, name))),
  );
  if (runtime === undefined || grammar === undefined) {
    throw new Error('no wasm files');
  }
  return { runtime, grammar };
}

/**
 * Reads files by path with forward slashes; what cannot be read is not there. Source files are small:
 * reading one at once takes a third of the time of asking for it.
 */
export const diskFiles: SourceFiles = {
  read: path => Promise.resolve(textOf(path)),
  list: folder => Promise.resolve(pythonFilesIn(folder)),
};

/** Reading one folder after another at once takes an eighth of the time of asking for the whole tree. */
function pythonFilesIn(folder: string): string[] {
  return entriesOf(folder).flatMap(entry => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? pythonFilesIn(path) : entry.name.endsWith('.py') ? [path] : [];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function textOf(path: string): string | undefined {
  try {
    const bytes = readFileSync(path);
    // Most source is plain: that need not be decoded.
    return isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8');
  } catch {
    return undefined;
  }
}
