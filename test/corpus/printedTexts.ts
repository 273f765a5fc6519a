/**
 * What files of the newest releases print, by their syntax trees. Leaves out which of it is about
 * memory. The catalogue of the shared material ends before these releases.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fetchAll } from './release';

/** Releases after those of the catalogue. */
export const newestReleases = ['0.5.19', '0.5.20', '0.5.21', '0.5.22', '0.5.23'] as const;

/** A text that a function of a release prints or raises. */
export interface PrintedText {
  readonly release: string;
  readonly emitter: string;
  /** `raise`, `=` of a text that is put together first, or the name of what prints it. */
  readonly kind: string;
  /** With `%s`, `%d` or `%.2f` for what is filled in. */
  readonly template: string;
}

/** The texts of files below `sglang/srt`; a release that cannot be fetched has none outside of CI. */
export async function printedTexts(
  releases: readonly string[],
  files: readonly string[],
): Promise<readonly PrintedText[]> {
  const folders = await fetchAll(releases);
  const output = execFileSync('python3', [join(import.meta.dirname, 'printedTexts.py')], {
    input: JSON.stringify({
      folders: Object.fromEntries(folders),
      files: [...new Set(files)].sort(),
    }),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return output
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as PrintedText);
}
