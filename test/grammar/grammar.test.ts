/** The grammars: written from the table of line forms, and what they make of the seed logs. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { grammarFiles } from '../../scripts/grammar.mjs';
import { readLogText } from '../../src/core/log/readLog';
import { lineForms } from '../../src/core/sglang/form/lineForms';
import type { ScopedPiece } from './tokens';
import { loadGrammar, scopeOf, tokenise } from './tokens';

const own = 'text.sglang-log';
const foreign = 'text.log';

function sample(name: string): { readonly text: string; readonly lines: readonly string[] } {
  const text = readFileSync(new URL(`../../sample/${name}`, import.meta.url), 'utf8');
  return { text, lines: text.split(/\r\n|\r|\n/) };
}

async function piecesOf(scope: string, line: string): Promise<ScopedPiece[]> {
  return tokenise(await loadGrammar(scope), [line])[0]!;
}

function scopesAt(pieces: readonly ScopedPiece[], column: number): readonly string[] {
  return pieces.find(({ start, end }) => start <= column && column < end)?.scopes ?? [];
}

describe('The grammar files', () => {
  it('are what the table of line forms makes (node scripts/grammar.mjs)', async () => {
    for (const [name, text] of Object.entries(await grammarFiles(lineForms))) {
      const file = readFileSync(new URL(`../../syntaxes/${name}`, import.meta.url), 'utf8');
      expect(file, name).toBe(text);
    }
  });

  it('name only scopes that themes colour', () => {
    for (const name of readdirSync(new URL('../../syntaxes/', import.meta.url))) {
      const file = readFileSync(new URL(`../../syntaxes/${name}`, import.meta.url), 'utf8');
      for (const [, scope] of file.matchAll(/"name": "([^"]+)\.sglang-log"/g)) {
        expect(scope).toMatch(
          /^(?:comment|constant|entity|invalid|keyword|markup|meta|punctuation|string|variable)\./,
        );
      }
    }
  });
});

describe('In our own language', () => {
  it.each(['seed-failing.log', 'seed-baseline.log', 'seed-baseline-k8s-ansi.log'])(
    'every printed amount of memory of %s is a memory quantity',
    async name => {
      const { text, lines } = sample(name);
      const tokens = tokenise(await loadGrammar(own), lines);
      let count = 0;
      for (const record of readLogText(text).records) {
        for (const field of Object.values(record.fields)) {
          if (field?.unit === 'GiB') {
            const scopes = scopesAt(tokens[field.line - 1]!, field.start);
            expect(scopes, lines[field.line - 1]).toContain('constant.numeric.memory.sglang-log');
            count += 1;
          }
        }
      }
      expect(count).toBeGreaterThan(50);
    },
  );

  it('a line has its time, its rank, its message and its quantities with their units', async () => {
    const line =
      '[2026-02-27 10:12:30 TP5] Memory pool end. avail mem=9.22 GB took 3.50 s, 12 MiB over';
    const pieces = await piecesOf(own, line);
    const scope = (text: string) => scopeOf(pieces, text)?.replace('.sglang-log', '');
    expect(scope('2026-02-27 10:12:30')).toBe('comment.block.timestamp');
    expect(scope(' TP5')).toBe('entity.name.tag.rank');
    expect(scope('Memory pool end.')).toBe('entity.name.function.pools');
    expect(scope('avail mem')).toBe('variable.parameter');
    expect(scope('9.22')).toBe('constant.numeric.memory');
    expect(scope('GB')).toBe('keyword.other.unit.memory');
    expect(scope('3.50')).toBe('constant.numeric.duration');
    expect(scope('12')).toBe('constant.numeric.memory');
    expect(scope('MiB')).toBe('keyword.other.unit.memory');
  });

  it('the debug line, the error, the summary and the ready line have scopes of their own', async () => {
    const debug = await piecesOf(own, sample('seed-failing.log').lines[36]!);
    expect(scopeOf(debug, '-20.603')).toBe('constant.numeric.memory.sglang-log');
    expect(scopeOf(debug, '0.55')).toBe('constant.numeric.fraction.sglang-log');
    expect(scopeOf(debug, '-314811')).toBe('constant.numeric.count.sglang-log');
    const error = await piecesOf(
      own,
      'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.',
    );
    expect(scopeOf(error, 'RuntimeError')).toBe('invalid.illegal.exception.sglang-log');
    expect(scopeOf(error, 'Please try to increase --mem-fraction-static')).toBe(
      'invalid.illegal.error.sglang-log',
    );
    const baseline = sample('seed-baseline.log').lines;
    const summary = baseline.find(line => line.includes('max_total_num_tokens='))!;
    expect(scopeOf(await piecesOf(own, summary), '159287')).toBe(
      'constant.numeric.count.sglang-log',
    );
    const ready = baseline.find(line => line.includes('ready to roll'))!;
    expect(scopeOf(await piecesOf(own, ready), 'The server is fired up and ready to roll')).toBe(
      'markup.inserted.ready.sglang-log',
    );
  });

  it('a word that releases write with a large and a small letter is coloured whole', async () => {
    for (const line of ['Load weight begin. avail mem=1.00 GB', 'load weight begin.']) {
      const [first] = await piecesOf(own, line);
      expect(first?.text).toMatch(/^[Ll]oad weight begin$/);
      expect(first?.scopes.at(-1)).toBe('entity.name.function.weights.sglang-log');
    }
  });

  it('a frame of a traceback shows its file and line', async () => {
    const pieces = await piecesOf(own, '  File "/opt/a/b.py", line 31, in run');
    expect(scopeOf(pieces, '"/opt/a/b.py"')).toBe('string.quoted.double.path.sglang-log');
    expect(scopeOf(pieces, '31')).toBe('constant.numeric.line.sglang-log');
  });

  it('a word that merely contains a unit is no quantity', async () => {
    const pieces = await piecesOf(own, 'v1.5GBx and 12Bold and 3.1.4 GB');
    expect(pieces.flatMap(({ scopes }) => scopes)).not.toContain(
      'constant.numeric.memory.sglang-log',
    );
  });
});

describe('Injected into the editor’s own language of logs', () => {
  it('a message of an SGLang server is coloured from its first word on', async () => {
    const line = '[2026-02-27 10:12:30 TP5] Memory pool end. avail mem=9.22 GB';
    const pieces = await piecesOf(foreign, line);
    expect(scopeOf(pieces, '[2026-02-27 10:12:30 TP5] ')).toBe(foreign);
    expect(scopeOf(pieces, 'Memory pool end.')).toBe('entity.name.function.pools.sglang-log');
    expect(scopeOf(pieces, '9.22')).toBe('constant.numeric.memory.sglang-log');
  });

  it('the summary line is coloured although it begins with the name of a value', async () => {
    const pieces = await piecesOf(foreign, '[10:12:54] max_total_num_tokens=159287, x=1');
    expect(scopeOf(pieces, 'max_total_num_tokens')).toBe('variable.parameter.sglang-log');
    expect(scopeOf(pieces, '159287')).toBe('constant.numeric.count.sglang-log');
  });

  it('lines of other programs stay as they are', async () => {
    const lines = [
      '2026-02-27 10:12:30 nginx[12]: "GET / HTTP/1.1" 200 size=12 MB took 3.50 s',
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB',
      'INFO: GPU KV cache size: 12,345 tokens',
      'RuntimeError: something else=3 GB',
    ];
    const tokens = tokenise(await loadGrammar(foreign), lines);
    expect(tokens.flat().flatMap(({ scopes }) => scopes)).toEqual(lines.map(() => foreign));
  });

  it('a message ends at the end of its line', async () => {
    const tokens = tokenise(await loadGrammar(foreign), [
      'Memory pool end. avail mem=9.22 GB',
      'free 9.22 GB',
    ]);
    expect(tokens[1]!.flatMap(({ scopes }) => scopes)).toEqual([foreign]);
  });
});
