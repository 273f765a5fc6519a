/** Where in a source file a log line is printed: found in the text, nothing is parsed for it. */

/** The 1-based line that prints the words inside the function, else the function's own line. */
export function emittingLine(
  text: string,
  qualifiedName: string,
  words: readonly string[],
): number | undefined {
  const rows = text.split(/\r\n|\r|\n/);
  const start = definitionRow(rows, qualifiedName.split('.'));
  if (start === undefined) {
    return undefined;
  }
  const indent = indentOf(rows[start] ?? '');
  const length = rows
    .slice(start + 1)
    .findIndex(row => /^\s*(?:async\s+def|def|class|@)/.test(row) && indentOf(row) <= indent);
  const end = length === -1 ? rows.length : start + 1 + length;
  const found = rows.findIndex(
    (row, at) => at > start && at < end && words.some(word => row.includes(word)),
  );
  return (found === -1 ? start : found) + 1;
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
