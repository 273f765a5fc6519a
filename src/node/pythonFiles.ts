/**
 * What the Python interpreter needs of this machine: the wasm files beside the bundle, and the text
 * of files by path.
 */
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
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
  list: async folder => {
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    return names.filter(name => name.endsWith('.py')).map(name => `${folder}/${name}`);
  },
};

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
