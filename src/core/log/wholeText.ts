/**
 * Keeps the bytes of a small text that starts like a JSON object, so that it can also be read as a
 * whole. Leaves out what it says.
 */

/** Larger texts are logs, not saved answers. */
const largestText = 4 << 20;

/** Takes the bytes of a text piece by piece. */
export class WholeText {
  #pieces: Uint8Array[] = [];
  #length = 0;
  #isObject: boolean | undefined;

  push(piece: Uint8Array): void {
    if (this.#isObject === false) {
      return;
    }
    this.#isObject ??= startsObject(piece);
    this.#length += piece.length;
    if (this.#length > largestText) {
      this.#isObject = false;
    }
    if (this.#isObject === false) {
      this.#pieces = [];
      return;
    }
    // The piece belongs to its source and may be overwritten.
    this.#pieces.push(piece.slice());
  }

  /** All of it; undefined where it is no object or too large. */
  get bytes(): Uint8Array | undefined {
    if (this.#isObject !== true) {
      return undefined;
    }
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }
}

/** Whether the first byte that is no blank opens an object; undefined where there is none. */
function startsObject(bytes: Uint8Array): boolean | undefined {
  const first = bytes.find(
    byte => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d,
  );
  return first === undefined ? undefined : first === 0x7b;
}
