/** What is dimmed of a function: only what no run with these values comes to. */
import { describe, expect, test } from 'vitest';
import { exactly, quantityValue, runPython } from './python';

const given = new Map([['big', quantityValue(exactly(8n))]]);

/** The code of the rows that are not taken, each row without its indentation. */
async function notTaken(body: string): Promise<readonly string[]> {
  const text = `def f(self, big, other):\n${body}`;
  const { trace } = await runPython(text, 'f', { expressions: given });
  const lines = text.split('\n');
  return trace.skipped.flatMap(({ row, endRow }) =>
    lines.slice(row, endRow + 1).map(line => line.trim()),
  );
}

describe('what is not taken', () => {
  const cases: Readonly<Record<string, readonly [body: string, rows: readonly string[]]>> = {
    'a branch that the values rule out': [
      '    if big > 9:\n        a = 1\n        b = 2\n    else:\n        c = 3\n    return big\n',
      ['a = 1', 'b = 2'],
    ],
    'the alternatives behind the one that is taken': [
      '    if big > 4:\n        a = 1\n    elif other:\n        b = 2\n    else:\n        c = 3\n',
      ['elif other:', 'b = 2', 'else:', 'c = 3'],
    ],
    'what stands behind a certain return': [
      '    if big > 4:\n        return 1\n    a = 2\n    return a\n',
      ['a = 2', 'return a'],
    ],
    'what stands behind a certain raise': [
      '    if big > 4:\n        raise ValueError("no")\n        c = 1\n    a = 2\n',
      ['c = 1', 'a = 2'],
    ],
    'what stands behind two ways out': [
      '    if other:\n        return 1\n    else:\n        raise ValueError("no")\n    a = 2\n',
      ['a = 2'],
    ],
    'nothing behind a return that may be': [
      '    if other:\n        return 1\n    a = 2\n    return a\n',
      [],
    ],
    'nothing of a branch that one round takes': [
      '    for at in range(big):\n        if at > 2:\n            a = 1\n        else:\n            b = 2\n',
      [],
    ],
    'nothing behind a round that goes on early': [
      '    for at in range(big):\n        if at == 0:\n            continue\n        a = at\n',
      [],
    ],
    'nothing in a loop over what is not known': [
      '    first = True\n    for at in other:\n        if first:\n            first = False\n        else:\n            b = 2\n',
      [],
    ],
    'nothing that runs when an unknown call raises': [
      '    try:\n        a = other.size()\n    except ValueError:\n        a = 1\n    return a\n',
      [],
    ],
  };

  test.each(Object.entries(cases))('is %s', async (_name, [body, rows]) => {
    expect(await notTaken(body)).toEqual(rows);
  });

  test('ends where a broken statement ends what is known', async () => {
    expect(await notTaken('    if big > 9:\n        a = 1\n    b = = 2\n    c = 3\n')).toEqual([
      'a = 1',
    ]);
  });
});
