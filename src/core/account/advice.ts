/**
 * Which fraction to set. The floor is never the fix: a value is offered only if it holds a stated
 * need and leaves what graphs, the request table and activations take. Where there is none, the
 * levers are listed with what each is worth.
 */
import type { Run } from '../log/run';
import { reserveOf } from '../model/reserve';
import { budgetTerms } from '../sglang/budgetFormula';
import { derive } from '../terms/derive';
import type { Solution } from '../terms/solve';
import { givenQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { flagName, requestsFlag, slotsFlag } from './offeredFlag';
import type { RankFigures } from './rankFigures';
import type { SizingReason } from './sizingReason';
import type { WhatIf, WhatIfRow } from './whatIf';

/** What the pool is to hold. */
export interface Need {
  readonly tokens: Quantity;
  /**
   * `request`: one full-length request. `given`: asked for. `limit`: as the run limits its tokens.
   * `other-run`: what that run got.
   */
  readonly kind: 'request' | 'given' | 'limit' | 'other-run';
  /** So many tokens pass for `tokens`, where less than that is sampling noise. */
  readonly enough?: number;
}

/** Another flag than f, and what it is worth. */
export interface Lever {
  readonly id: 'request-table' | 'kv-dtype' | 'context-length' | 'graphs' | 'state-slots';
  readonly gain: Quantity;
  readonly flag: string;
}

/** Why no value is offered. */
export type NoAdviceReason =
  | 'formula-owner'
  | 'host-memory'
  /** So much free memory has no card, but a machine whose GPU shares the memory of the host. */
  | 'maybe-host-memory'
  | 'memory-saver'
  | 'state-pool'
  /** A reservation or a state pool that the log does not show takes the budget first. */
  | 'hidden-reserve'
  /** Memory came back while the server started: the figures of this start are not the card's. */
  | 'shared-card'
  /** A trainer shares the card and takes and gives memory. */
  | 'training'
  | SizingReason
  /** The release would set no larger one by itself. */
  | 'kept-by-release'
  | 'inputs-missing'
  | 'need-does-not-fit';

/** The recommendation: a value with what it gives, or why there is none and what else helps. */
export type Advice =
  | {
      readonly kind: 'fraction';
      readonly row: WhatIfRow;
      readonly need: Need | undefined;
      /** A need of which nothing tells whether the pool holds it: bytes per token are unknown. */
      readonly openNeed: Need | undefined;
      readonly isMeasured: boolean;
      /** GiB that stay free beside the pool: activations, and costs that were not measured. */
      readonly reserve: Quantity;
      /** True where the release's own fraction bounds it, and not the reserve. */
      readonly isOwn?: boolean;
      /** The release's own fraction, where a start that failed is offered that or more. */
      readonly own?: Quantity;
      /** The flag to paste, with the multiplier of the release divided out. */
      readonly flag: string;
    }
  | {
      readonly kind: 'none';
      readonly reason: NoAdviceReason;
      readonly need: Need | undefined;
      readonly reserve?: Quantity;
      readonly levers: readonly Lever[];
    };

/** Costs outside the budget, in GiB, where a log shows them. */
export interface OutsideCosts {
  /** Whose flags are offered; undefined for a budget that was typed. */
  readonly run: Run | undefined;
  readonly requestTable: Quantity | undefined;
  readonly graphs: Quantity | undefined;
}

/** GiB below which a pool is none to offer, whatever a request needs. */
const leastPoolGiB = 0.25;

/** A value beyond which none is offered to type where a release lowers it: another one may not. */
const mostMultiplied = 0.96;

/** A floor that is not known closer than this is a bound on one side only. */
const openFloor = 0.05;

/**
 * Offers the smallest hundredth (else thousandth) that holds the need and leaves the reserve. Without
 * a need, or where bytes per token are unknown, the largest that leaves the reserve. Tried are values to
 * type, which the release multiplies by `factor`; rows hold what the budget then uses.
 */
export function adviseFraction(
  whatIf: WhatIf,
  solution: Solution,
  costs: OutsideCosts,
  stated: Need | undefined,
  factor = 1,
): Advice {
  const isCellKnown = Number.isFinite(solution.intervalOf(budgetTerms.cell)?.hi);
  const need = isCellKnown ? stated : undefined;
  const openNeed = isCellKnown ? undefined : stated;
  const isMeasured = costs.graphs !== undefined && costs.requestTable !== undefined;
  const minimum = solution.intervalOf(budgetTerms.minimum);
  if (
    minimum === undefined ||
    minimum.hi - minimum.lo > openFloor ||
    !tellsWhatIsLeft(whatIf, minimum.hi)
  ) {
    return { kind: 'none', reason: 'inputs-missing', need: stated, levers: [] };
  }
  const reserve = reserveOf(solution.quantityOf(budgetTerms.total), isMeasured);
  const isEnough = (row: WhatIfRow): boolean =>
    need === undefined
      ? (row.pool?.interval.hi ?? 0) >= leastPoolGiB
      : (row.tokens?.interval.lo ?? 0) >= (need.enough ?? need.tokens.interval.hi);
  const leavesReserve = (row: WhatIfRow): boolean =>
    (row.left?.interval.lo ?? -Infinity) >= reserve.interval.hi;
  for (const step of [100, 1000]) {
    const rowAt = (count: number): WhatIfRow => whatIf.row(fractionOf((count / step) * factor));
    const first = Math.max(1, Math.floor((minimum.hi / factor) * step) + 1);
    const count =
      need === undefined
        ? lastCount(first, Math.floor(step * (factor < 1 ? mostMultiplied : 1)) - 1, tried =>
            leavesReserve(rowAt(tried)),
          )
        : firstCount(first, step - 1, tried => isEnough(rowAt(tried)));
    const row = count === undefined ? undefined : rowAt(count);
    if (count !== undefined && row !== undefined && isEnough(row) && leavesReserve(row)) {
      const flag = `--mem-fraction-static ${count / step}`;
      return { kind: 'fraction', row, need, openNeed, isMeasured, reserve, flag };
    }
  }
  return {
    kind: 'none',
    reason: 'need-does-not-fit',
    need,
    reserve,
    levers: leversOf(solution, costs, need),
  };
}

/** False where no value above the floor says what it leaves: then none can be found wanting. */
function tellsWhatIsLeft(whatIf: WhatIf, floor: number): boolean {
  return floor >= 1 || whatIf.row(fractionOf((1 + floor) / 2)).left !== undefined;
}

/** The first count from which the condition holds (tokens only grow with f). */
function firstCount(
  first: number,
  last: number,
  holds: (count: number) => boolean,
): number | undefined {
  let [low, high] = [first, last];
  let found: number | undefined;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) {
      found = middle;
      high = middle - 1;
    } else {
      low = middle + 1;
    }
  }
  return found;
}

