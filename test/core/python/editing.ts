/** Edits of a Python text, and all that is shown of it, for tests of what is kept from edit to edit. */
import type { FileAnnotations } from '../../../src/core/annotate/python/fileAnnotations';
import type { TextChange } from '../../../src/core/python/parser';

/** Everything that is shown, with hovers on letters so far apart. */
export function everythingShown(
  found: FileAnnotations | undefined,
  text: string,
  letters = 2,
): unknown {
  const hovers = text
    .split('\n')
    .flatMap((line, row) =>
      Array.from({ length: Math.ceil(line.length / letters) }, (_, at) =>
        found?.hoverAt(row, at * letters),
      ),
    );
  return {
    functions: found?.functions,
    annotations: found?.annotations,
    assumptions: found?.assumptions,
    hovers,
  };
}

/** The smallest change that makes one text of the other. */
export function changeOf(before: string, after: string): TextChange {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let behind = 0;
  const most = Math.min(before.length, after.length) - start;
  while (behind < most && before.at(-1 - behind) === after.at(-1 - behind)) behind++;
  return {
    start,
    oldEnd: before.length - behind,
    inserted: after.slice(start, after.length - behind),
  };
}
