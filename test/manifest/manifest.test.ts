/** The manifest and the code say the same, every text is there, and colours can be read. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { buildSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import {
  colors,
  commands,
  localized,
  manifest,
  manifestText,
  nls,
  projectRoot,
  settings,
  sourceFiles,
} from './manifestFile';

const prefix = 'sglangKvLens.';
const editor = sourceFiles('src/editor');
const editorText = [...editor.values()].join('\n');

/** Runs a module of the editor with a stand-in for VS Code, for the data that it exports. */
function exportsOf(file: string, vscode: unknown = {}): Readonly<Record<string, unknown>> {
  const [output] = buildSync({
    entryPoints: [path.join(projectRoot, file)],
    bundle: true,
    format: 'cjs',
    external: ['vscode'],
    write: false,
  }).outputFiles;
  const module = { exports: {} as Readonly<Record<string, unknown>> };
  const { exports } = module;
  runInNewContext(output?.text ?? '', { module, exports, require: () => vscode });
  return module.exports;
}

describe('every setting', () => {
  const defaults = exportsOf('src/editor/settings.ts')['settingDefaults'] as Readonly<
    Record<string, unknown>
  >;

  test.each(settings)('%s has a type, a default, a scope and a description', (id, setting) => {
    expect(id.startsWith(prefix)).toBe(true);
    expect(setting.type).toBeDefined();
    expect(setting.default).toBeDefined();
    expect(['resource', 'language-overridable', 'window', 'application', 'machine']).toContain(
      setting.scope,
    );
    expect(localized(setting.markdownDescription ?? setting.description)).toMatch(/[.!]$/);
  });

  test.each(settings)('%s has as its default a value of its type', (_id, setting) => {
    const types = [setting.type].flat();
    const value = setting.default;
    const type =
      value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as string);
    expect(types.map(name => (name === 'integer' ? 'number' : name))).toContain(type);
  });

  test.each(settings.filter(([, setting]) => setting.enum !== undefined))(
    '%s describes each of its values',
    (_id, setting) => {
      const texts = setting.markdownEnumDescriptions ?? setting.enumDescriptions ?? [];
      expect(texts.map(localized).filter(text => text !== undefined)).toHaveLength(
        setting.enum?.length ?? 0,
      );
      expect(setting.enum).toContain(setting.default);
    },
  );

  test('has the default that the settings reader falls back to', () => {
    for (const [key, value] of Object.entries(defaults)) {
      const contributed = manifest.contributes.configuration.properties[prefix + key];
      expect(contributed?.default, key).toEqual(value);
    }
  });

  test('is read by the settings reader, and no other is', () => {
    const reader = editor.get('settings.ts') ?? '';
    const readByName = [...reader.matchAll(/\bread\('([\w.]+)'/g)].map(([, key]) => key);
    expect(settings.map(([id]) => id.slice(prefix.length)).sort()).toEqual(
      [...new Set([...Object.keys(defaults), ...readByName])].sort(),
    );
  });

  test('that switches a feature is a boolean, on unless it adds noise, and read by its feature', () => {
    const switches = settings.filter(([id]) => id.endsWith('.enabled'));
    const unread = switches.filter(([id, setting]) => {
      expect(setting.type, id).toBe('boolean');
      const key = `'${id.slice(prefix.length)}'`;
      return ![...editor].some(([file, text]) => file !== 'settings.ts' && text.includes(key));
    });
    expect(unread.map(([id]) => id)).toEqual([]);
  });

  test('that a surface of the design needs to be switched off is there', () => {
    const surfaces = [
      'hover',
      'notes',
      'problems',
      'codeLens',
      'outline',
      'folding',
      'inlayHints',
      'statusBar',
      'contentRecognition',
    ];
    expect(settings.map(([id]) => id)).toEqual(
      expect.arrayContaining(surfaces.map(surface => `${prefix}${surface}.enabled`)),
    );
  });
});

describe('every command', () => {
  test.each(commands)(
    '$command has the category SGLang and a title',
    ({ command, category, title }) => {
      expect(command.startsWith(prefix)).toBe(true);
      expect(category).toBe('SGLang');
      expect(localized(title)).toMatch(/^[A-Z]/);
      expect(localized(title)).not.toMatch(/SGLang|[.]$/);
    },
  );

  test('is one that is registered, and no other is', () => {
    const registered: string[] = [];
    const { registerCommands } = exportsOf('src/editor/commands.ts', {
      commands: { registerCommand: (id: string) => registered.push(id) },
      Disposable: { from: () => undefined },
    });
    (registerCommands as (bodies: () => unknown) => unknown)(() => ({}));
    expect(registered.sort()).toEqual(commands.map(({ command }) => command).sort());
  });

  test('of a menu exists, and each menu item that needs a log says so', () => {
    const ids = commands.map(({ command }) => command);
    for (const [menu, items] of Object.entries(manifest.contributes.menus ?? {})) {
      for (const { command, when } of items) {
        expect(ids, menu).toContain(command);
        expect(when, `${menu}: ${command}`).toBeTruthy();
      }
    }
  });

  test('that people are promised is there', () => {
    expect(commands.map(({ title }) => localized(title))).toEqual(
      expect.arrayContaining([
        'Evaluate KV Budget',
        'Compare Two Runs',
        'Explain Selection or Clipboard',
        'Copy Launch Flag',
        'Bind Log to Workspace',
      ]),
    );
  });
});

