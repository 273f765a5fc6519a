/** Runs the command line as a person does, from a bundle of the present sources. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';

/** What a run of `kvlens` left. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder for the files of one test file. */
export const folder = mkdtempSync(join(tmpdir(), 'kvlens-'));

export const bundle = join(folder, 'cli.cjs');

const require = createRequire(import.meta.url);
const treeSitter = dirname(require.resolve('web-tree-sitter/web-tree-sitter.wasm'));
const grammar = dirname(require.resolve('tree-sitter-python/package.json'));

copyFileSync(join(treeSitter, 'web-tree-sitter.wasm'), join(folder, 'web-tree-sitter.wasm'));
copyFileSync(join(grammar, 'tree-sitter-python.wasm'), join(folder, 'tree-sitter-python.wasm'));

buildSync({
  entryPoints: [join(import.meta.dirname, '../../src/cli/main.ts')],
  bundle: true,
  platform: 'node',
  outfile: bundle,
  alias: { 'web-tree-sitter': join(treeSitter, 'web-tree-sitter.cjs') },
  logLevel: 'error',
});

/** Runs `kvlens` with these arguments. */
export function kvlens(...args: string[]): Promise<CommandResult> {
  return new Promise(resolve => {
    execFile(
      process.execPath,
      [bundle, ...args],
      { maxBuffer: 1 << 26 },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      },
    );
  });
}

/** Runs `kvlens … --json` and reads what it printed. */
export async function kvlensJson(...args: string[]): Promise<unknown> {
  const { stdout } = await kvlens(...args, '--json');
  return JSON.parse(stdout) as unknown;
}

/** Writes a file of the test and returns its path. */
export function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
