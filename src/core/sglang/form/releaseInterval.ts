/**
 * Which releases can have printed a log: the intersection of what its lines allow. Leaves out
 * where the ranges of the lines come from (the form tables).
 */

/** The releases that a log is compatible with. */
export type ReleaseInterval =
  /** No line tells. */
  | { readonly kind: 'unknown' }
  /** From one release to another, both inclusive; an open end is undefined. */
  | { readonly kind: 'range'; readonly from: string | undefined; readonly to: string | undefined }
  /**
   * Forms of different releases are mixed, as builds from the main branch do: a commit between
   * these two releases. Never a contradiction.
   */
  | { readonly kind: 'between'; readonly after: string; readonly before: string };
