/** Gives way while long work is done in the extension host, which all extensions share. */

/** Longest stretch of work without a pause, in milliseconds. */
const longestSliceMs = 8;

/** Counts the time since the last pause. */
export class Slices {
  #start = performance.now();

  /** Pauses when it is time to. */
  async pause(): Promise<void> {
    if (performance.now() - this.#start >= longestSliceMs) {
      await new Promise<void>(resolve => {
        setTimeout(resolve, 0);
      });
      this.#start = performance.now();
    }
  }
}
