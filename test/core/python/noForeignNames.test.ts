/**
 * The interpreter knows Python and nothing of SGLang: its sources name no release, no file, no
 * function and no local of it. Those are data of another layer.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plainProfile } from '../../../src/core/sglang/source/plainProfile';
import { sourceInputs } from '../../../src/core/sglang/source/sourceInput';
import { sharedFile, withShared } from '../../corpus/sharedFile';

const root = join(import.meta.dirname, '..', '..', '..', 'src', 'core', 'python');
const sources = readdirSync(root).filter(name => name.endsWith('.ts'));

function words(text: string): string[] {
  return text.match(/[A-Za-z_]\w{3,}/g) ?? [];
}

/** Words of ordinary language that are part of such names as well. */
const ordinary = new Set(['value', 'length', 'number', 'parameter', 'argument', 'itemsize']);

function findings(forbidden: Iterable<string>): string[] {
  const names = new Set([...forbidden].filter(name => !ordinary.has(name)));
  return sources.flatMap(source =>
    words(readFileSync(join(root, source), 'utf8'))
      .filter(word => names.has(word))
      .map(word => `${source}: ${word}`),
  );
}

describe('the sources of the interpreter', () => {
  test('are there', () => {
    expect(sources.length).toBeGreaterThan(30);
  });

  test('name no release and not the project', () => {
    const found = sources.filter(source => {
      const text = readFileSync(join(root, source), 'utf8');
      return /sglang/i.test(text) || /\b0\.[1-9]\.\d+/.test(text);
    });
    expect(found).toEqual([]);
  });

  test('name nothing of the tables of inputs and of the plain profile', () => {
    const rows = [...sourceInputs, ...plainProfile];
    const reaches = rows.flatMap(row => row.reach).flatMap(words);
    const ids = sourceInputs.map(({ id }) => id).filter(id => id.includes('_'));
    expect(findings([...reaches.filter(word => word.includes('_')), ...ids])).toEqual([]);
  });
});

withShared(() => {
  test('name no file, function or local of the truth', () => {
    const names = ['profile', 'cell-size', 'pools'].flatMap(file => {
      const rows = JSON.parse(sharedFile(`truth/${file}.json`)) as readonly {
        readonly file: string;
        readonly function: string;
        readonly locals?: Readonly<Record<string, unknown>>;
      }[];
      return rows.flatMap(row => [
        ...words(row.file),
        ...words(row.function),
        ...Object.keys(row.locals ?? {}),
      ]);
    });
    expect(findings(names)).toEqual([]);
  });
});
