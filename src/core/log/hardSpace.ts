/**
 * No-break spaces (U+00A0) where a log has plain ones: text that was copied from a page or a chat has
 * them. Leaves out other kinds of spaces.
 */

/** U+00A0 in UTF-8. */
const [lead, trail] = [0xc2, 0xa0];

/** The bytes of the range with plain spaces instead; undefined where it holds none of the other. */
export function withPlainSpaces(
  bytes: Uint8Array,
  start: number,
  end: number,
): Uint8Array | undefined {
  let index = start;
  while (index < end && !isHardSpace(bytes, index, end)) {
    index += 1;
  }
  if (index === end) {
    return undefined;
  }
  const plain = bytes.slice(start, end);
  let length = index - start;
  for (; index < end; index += 1, length += 1) {
    const isHard = isHardSpace(bytes, index, end);
    plain[length] = isHard ? 0x20 : (bytes[index] ?? 0);
    index += isHard ? 1 : 0;
  }
  return plain.subarray(0, length);
}

function isHardSpace(bytes: Uint8Array, index: number, end: number): boolean {
  return bytes[index] === lead && index + 1 < end && bytes[index + 1] === trail;
}
