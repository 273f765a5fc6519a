/**
 * Which graphs a capture line is about. Releases up to 0.5.13 say it in the words of the line, later
 * ones as worker and stage; a line that says neither is the target's decoding.
 */
import type { LogRecord } from '../log/record';

/** The kind of graph of a capture: the worker and what its graphs run. */
export type GraphKind =
  'target' | 'draft' | 'draft-extend' | 'prefill' | 'verify' | 'draft-prefill' | 'draft-verify';

/** The kind of graph that a capture line is about. */
export function graphKindOf({ form, words }: LogRecord): GraphKind {
  const kind = words['kind'];
  if (kind !== undefined) {
    const [worker, stage] = kind.split(' ');
    const isDraft = worker === 'draft';
    switch (stage) {
      case 'extend':
        return 'draft-extend';
      case 'prefill':
        return isDraft ? 'draft-prefill' : 'prefill';
      case 'verify':
        return isDraft ? 'draft-verify' : 'verify';
      default:
        return isDraft ? 'draft' : 'target';
    }
  }
  if (words['extend'] !== undefined || form.id === 'graph-single-extend') {
    return 'draft-extend';
  }
  if (words['draft'] !== undefined) {
    return 'draft';
  }
  return words['piecewise'] === undefined ? 'target' : 'prefill';
}
