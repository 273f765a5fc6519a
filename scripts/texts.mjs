// Writes l10n/bundle.l10n.json: every English text that the editor translates, for translators to
// start from. It is not shipped. A test holds the file against the tables of src/wording.
// Usage: node scripts/texts.mjs

import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { projectRoot } from './projectRoot.mjs';

/** Tables whose values are symbols of formulas, the same in every language. */
const notTranslated = new Set(['symbolNames']);

/** The file with every text. */
export const textsFile = path.join(projectRoot, 'l10n', 'bundle.l10n.json');

/** Every text of the tables that the modules of src/wording export, as the file holds them. */
export async function translatableTexts() {
  const folder = path.join(projectRoot, 'src', 'wording');
  const names = (await readdir(folder)).filter(name => name.endsWith('.ts')).sort();
  const bundled = await esbuild.build({
    stdin: {
      contents: names
        .map((name, index) => `export * as m${index} from './${name.replace(/\.ts$/, '')}';`)
        .join('\n'),
      resolveDir: folder,
    },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const code = Buffer.from(bundled.outputFiles[0].contents).toString('base64');
  const modules = await import(`data:text/javascript;base64,${code}`);
  const texts = Object.values(modules)
    .flatMap(module => Object.entries(module))
    .filter(([name, table]) => !notTranslated.has(name) && isTable(table))
    .flatMap(([, table]) => Object.values(table))
    .filter(text => /[A-Za-z]{2}/.test(text.replaceAll(/\{\w+\}/g, '')));
  const sorted = [...new Set(texts)].sort();
  return `${JSON.stringify(Object.fromEntries(sorted.map(text => [text, text])), null, 2)}\n`;
}

function isTable(value) {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(text => typeof text === 'string')
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await writeFile(textsFile, await translatableTexts());
}
