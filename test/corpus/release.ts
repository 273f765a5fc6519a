/**
 * Real SGLang releases for tests: fetched once from PyPI into the cache. In CI a release that cannot
 * be fetched fails; elsewhere its tests are skipped with the reason.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { fetchRelease } from '../../scripts/releases.mjs';
import type { GivenValue } from '../../src/core/annotate/python/pythonBindings';
import type { FileAnnotations } from '../../src/core/annotate/python/fileAnnotations';
import type { AnnotationRequest } from '../../src/core/annotate/python/pythonAnnotator';
import { PythonAnnotator } from '../../src/core/annotate/python/pythonAnnotator';
import { Unit, units } from '../../src/core/units/unit';
import { hasShared, sharedFile } from './sharedFile';
import { diskFiles, exactly, quantityValue, testParser } from '../core/python/python';

/** Folders of the releases that could be fetched. */
export async function fetchAll(versions: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const folders = new Map<string, string>();
  for (const version of versions) {
    try {
      folders.set(version, await fetchRelease(version));
    } catch (error) {
      if (process.env['CI'] === 'true') {
        throw error;
      }
      describe.skip(`needs sglang ${version} from PyPI, which cannot be fetched`, () => {
        test('skipped', () => undefined);
      });
    }
  }
  return folders;
}

/** Rows of a file of the shared truth; none where the material is not there. */
export function readTruth(file: string): unknown {
  return hasShared || process.env['CI'] === 'true' ? JSON.parse(sharedFile(`truth/${file}`)) : [];
}

/** A value of the truth files: `"61.9 GiB"`, a number, a flag or nothing. */
export type TruthInput = string | number | boolean | null;

/** As a person would give it. `none` and null are Python's None. */
export function givenValue(value: TruthInput): GivenValue {
  if (typeof value === 'boolean' || value === null || value === 'none') {
    return { kind: 'literal', value: typeof value === 'boolean' ? value : null };
  }
  const [, digits = '', unitName] = /^(\S+?)(?: (\S+))?$/.exec(String(value)) ?? [];
  const isWhole = /^-?\d+$/.test(digits);
  const unit = (unitName === undefined ? units.one : Unit.parse(unitName)) ?? units.one;
  return quantityValue(exactly(isWhole ? BigInt(digits) : Number(digits), unit));
}

export function givenValues(
  inputs: Readonly<Record<string, TruthInput>>,
): ReadonlyMap<string, GivenValue> {
  return new Map(Object.entries(inputs).map(([name, value]) => [name, givenValue(value)]));
}

const annotators = new Map<string, PythonAnnotator>();

/** Annotations of a file of a release, or of another text in its place. */
export async function annotateRelease(
  folder: string,
  file: string,
  request: Omit<AnnotationRequest, 'path' | 'text'> & { readonly text?: string },
): Promise<FileAnnotations> {
  let annotator = annotators.get(folder);
  if (annotator === undefined) {
    annotator = new PythonAnnotator(await testParser(), diskFiles);
    annotators.set(folder, annotator);
  }
  const path = join(folder, file);
  const { text = readFileSync(path, 'utf8'), ...rest } = request;
  const annotations = await annotator.annotate({ path, text, ...rest });
  if (annotations === undefined) {
    throw new Error('the annotation was cancelled');
  }
  return annotations;
}
