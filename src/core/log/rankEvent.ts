/** What each rank prints of the memory of its own device while it starts. */
import type { FormEvent } from '../sglang/form/lineForm';

export const rankEvents: readonly FormEvent[] = [
  'init-begin',
  'init-end',
  'load-begin',
  'load-end',
  'sizing',
  'pool',
  'pool-end',
  'capture-begin',
  'capture-end',
  'summary',
];
