/**
 * The layer rules really bite: a copy of the lint configuration meets one file for each way to break
 * them, and the types of core meet globals of a host.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from './manifestFile';

/** What each folder of core may use (design section 2); all else is against the arrows. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  units: [],
  terms: ['units'],
  python: ['terms', 'units'],
  sglang: ['units', 'terms'],
  log: ['sglang', 'units'],
  model: ['terms', 'sglang', 'units'],
  account: ['python', 'model', 'log', 'sglang', 'terms', 'units'],
  annotate: ['account', 'python', 'model', 'log', 'sglang', 'terms', 'units'],
  report: ['account', 'model', 'log', 'sglang', 'terms', 'units'],
};

interface Violation {
  readonly file: string;
  readonly code: string;
}

/** Each file is one breach, or (`allowed-`) something that must stay possible. */
const violations: Violation[] = [
  { file: 'src/core/units/vscodeImport.ts', code: `import 'vscode';` },
  {
    file: 'src/core/units/vscodeType.ts',
    code: `import type { Uri } from 'vscode';\nexport type A = Uri;`,
  },
  { file: 'src/core/log/nodeBuiltin.ts', code: `import 'node:fs';` },
  { file: 'src/core/log/bareBuiltin.ts', code: `import 'path';` },
  { file: 'src/core/terms/builtinSubpath.ts', code: `import 'node:fs/promises';` },
  { file: 'src/core/report/reexported.ts', code: `export { join } from 'node:path';` },
  { file: 'src/core/account/dynamicImport.ts', code: `export const a = import('node:fs');` },
  { file: 'src/core/annotate/editorImport.ts', code: `import '../../editor/settings';` },
  { file: 'src/core/log/hostImport.ts', code: `import '../../node/fileSource';` },
  { file: 'src/core/message/deepHostImport.ts', code: `import '../../cli/output';` },
  { file: 'src/cli/editorImport.ts', code: `import '../editor/settings';` },
  { file: 'src/cli/vscodeImport.ts', code: `import 'vscode';` },
  { file: 'src/editor/nodeBuiltin.ts', code: `import 'node:fs';` },
  { file: 'src/web/nodeBuiltin.ts', code: `import 'node:fs';` },
  { file: 'src/webview/vscodeImport.ts', code: `import 'vscode';` },
  {
    file: 'src/editor/secondSettings.ts',
    code: `import { workspace } from 'vscode';\nexport const a = workspace.getConfiguration('x');`,
  },
  {
    file: 'src/editor/secondSettingsByNamespace.ts',
    code: `import * as vscode from 'vscode';\nexport const a = vscode.workspace.getConfiguration('x');`,
  },
  {
    file: 'src/editor/secondCommands.ts',
    code: `import { commands } from 'vscode';\nexport const a = commands.registerCommand('x', () => 1);`,
  },
  {
    file: 'src/editor/secondDecorations.ts',
    code: `import { window } from 'vscode';\nexport const a = window.createTextEditorDecorationType({});`,
  },
  {
    file: 'src/node/secondSettings.ts',
    code: `import { workspace } from 'vscode';\nexport const a = workspace.getConfiguration('x');`,
  },
  ...Object.entries(arrows).flatMap(([from, targets]) =>
    Object.keys(arrows)
      .filter(to => to !== from && !targets.includes(to))
      .map(to => ({ file: `src/core/${from}/to_${to}.ts`, code: `import '../${to}/any';` })),
  ),
];

const permitted: Violation[] = [
  ...Object.entries(arrows).flatMap(([from, targets]) =>
    targets.map(to => ({
      file: `src/core/${from}/to_${to}.ts`,
      code: `import '../${to}/any';`,
    })),
  ),
  { file: 'src/editor/toCore.ts', code: `import '../core/account/any';` },
  { file: 'src/cli/toNode.ts', code: `import '../node/any';\nimport 'node:fs';` },
  {
    file: 'src/editor/settings.ts',
    code: `import { workspace } from 'vscode';\nexport const a = workspace.getConfiguration('x');`,
  },
  {
    file: 'src/editor/commands.ts',
    code: `import { commands } from 'vscode';\nexport const a = commands.registerCommand('x', () => 1);`,
  },
  {
    file: 'src/editor/decorations.ts',
    code: `import { window } from 'vscode';\nexport const a = window.createTextEditorDecorationType({});`,
  },
];

const copy = mkdtempSync(path.join(tmpdir(), 'kv-lens-layers-'));
const reported = new Map<string, readonly string[]>();

interface LintResult {
  readonly filePath: string;
  readonly messages: readonly { readonly ruleId: string | null; readonly message: string }[];
}

beforeAll(() => {
  symlinkSync(path.join(projectRoot, 'node_modules'), path.join(copy, 'node_modules'));
  mkdirSync(path.join(copy, 'src/core'), { recursive: true });
  for (const file of [
    'eslint.config.mjs',
    'tsconfig.json',
    'src/core/tsconfig.json',
    'package.json',
  ]) {
    copyFileSync(path.join(projectRoot, file), path.join(copy, file));
  }
  for (const { file, code } of [...violations, ...permitted]) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    writeFileSync(path.join(copy, file), `${code}\nexport {};\n`);
  }
  const eslint = path.join(projectRoot, 'node_modules/eslint/bin/eslint.js');
  const { stdout, stderr } = spawnSync(process.execPath, [eslint, 'src', '--format', 'json'], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (stdout === '') {
    throw new Error(stderr);
  }
  for (const { filePath, messages } of JSON.parse(stdout) as LintResult[]) {
    const rules = messages
      .filter(({ ruleId }) => ruleId?.includes('no-restricted') === true)
      .map(({ message }) => message);
    reported.set(path.relative(copy, filePath).split(path.sep).join('/'), rules);
  }
}, 120_000);

afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('lint', () => {
  test.each(violations)('refuses $file', ({ file }) => {
    expect(reported.get(file)).not.toEqual([]);
    expect(reported.get(file)).toBeDefined();
  });

  test.each(permitted)('permits $file', ({ file }) => {
    expect(reported.get(file)).toEqual([]);
  });

  test('holds arrows without a cycle', () => {
    const reach = (from: string): string[] =>
      (arrows[from] ?? []).flatMap(to => [to, ...reach(to)]);
    expect(Object.keys(arrows).filter(folder => reach(folder).includes(folder))).toEqual([]);
  });
});

describe('the types of core', () => {
  test.each(['process.exit()', 'document.title', 'new TextDecoder()', 'setTimeout(() => 1, 1)'])(
    'do not know %s',
    code => {
      const file = path.join(copy, 'src/core/units/hostGlobal.ts');
      writeFileSync(file, `export const value: unknown = ${code};\n`);
      const config = path.join(copy, 'src/core/tsconfig.one.json');
      writeFileSync(
        config,
        JSON.stringify({ extends: './tsconfig.json', include: ['units/hostGlobal.ts'] }),
      );
      const tsc = path.join(projectRoot, 'node_modules/typescript/bin/tsc');
      const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', config], {
        encoding: 'utf8',
      });
      expect(stdout).toMatch(/Cannot find name/);
      expect(status).not.toBe(0);
    },
  );
});
