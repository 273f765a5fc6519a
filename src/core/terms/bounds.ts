/**
 * The bounds of all nodes in one case, each end with the reason why it stands there, and the list
 * of what is left to look at. Leaves out how bounds follow from each other: that is propagate.ts.
 */
import type { Interval } from '../units/interval';
import { everything, tightenToIntegers } from '../units/interval';
import type { Fact } from './fact';
import type { Network } from './network';

/** Why a bound holds: a fact, or other bounds. Without either it holds by the formula alone. */
export interface Reason {
  readonly fact?: Fact;
  readonly from: readonly Reason[];
}

/** All facts that a reason rests on. */
export function factsBehind(reasons: Iterable<Reason>): ReadonlySet<Fact> {
  const facts = new Set<Fact>();
  const seen = new Set<Reason>();
  const waiting = [...reasons];
  for (let reason = waiting.pop(); reason !== undefined; reason = waiting.pop()) {
    if (!seen.has(reason)) {
      seen.add(reason);
      waiting.push(...reason.from);
      if (reason.fact !== undefined) {
        facts.add(reason.fact);
      }
    }
  }
  return facts;
}

/** Thrown inside the solver only, where a node has no value left. */
export class NoValueLeft extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super('no value left');
    this.reason = reason;
  }
}

/** A bound that would move by less than this share of its size stays where it is. */
const relativeGain = 1e-6;

/** What is known in one case. Bounds only ever get closer. */
export class Bounds {
  readonly #network: Network;
  #lo: Float64Array;
  #hi: Float64Array;
  #loReason: (Reason | undefined)[];
  #hiReason: (Reason | undefined)[];
  #isToRise: Uint8Array;
  #isToFall: Uint8Array;
  #existence: (Reason | undefined)[];

  constructor(network: Network) {
    const size = network.nodes.length;
    this.#network = network;
    this.#lo = new Float64Array(size).fill(-Infinity);
    this.#hi = new Float64Array(size).fill(Infinity);
    this.#loReason = new Array<undefined>(size).fill(undefined);
    this.#hiReason = new Array<undefined>(size).fill(undefined);
    this.#isToRise = new Uint8Array(size).fill(1);
    this.#isToFall = new Uint8Array(size);
    this.#existence = new Array<undefined>(size).fill(undefined);
  }

  /** The same bounds, to follow a supposition with. */
  copy(): Bounds {
    const copy = new Bounds(this.#network);
    copy.#lo = this.#lo.slice();
    copy.#hi = this.#hi.slice();
    copy.#loReason = [...this.#loReason];
    copy.#hiReason = [...this.#hiReason];
    copy.#isToRise = this.#isToRise.slice();
    copy.#isToFall = this.#isToFall.slice();
    copy.#existence = [...this.#existence];
    return copy;
  }

  interval(at: number): Interval {
    return { lo: this.#lo[at] ?? everything.lo, hi: this.#hi[at] ?? everything.hi };
  }

  reasons(at: number): Reason[] {
    const [lo, hi] = [this.#loReason[at], this.#hiReason[at]];
    return [...(lo ? [lo] : []), ...(hi && hi !== lo ? [hi] : [])];
  }

  /**
   * Why the node has a value: what has a value needs it, a fact speaks of it, or it was asked for.
   * Undefined in a branch that may not be taken, where Python would not compute it at all.
   */
  existence(at: number): Reason | undefined {
    return this.#existence[at];
  }

  /** Says that the node has a value; the first reason stays. */
  require(at: number, reason: Reason): void {
    if (this.#existence[at] === undefined) {
      this.#existence[at] = reason;
      this.#isToRise[at] = 1;
      this.#isToFall[at] = 1;
    }
  }

  /** True once after something below the node moved. */
  takeRise(at: number): boolean {
    const isToRise = this.#isToRise[at] === 1;
    this.#isToRise[at] = 0;
    return isToRise;
  }

  /** True once after the node or something beside it moved. */
  takeFall(at: number): boolean {
    const isToFall = this.#isToFall[at] === 1;
    this.#isToFall[at] = 0;
    return isToFall;
  }

  /**
   * Keeps of the node what `allowed` allows; throws NoValueLeft when that is nothing and the node
   * has a value. A bound that would gain less than `share` of its size, and pass no whole number,
   * stays, so that chasing ever smaller gains ends.
   */
  narrow(at: number, allowed: Interval, because: () => Reason, share = relativeGain): void {
    const isInteger = this.#network.nodes[at]?.integer === true;
    const tight = isInteger ? tightenToIntegers(allowed) : allowed;
    const { lo, hi } = this.interval(at);
    if (!tight || !(tight.lo <= tight.hi) || tight.lo > hi || tight.hi < lo) {
      if (this.#existence[at] === undefined) {
        return;
      }
      const against = tight && tight.lo > hi ? this.#hiReason[at] : this.#loReason[at];
      throw new NoValueLeft({ from: [because(), ...(against ? [against] : [])] });
    }
    const width = Math.min(hi, tight.hi) - Math.max(lo, tight.lo);
    const least = isInteger ? 0 : share;
    const isHigher = tight.lo > lo && isGain(lo, tight.lo, width, least);
    const isLower = tight.hi < hi && isGain(hi, tight.hi, width, least);
    if (!isHigher && !isLower) {
      return;
    }
    const reason = because();
    // `+ 0` takes the sign from a zero: bounds are real numbers.
    if (isHigher) {
      this.#lo[at] = tight.lo + 0;
      this.#loReason[at] = reason;
    }
    if (isLower) {
      this.#hi[at] = tight.hi + 0;
      this.#hiReason[at] = reason;
    }
    this.#isToFall[at] = 1;
    for (const user of this.#network.users[at] ?? []) {
      this.#isToRise[user] = 1;
      this.#isToFall[user] = 1;
    }
  }
}

/** Whether a bound moves by more than a share of its size, or of what is left between the bounds. */
function isGain(before: number, after: number, width: number, share: number): boolean {
  if (!Number.isFinite(before)) {
    return true;
  }
  const least = share * Math.min(Math.abs(before), width);
  return Math.abs(after - before) > least || passesWhole(before, after);
}

/** However small the step: beyond a whole number, floors and ceilings are others. */
function passesWhole(before: number, after: number): boolean {
  return Math.floor(before) !== Math.floor(after) || Math.ceil(before) !== Math.ceil(after);
}
