/** What the extension reads to start: no feature, as the editor waits for it; and nothing of Python later. */
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { projectRoot } from './manifestFile';

const ofPython = [
  'src/core/python/',
  'src/core/annotate/python/pythonAnnotator',
  'web-tree-sitter',
];
const features = 'src/editor/features.ts';

/** The files of the sources that are read with an entry of the bundle, and all that are in it. */
async function filesReadWith(
  entryPoint: string,
): Promise<{ readonly read: readonly string[]; readonly all: readonly string[] }> {
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
    name => metafile.outputs[name]?.entryPoint === entryPoint,
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
  const inputsOf = (names: Iterable<string>): string[] =>
    [...names].flatMap(name => Object.keys(metafile.outputs[name]?.inputs ?? {}));
  return { read: inputsOf(read), all: inputsOf(Object.keys(metafile.outputs)) };
}

test('start-up reads no core and no wording', async () => {
  const { read, all } = await filesReadWith('src/node/extension.ts');
  expect(read.some(name => name.startsWith('src/editor/'))).toBe(true);
  const late = ['src/core/', 'src/wording/', features];
  expect(read.filter(name => late.some(part => name.includes(part)))).toEqual([]);
  expect(all).toContain(features);
});

test('what is loaded behind it reads no interpreter and no parser of Python', async () => {
  const { read, all } = await filesReadWith(features);
  expect(read.some(name => name.startsWith('src/core/account/'))).toBe(true);
  expect(read.filter(name => ofPython.some(part => name.includes(part)))).toEqual([]);
  expect(all.some(name => name.includes('src/core/python/'))).toBe(true);
});
