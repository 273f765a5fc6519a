/** What people install: which files, how large, and that nothing of the workshop is among them. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PackageManager, listFiles } from '@vscode/vsce';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manifest, projectRoot } from './manifestFile';

/** The only files that may be in the package. */
const allowed = [
  'package.json',
  'package.nls.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'dist/extension.node.js',
  'dist/extension.node.1.js',
  'dist/extension.node.2.js',
  'dist/extension.node.3.js',
  'dist/extension.node.4.js',
  'dist/extension.node.5.js',
  'dist/extension.web.js',
  'dist/cli.js',
  'dist/webview.css',
  'dist/webview.js',
  'dist/web-tree-sitter.wasm',
  'dist/tree-sitter-python.wasm',
  'media/icon.png',
  'media/memory.svg',
  'media/report.svg',
  'media/schema/annotate.schema.json',
  'media/schema/check.schema.json',
  'media/schema/compare.schema.json',
  'media/schema/explain.schema.json',
  'media/schema/forms.schema.json',
  'media/schema/plan.schema.json',
  'media/schema/quantity.schema.json',
  'media/schema/solve.schema.json',
  'sample/README.md',
  'sample/kv_budget.py',
  'sample/seed-baseline.log',
  'sample/seed-failing.log',
  'sample/seed-restart.log',
  'syntaxes/sglang-log.injection.tmLanguage.json',
  'syntaxes/sglang-log.language-configuration.json',
  'syntaxes/sglang-log.tmLanguage.json',
];

/** Translations are welcome; README pictures are fetched from the repository. */
const alsoAllowed = [/^package\.nls\.[a-z-]+\.json$/, /^l10n\/bundle\.l10n\.[a-z-]+\.json$/];

const kilobyte = 1024;
const limits: Readonly<Record<string, number>> = {
  // What start-up reads is the first, with the two small ones; then come the features, and those of Python.
  'dist/extension.node.js': 10 * kilobyte,
  'dist/extension.node.1.js': 400 * kilobyte,
  'dist/extension.node.2.js': 250 * kilobyte,
  'dist/extension.node.3.js': 5 * kilobyte,
  'dist/extension.node.4.js': 450 * kilobyte,
  'dist/extension.node.5.js': 5 * kilobyte,
  // A browser's host reads one file: all of the parts.
  'dist/extension.web.js': 950 * kilobyte,
  'dist/cli.js': 900 * kilobyte,
  'dist/webview.js': 300 * kilobyte,
};

/** A copy of the project, so that a package can be made while others use dist/. */
const copy = mkdtempSync(path.join(tmpdir(), 'kv-lens-package-'));
const vsix = path.join(copy, 'dist/sglang-kv-lens.vsix');

beforeAll(() => {
  const left = new Set(['node_modules', 'dist', '.git', '.cache', 'test']);
  cpSync(projectRoot, copy, {
    recursive: true,
    filter: source => !left.has(path.relative(projectRoot, source)),
  });
  symlinkSync(path.join(projectRoot, 'node_modules'), path.join(copy, 'node_modules'));
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'package'], {
    cwd: copy,
    encoding: 'utf8',
  });
  if (status !== 0) {
    throw new Error(`npm run package failed: ${stdout}\n${stderr}`);
  }
}, 120_000);

afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('the package', () => {
  test('has every file that it needs and no other', async () => {
    const files = await listFiles({ cwd: copy, packageManager: PackageManager.None });
    const others = files.filter(
      file => !allowed.includes(file) && !alsoAllowed.some(pattern => pattern.test(file)),
    );
    expect(others).toEqual([]);
    expect(allowed.filter(file => !files.includes(file))).toEqual([]);
  });

  test('is at most 1.5 MB', () => {
    expect(statSync(vsix).size).toBeLessThanOrEqual(1.5 * 1024 * kilobyte);
  });

  test.each(Object.entries(limits))('has %s of a size that loads quickly', (file, limit) => {
    const text = readFileSync(path.join(copy, file), 'utf8');
    expect(text.length).toBeLessThanOrEqual(limit);
    expect(text).not.toContain('sourceMappingURL');
  });

  test('has no path of a machine in its bundles', () => {
    for (const file of Object.keys(limits)) {
      const text = readFileSync(path.join(copy, file), 'utf8');
      expect(text.includes(projectRoot) || text.includes(copy), file).toBe(false);
    }
  });

  test('has the entry points that the manifest names', () => {
    for (const file of [manifest.main, manifest.browser, manifest.bin['kvlens'] ?? '']) {
      expect(existsSync(path.join(copy, file)), file).toBe(true);
    }
  });

  test('has a bundle for the browser that asks for nothing but VS Code and guarded builtins', () => {
    const text = readFileSync(path.join(copy, manifest.browser), 'utf8');
    const required = [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name);
    const guarded = ['vscode', 'fs', 'fs/promises', 'path', 'url', 'module'];
    expect(required.filter(name => !guarded.includes(name ?? ''))).toEqual([]);
  });
});
