/** Where in a source file a log line is printed: found in the text, nothing is parsed for it. */

/** A function that a log line may come from. Both lines are 1-based. */
export interface EmittingPlace {
  /** The line of its `def`. */
  readonly definition: number;
  /** The line in it that has the words; undefined where it has none of them. */
  readonly words: number | undefined;
}

/** The 1-based line that prints the words inside the function, else the function's own line. */
export function emittingLine(
  text: string,
  qualifiedName: string,
  words: readonly string[],
): number | undefined {
  const place = emittingPlace(text, qualifiedName, words);
  return place?.words ?? place?.definition;
}

/** The function and the line in it that prints the words; undefined where there is no such function. */
export function emittingPlace(
  text: string,
  qualifiedName: string,
  words: readonly string[],
): EmittingPlace | undefined {
  const rows = text.split(/\r\n|\r|\n/);
  const start = definitionRow(rows, qualifiedName.split('.'));
  if (start === undefined) {
    return undefined;
  }
  const body = rows.slice(start, endRow(rows, start)).join('\n');
  const at = body.search(anyOf(words));
  return {
    definition: start + 1,
    words: at === -1 ? undefined : start + body.slice(0, at).split('\n').length,
  };
}

/** The innermost function around the first line that has the words in a call that prints them. */
export function placeOfWords(text: string, words: readonly string[]): EmittingPlace | undefined {
  const at = text.search(anyOf(words));
  if (at === -1) {
    return undefined;
  }
  const rows = text.slice(0, at).split(/\r\n|\r|\n/);
  if (!printing.test(rows.slice(-2).join('\n'))) {
    return undefined;
  }
  let indent = indentOf(rows.at(-1) ?? '');
  for (let row = rows.length - 2; row >= 0; row -= 1) {
    const line = rows[row] ?? '';
    if (line.trim() !== '' && indentOf(line) < indent) {
      indent = indentOf(line);
      if (/^\s*(?:async\s+)?def\s/.test(line)) {
        return { definition: row + 1, words: rows.length };
      }
    }
  }
  return undefined;
}

/** The call that a literal is the first argument of, up to the literal. */
const printing = /\b(?:print|log|\w+\.(?:debug|info|warning|error))\(\s*[fFrR]{0,2}["'][^"']*$/;

/** Finds the words although a literal is written in pieces, on lines of their own. */
function anyOf(words: readonly string[]): RegExp {
  const seam = '(?:["\']\\s*\\n\\s*[fFrR]{0,2}["\'])?';
  const written = words.map(word =>
    Array.from(word, letter => letter.replace(/[^\w\s]/, '\\$&')).join(seam),
  );
  return new RegExp(written.join('|'));
}

/** The first row behind a definition. */
function endRow(rows: readonly string[], start: number): number {
  const indent = indentOf(rows[start] ?? '');
  const length = rows
    .slice(start + 1)
    .findIndex(row => /^\s*(?:async\s+def|def|class|@)/.test(row) && indentOf(row) <= indent);
  return length === -1 ? rows.length : start + 1 + length;
}

/** The row of a definition inside those of the names before it. */
function definitionRow(rows: readonly string[], names: readonly string[]): number | undefined {
  let from = 0;
  let inside = -1;
  for (const name of names) {
    const pattern = new RegExp(`^\\s*(?:async\\s+def|def|class)\\s+${name}\\b`);
    const at = rows.findIndex(
      (row, index) => index >= from && pattern.test(row) && indentOf(row) > inside,
    );
    if (at === -1) {
      return undefined;
    }
    inside = indentOf(rows[at] ?? '');
    from = at + 1;
  }
  return from === 0 ? undefined : from - 1;
}

function indentOf(row: string): number {
  return row.length - row.trimStart().length;
}
