/** What the extension reads to start: nothing of Python, which few windows need at once. */
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { projectRoot } from './manifestFile';

const lazy = ['src/core/python/', 'src/core/annotate/python/pythonAnnotator', 'web-tree-sitter'];

test('start-up reads no interpreter and no parser of Python', async () => {
  const { metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: ['src/node/extension.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    splitting: true,
    outdir: 'dist',
    write: false,
    metafile: true,
    external: ['vscode'],
    logLevel: 'silent',
  });
  const entry = Object.keys(metafile.outputs).find(
    name => metafile.outputs[name]?.entryPoint === 'src/node/extension.ts',
  );
  const read = new Set<string>();
  const follow = (name: string): void => {
    const output = metafile.outputs[name];
    if (output !== undefined && !read.has(name)) {
      read.add(name);
      output.imports
        .filter(({ kind }) => kind === 'import-statement')
        .forEach(one => follow(one.path));
    }
  };
  follow(entry ?? '');
  const inputs = [...read].flatMap(name => Object.keys(metafile.outputs[name]?.inputs ?? {}));
  expect(inputs.some(name => name.startsWith('src/editor/'))).toBe(true);
  expect(inputs.filter(name => lazy.some(part => name.includes(part)))).toEqual([]);
  const all = Object.values(metafile.outputs).flatMap(({ inputs: own }) => Object.keys(own));
  expect(all.some(name => name.includes('src/core/python/'))).toBe(true);
});