describe('the texts of the manifest', () => {
  const used = [...manifestText.matchAll(/"%([\w.-]+)%"/g)].flatMap(([, key]) => key ?? []);

  test('are all there, and none is left over', () => {
    expect(Object.keys(nls).sort()).toEqual([...new Set(used)].sort());
    expect(Object.values(nls).every(text => text.trim() !== '')).toBe(true);
  });

  test('have only known keys in every translation', () => {
    const translations = readdirSync(projectRoot).filter(name =>
      /^package\.nls\..+\.json$/.test(name),
    );
    for (const name of translations) {
      const texts = JSON.parse(readFileSync(path.join(projectRoot, name), 'utf8')) as object;
      expect(Object.keys(nls), name).toEqual(expect.arrayContaining(Object.keys(texts)));
    }
  });

  test('are the only texts of commands, settings and colours', () => {
    const texts = [
      ...commands.map(({ title }) => title),
      ...settings.map(([, setting]) => setting.markdownDescription ?? setting.description),
      ...colors.map(({ description }) => description),
    ];
    expect(texts.filter(text => localized(text) === undefined)).toEqual([]);
  });
});

/** Relative luminance of `#rrggbb`, as WCAG 2 defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** Editor backgrounds of the themes that VS Code comes with, by theme kind. */
const backgrounds = {
  dark: ['#1f1f1f', '#1e1e1e'],
  light: ['#ffffff'],
  highContrast: ['#000000'],
  highContrastLight: ['#ffffff'],
} as const;

describe('every colour', () => {
  test('that is contributed exists for the four kinds of theme', () => {
    expect(colors.length).toBeGreaterThan(0);
    for (const { id, defaults } of colors) {
      expect(id.startsWith(prefix)).toBe(true);
      expect(Object.keys(defaults).sort(), id).toEqual(Object.keys(backgrounds).sort());
    }
  });

  test.each(
    colors.flatMap(({ id, defaults }) =>
      Object.entries(backgrounds).flatMap(([kind, shades]) =>
        shades.map(shade => [id, kind, shade, defaults[kind] ?? '']),
      ),
    ),
  )('%s can be read in %s themes on %s', (_id, _kind, background, color) => {
    expect(color).toMatch(/^#[\da-f]{6}$/i);
    expect(contrast(color, background)).toBeGreaterThanOrEqual(4.5);
  });

  test('that code asks for is contributed, and the other way round', () => {
    const asked = [...editorText.matchAll(/ThemeColor\(\s*'(sglangKvLens\.\w+)'/g)];
    const byName = [...editorText.matchAll(/'(sglangKvLens\.\w*Foreground)'/g)];
    expect([...new Set([...asked, ...byName].map(([, id]) => id))].sort()).toEqual(
      colors.map(({ id }) => id).sort(),
    );
  });
});

describe('activation', () => {
  test('happens for languages and our reports only, each once, and never for everything', () => {
    const { activationEvents } = manifest;
    const known = /^onLanguage:\w+$|^onWebviewPanel:sglangKvLens\.report$/;
    expect(activationEvents.filter(event => !known.test(event))).toEqual([]);
    expect(new Set(activationEvents).size).toBe(activationEvents.length);
    expect(activationEvents).not.toContain('*');
  });

  test('leaves out what VS Code knows from the contributions', () => {
    const implied = manifest.contributes.languages.map(({ id }) => `onLanguage:${id}`);
    expect(manifest.activationEvents.filter(event => implied.includes(event))).toEqual([]);
    expect(manifestText).not.toMatch(/onCommand:|onStartupFinished/);
  });

  test('and contributions have nothing of a template in them', () => {
    const { activationEvents, contributes } = manifest;
    expect(JSON.stringify({ activationEvents, contributes })).not.toMatch(/typescript|helloworld/i);
  });

  test('never claims all logs', () => {
    for (const { extensions = [], filenamePatterns = [] } of manifest.contributes.languages) {
      expect(extensions).toEqual([]);
      expect(filenamePatterns.every(pattern => pattern.includes('sglang'))).toBe(true);
    }
  });
});

describe('the manifest', () => {
  test('names the product as the design does', () => {
    expect(manifest.name).toBe('sglang-kv-lens');
    expect(manifest.displayName).toBe('KV Lens for SGLang');
    expect(manifest.bin).toEqual({ kvlens: './dist/cli.js' });
  });

  test('supports the oldest editor that it is tested in, with types that are no newer', () => {
    expect(manifest.engines.vscode).toBe('^1.100.0');
    expect(manifest.devDependencies['@types/vscode']).toMatch(/^1\.(\d\d|100)\./);
  });

  test('works in Restricted Mode, in virtual workspaces, in the browser', () => {
    const { untrustedWorkspaces, virtualWorkspaces } = manifest.capabilities;
    expect(untrustedWorkspaces.supported).not.toBe(false);
    expect(virtualWorkspaces).not.toBe(false);
    expect(manifest.browser).toMatch(/^\.\/dist\/.+\.js$/);
    expect(manifest.main).not.toBe(manifest.browser);
  });

  test('bundles everything: nothing is installed beside it', () => {
    expect(manifest.dependencies ?? {}).toEqual({});
    expect(Object.values(manifest.devDependencies).every(version => /^\d/.test(version))).toBe(
      true,
    );
  });

  test('has an icon of 128 pixels or more', () => {
    const file = path.join(projectRoot, manifest.icon);
    expect(existsSync(file)).toBe(true);
    const header = readFileSync(file);
    expect(header.subarray(1, 4).toString()).toBe('PNG');
    expect(header.readUInt32BE(16)).toBeGreaterThanOrEqual(128);
    expect(header.readUInt32BE(20)).toBe(header.readUInt32BE(16));
  });
});
