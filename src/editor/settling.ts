/** A wait that somebody else ends. */

/** Parts of an entry that others wait for. */
export interface Settling {
  /** Settles when what is due is done, or will never be. */
  settled: Promise<void>;
  settle: () => void;
}

/** A new wait. */
export function settling(): Settling {
  let settle: () => void = () => undefined;
  const settled = new Promise<void>(resolve => {
    settle = resolve;
  });
  return { settled, settle };
}
