/** What package.json declares, as far as the tests look at it, and where the project stands. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The folder of package.json. */
export const projectRoot = path.join(import.meta.dirname, '../..');

export interface CommandContribution {
  readonly command: string;
  readonly title: string;
  readonly category?: string;
}

export interface SettingContribution {
  readonly type: string | readonly string[];
  readonly default?: unknown;
  readonly scope?: string;
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly enum?: readonly unknown[];
  readonly enumDescriptions?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
}

export interface ColorContribution {
  readonly id: string;
  readonly description: string;
  readonly defaults: Readonly<Record<string, string | undefined>>;
}

export interface MenuItem {
  readonly command?: string;
  readonly when?: string;
}

export interface Manifest {
  readonly name: string;
  readonly displayName: string;
  readonly main: string;
  readonly browser: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly icon: string;
  readonly engines: { readonly vscode: string };
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: boolean | 'limited' };
    readonly virtualWorkspaces: boolean | { readonly supported: boolean | 'limited' };
  };
  readonly activationEvents: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly CommandContribution[];
    readonly menus?: Readonly<Record<string, readonly MenuItem[]>>;
    readonly configuration: {
      readonly properties: Readonly<Record<string, SettingContribution>>;
    };
    readonly colors: readonly ColorContribution[];
    readonly languages: readonly {
      readonly id: string;
      readonly filenamePatterns?: readonly string[];
      readonly extensions?: readonly string[];
    }[];
  };
}

export const manifestText = readFileSync(path.join(projectRoot, 'package.json'), 'utf8');
export const manifest = JSON.parse(manifestText) as Manifest;
export const { commands, colors } = manifest.contributes;
export const settings = Object.entries(manifest.contributes.configuration.properties);

/** Texts behind the `%key%`s of the manifest. */
export const nls = JSON.parse(
  readFileSync(path.join(projectRoot, 'package.nls.json'), 'utf8'),
) as Readonly<Record<string, string>>;

/** The text that a `%key%` stands for; undefined where it is no key or the key has no text. */
export function localized(text: string | undefined): string | undefined {
  const key = /^%([\w.-]+)%$/.exec(text ?? '')?.[1];
  return key === undefined ? undefined : nls[key];
}

/** The TypeScript files below a folder of the project, with their text. */
export function sourceFiles(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' });
  return new Map(
    names
      .filter(name => name.endsWith('.ts'))
      .map(name => [name, readFileSync(path.join(projectRoot, folder, name), 'utf8')] as const),
  );
}