/** The last count up to which the condition holds (what is left only shrinks with f). */
function lastCount(
  first: number,
  last: number,
  holds: (count: number) => boolean,
): number | undefined {
  const beyond = firstCount(first, last, count => !holds(count)) ?? last + 1;
  return beyond > first ? beyond - 1 : undefined;
}

/** A fraction to try, as a quantity. */
export function fractionOf(value: number): Quantity {
  return givenQuantity(value, units.one, 'f');
}

/** Rows that show how f moves everything: floor, present value, offer, and steps between. */
export function fractionTable(
  whatIf: WhatIf,
  minimum: Quantity | undefined,
  marks: readonly number[],
): WhatIfRow[] {
  const floor = minimum?.interval.hi;
  if (floor === undefined || !Number.isFinite(floor)) {
    return [];
  }
  const first = Math.max(1, Math.floor(floor * 100) + 1);
  const step = Math.max(1, Math.round((99 - first) / 8));
  const values = new Set(marks.filter(mark => mark > 0 && mark < 1));
  for (let hundredth = first; hundredth <= 97; hundredth += step) {
    values.add(hundredth / 100);
  }
  return [...values].sort((a, b) => a - b).map(value => whatIf.row(fractionOf(value)));
}

/** A state pool below this gives nothing worth a flag. */
const leastStateGiB = 1;

/** Rows of the request table that serve most deployments. */
const modestRows = 256;

/** What other flags are worth; with a need also what a smaller KV dtype saves on it. */
export function leversOf(solution: Solution, costs: OutsideCosts, need: Need | undefined): Lever[] {
  const levers: Lever[] = [];
  const rows = solution.intervalOf(budgetTerms.rows)?.lo;
  if (costs.requestTable && rows !== undefined && rows > modestRows) {
    const gain = derive(`table - table * ${modestRows} / rows`, {
      table: costs.requestTable,
      rows: givenQuantity(rows, units.one, 'rows'),
    });
    const flag = costs.run && requestsFlag(costs.run, modestRows);
    if (gain && flag) {
      levers.push({ id: 'request-table', gain, flag });
    }
  }
  const cell = solution.quantityOf(budgetTerms.cell);
  const poolOfNeed = need && cell && derive('tokens * cell / 2**30', { tokens: need.tokens, cell });
  const halved = poolOfNeed && derive('pool / 2', { pool: poolOfNeed });
  const release = costs.run?.release ?? { kind: 'unknown' };
  const [fp8, graphs] = [flagName('fp8', release), flagName('graphs', release)];
  if (halved && fp8) {
    levers.push({ id: 'kv-dtype', gain: halved, flag: fp8 });
  }
  if (costs.graphs && graphs) {
    levers.push({ id: 'graphs', gain: costs.graphs, flag: graphs });
  }
  return levers;
}

/** Slots of state fewer by an eighth, with the tokens held where they are. */
export function stateLevers(run: Run, rank: RankFigures | undefined): Lever[] {
  const state = rank?.statePool?.quantity;
  const slots = rank?.stateSlots?.quantity.interval.lo ?? 0;
  const tokens = rank?.kvPool?.tokens?.quantity.interval.lo;
  const fewer = Math.floor(slots / 8);
  if (state === undefined || fewer < 1 || state.interval.lo < leastStateGiB) {
    return [];
  }
  const gain = derive(`state * ${fewer} / slots`, {
    state,
    slots: givenQuantity(slots, units.one, 'slots'),
  });
  const hold = tokens === undefined ? '' : ` --max-total-tokens ${tokens}`;
  const flag = slotsFlag(run, slots - fewer);
  return gain && flag ? [{ id: 'state-slots', gain, flag: `${flag}${hold}` }] : [];
}
