/** Reads a model's config.json; says in one line why one gives no layout. */
import { readFile, stat } from 'node:fs/promises';
import type { GivenConfig } from '../core/account/runLayout';
import { refusalMessage } from '../core/model/modelMessages';
import { readModelLayout } from '../core/model/modelLayout';
import { shownPath, UsageError, word } from './output';

/** Larger files are no configs. */
const maximumBytes = 16 * 2 ** 20;

/** The layout of a config; throws UsageError with the key that is missing. */
export async function readConfig(path: string): Promise<GivenConfig> {
  const shown = shownPath(path);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    throw new UsageError(`${shown}: no such file`);
  }
  if (!found.isFile() || found.size > maximumBytes) {
    throw new UsageError(`${shown}: is no config.json; name the file of the model`);
  }
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) {
    throw new UsageError(`${shown}: cannot be opened; check its permissions`);
  }
  const read = readModelLayout(text);
  if (read.kind === 'refused') {
    throw new UsageError(`${shown}: ${word(refusalMessage(read.refusal))}`);
  }
  return { layout: read.value, name: path };
}

/** The option of a command that takes one. */
export async function optionalConfig(
  path: string | undefined,
): Promise<{ readonly config?: GivenConfig }> {
  return path === undefined ? {} : { config: await readConfig(path) };
}
