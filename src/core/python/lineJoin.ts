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
    } else if (letter === '\n' && depth === 0) {
      return true;
    }
  }
  return false;
}

/** Offset behind the colon that ends the header of a compound statement; undefined without one. */
export function headerEnd(text: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === '"' || letter === "'") {
      at = stringEnd(text, at);
    } else if (letter === '#') {
      at = lineEnd(text, at) - 1;
    } else if (opening.includes(letter)) {
      depth++;
    } else if (closing.includes(letter)) {
      depth--;
    } else if (letter === ':' && depth === 0) {
      return at + 1;
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
