// Bundles the extension (Node and web), the command line and, on request, the test suites into
// dist/ with esbuild. Types are checked elsewhere (`npm run check`); nothing is packaged here.
// Usage: node scripts/build.mjs [--production] [--watch] [--tests]

import { chmod, copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { projectRoot } from './projectRoot.mjs';

const require = createRequire(import.meta.url);
const distFolder = path.join(projectRoot, 'dist');

// The ESM build of web-tree-sitter reads import.meta.url, which a CommonJS bundle does not have.
const treeSitterFolder = path.dirname(require.resolve('web-tree-sitter/web-tree-sitter.wasm'));
const alias = { 'web-tree-sitter': path.join(treeSitterFolder, 'web-tree-sitter.cjs') };

const wasmFiles = [
  require.resolve('web-tree-sitter/web-tree-sitter.wasm'),
  path.join(
    path.dirname(require.resolve('tree-sitter-python/package.json')),
    'tree-sitter-python.wasm',
  ),
];

// web-tree-sitter asks for these only after it has seen that it runs under Node.
const nodeBuiltinsBehindAGuard = ['fs', 'fs/promises', 'path', 'url', 'module'];

const forNode = { platform: 'node', target: 'node20' };
const forWorker = {
  platform: 'browser',
  target: 'es2022',
  define: { global: 'globalThis' },
};

// Suites say `node:assert/strict`; the worker host has no Node, so there the package stands in.
const forWorkerTests = {
  ...forWorker,
  define: { ...forWorker.define, process: '{"env":{},"versions":{}}' },
  alias: { ...alias, 'node:assert/strict': path.join(projectRoot, 'test/web/strictAssert.cjs') },
};

/** Settings shared by every bundle; `production` minifies and leaves the source maps out. */
export function commonOptions(production) {
  return {
    absWorkingDir: projectRoot,
    bundle: true,
    format: 'cjs',
    alias,
    minify: production,
    sourcemap: production ? false : 'linked',
    logLevel: 'warning',
  };
}

/** Writes the parts of a split bundle as CommonJS, under names that stay: `extension.node.1.js`. */
function commonJsParts(production) {
  const entry = 'extension.node.js';
  const write = async ({ outputFiles = [] }) => {
    const parts = outputFiles.map(({ path: file, text }) => ({ name: path.basename(file), text }));
    const others = parts.map(({ name }) => name).filter(name => name !== entry);
    const names = new Map(others.map((name, at) => [name, `extension.node.${at + 1}.js`]));
    const renamed = text => [...names].reduce((all, [from, to]) => all.replaceAll(from, to), text);
    for (const { name, text } of parts) {
      const { code } = await esbuild.transform(renamed(text), {
        format: 'cjs',
        platform: 'node',
        target: forNode.target,
        minify: production,
        sourcemap: production ? false : 'inline',
        sourcefile: names.get(name) ?? name,
        supported: { 'dynamic-import': false },
      });
      await writeFile(path.join(distFolder, names.get(name) ?? name), code);
    }
  };
  return {
    name: 'commonJsParts',
    setup(made) {
      made.onEnd(write);
    },
  };
}

/** The bundles that people install. */
function productBundles(production) {
  const common = commonOptions(production);
  return [
    {
      ...common,
      ...forNode,
      // What is imported when it is needed is a file of its own, which start-up does not read. A
      // browser's host reads one file only; there such parts are in it, run when they are needed.
      format: 'esm',
      splitting: true,
      write: false,
      sourcemap: production ? false : 'inline',
      entryPoints: { 'extension.node': 'src/node/extension.ts' },
      outdir: 'dist',
      external: ['vscode'],
      plugins: [commonJsParts(production)],
    },
    {
      ...common,
      ...forWorker,
      entryPoints: ['src/web/extension.ts'],
      outfile: 'dist/extension.web.js',
      external: ['vscode', ...nodeBuiltinsBehindAGuard],
    },
    {
      ...common,
      ...forNode,
      entryPoints: ['src/cli/main.ts'],
      outfile: 'dist/cli.js',
      banner: { js: '#!/usr/bin/env node' },
    },
    {
      ...common,
      platform: 'browser',
      target: 'es2022',
      format: 'iife',
      // The page's policy lets no source map be fetched.
      sourcemap: false,
      entryPoints: ['src/webview/main.ts'],
      outfile: 'dist/webview.js',
    },
  ];
}

async function testFilesIn(folder) {
  const names = await readdir(path.join(projectRoot, folder)).catch(() => []);
  return names
    .filter(name => name.endsWith('.test.ts'))
    .sort()
    .map(name => `${folder}/${name}`);
}

/**
 * A suite that runs inside VS Code: mocha first (it defines `suite` and `test`), then every test
 * file of the folders, then the `run` that VS Code calls.
 */
async function hostSuite(name, platform, folders) {
  const files = (await Promise.all(folders.map(testFilesIn))).flat();
  return {
    ...commonOptions(false),
    ...platform,
    sourcemap: 'inline',
    stdin: {
      contents: [
        `import './test/host/mochaGlobals';`,
        ...files.map(file => `import './${file.replace(/\.ts$/, '')}';`),
        `export { run } from './test/host/runSuite';`,
      ].join('\n'),
      resolveDir: projectRoot,
      sourcefile: `${name}.ts`,
      loader: 'ts',
    },
    outfile: `dist/test/${name}.js`,
    external: ['vscode', ...(platform === forWorkerTests ? nodeBuiltinsBehindAGuard : [])],
  };
}

/** The suites that run inside VS Code, and the driver and suites that use its window. */
async function testBundles() {
  const windowFiles = await testFilesIn('test/ui');
  return [
    await hostSuite('host', forNode, ['test/host/suite', 'test/host/node']),
    await hostSuite('web', forWorkerTests, ['test/host/suite', 'test/web']),
    await hostSuite('restricted', forNode, ['test/host/restricted']),
    {
      ...commonOptions(false),
      ...forNode,
      format: 'esm',
      sourcemap: 'inline',
      entryPoints: ['test/ui/window.ts', ...windowFiles],
      outdir: 'dist/test/ui',
      outExtension: { '.js': '.mjs' },
      splitting: true,
      packages: 'external',
      external: ['./scripts/*'],
    },
  ];
}

async function copyWasm() {
  await mkdir(distFolder, { recursive: true });
  await Promise.all(
    wasmFiles.map(file => copyFile(file, path.join(distFolder, path.basename(file)))),
  );
}

/**
 * Builds what people install, and with `tests` the test bundles too, whose old ones are removed
 * first so that a test file that is gone does not live on.
 */
export async function build({ production = false, tests = false } = {}) {
  if (tests) await rm(path.join(distFolder, 'test'), { recursive: true, force: true });
  await copyWasm();
  const bundles = [...productBundles(production), ...(tests ? await testBundles() : [])];
  await Promise.all(bundles.map(options => esbuild.build(options)));
  await chmod(path.join(distFolder, 'cli.js'), 0o755);
}

async function watch(tests) {
  await copyWasm();
  const bundles = [...productBundles(false), ...(tests ? await testBundles() : [])];
  for (const options of bundles) {
    const context = await esbuild.context({ ...options, logLevel: 'info' });
    await context.watch();
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const flags = new Set(process.argv.slice(2));
  if (flags.has('--watch')) {
    await watch(flags.has('--tests'));
  } else {
    await build({ production: flags.has('--production'), tests: flags.has('--tests') });
  }
}
