/** What solving for a quantity says beside its value: why there is none, or what to mind. */
import type { Quantity } from '../units/quantity';

export interface SolveMessages {
  'solve.beyond-total': { total: Quantity; available: Quantity };
  'solve.contradiction': Record<string, never>;
  'solve.free-grows': { total: Quantity; available: Quantity };
  'solve.no-draft': Record<string, never>;
  'solve.no-equation': Record<string, never>;
  'solve.not-printed': Record<string, never>;
  'solve.no-end': Record<string, never>;
  'solve.no-fraction': Record<string, never>;
  'solve.no-host-pool': Record<string, never>;
  'solve.no-share': Record<string, never>;
  'solve.no-weights': Record<string, never>;
  'solve.no-window': Record<string, never>;
  'solve.one-replica': Record<string, never>;
  'solve.unlike-replicas': Record<string, never>;
}
