/**
 * Finds line ends that end a statement. The parser takes a line end for a blank wherever the grammar
 * wants more, so `x = a -` and the next line become one expression that Python would refuse.
 */

const opening = '([{';
const closing = ')]}';

/**
 * True when a line end in the text is outside brackets and strings and not escaped: Python would end
 * the statement there.
 */
export function hasLooseLineEnd(text: string): boolean {
  return looseOffset(text, '\n') !== undefined;
}

/** Offset behind the colon that ends the header of a compound statement; undefined without one. */
export function headerEnd(text: string): number | undefined {
  const colon = looseOffset(text, ':');
  return colon === undefined ? undefined : colon + 1;
}

/** Offset of the first such letter outside brackets, strings and comments that is not escaped. */
function looseOffset(text: string, wanted: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === '"' || letter === "'") {
      at = stringEnd(text, at);
    } else if (letter === '#') {
      at = lineEnd(text, at) - 1;
    } else if (letter === '\\') {
      at += text.startsWith('\r\n', at + 1) ? 2 : 1;
    } else if (opening.includes(letter)) {
      depth++;
    } else if (closing.includes(letter)) {
      depth--;
    } else if (letter === wanted && depth === 0) {
      return at;
    }
  }
  return undefined;
}

/** Offset of the last letter of the string literal that begins at `start`. */
function stringEnd(text: string, start: number): number {
  const quote = text.charAt(start);
  const isTriple = text.startsWith(quote.repeat(3), start);
  const end = isTriple ? quote.repeat(3) : quote;
  for (let at = start + end.length; at < text.length; at++) {
    if (text.charAt(at) === '\\') {
      at++;
    } else if (text.startsWith(end, at)) {
      return at + end.length - 1;
    }
  }
  return text.length;
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at;
}
