/**
 * Carries bounds through the network, up by the interval rules and down by the backward rules, in
 * passes over the nodes that something moved, until nothing gains. Choices that are not decided
 * keep both branches open here; trying them apart is the work of solve.ts.
 */
import type { Interval } from '../units/interval';
import { enclose, hull, point } from '../units/interval';
import type { Bounds, Reason } from './bounds';
import { NoValueLeft } from './bounds';
import type { Network, Node, Selection } from './network';
import { operators } from './operator';

/** Goes up and down until nothing gains, at most this many times; then the bounds are as they are. */
export function propagate(network: Network, bounds: Bounds, maximumPasses: number): void {
  const nodes = [...network.nodes.entries()];
  const downward = nodes.toReversed();
  for (let pass = 0, isDone = false; pass < maximumPasses && !isDone; pass++) {
    isDone = true;
    for (const [at, node] of nodes) {
      if (bounds.takeRise(at)) {
        isDone = false;
        goUp(bounds, at, node);
      }
    }
    for (const [at, node] of downward) {
      const existence = bounds.existence(at);
      if (existence !== undefined && bounds.takeFall(at)) {
        isDone = false;
        goDown(bounds, at, node, existence);
      }
    }
  }
}

/** Whether a condition holds; undefined while it may or may not. */
function truthOf({ lo, hi }: Interval): boolean | undefined {
  return lo > 0 || hi < 0 ? true : lo === 0 && hi === 0 ? false : undefined;
}

/** The bounds of a condition once it is known to hold, or not to hold. */
export function supposed(truth: boolean, { lo, hi }: Interval): Interval {
  if (!truth) {
    return point(0);
  }
  return {
    lo: lo >= 0 ? Math.max(lo, Number.MIN_VALUE) : lo,
    hi: hi <= 0 ? Math.min(hi, -Number.MIN_VALUE) : hi,
  };
}

function because(bounds: Bounds, places: readonly number[], existence?: Reason): () => Reason {
  return () => {
    const from = places.flatMap(at => bounds.reasons(at));
    return { from: existence === undefined ? from : [...from, existence] };
  };
}

function goUp(bounds: Bounds, at: number, node: Node): void {
  const { term, operands, selection, constant } = node;
  if (constant !== undefined) {
    bounds.narrow(at, enclose(constant), () => ({ from: [] }), 0);
    return;
  }
  if (term.kind === 'operator') {
    const image = operators[term.operator].interval(operands.map(below => bounds.interval(below)));
    if (image !== undefined) {
      bounds.narrow(at, image, because(bounds, operands));
    } else if (bounds.existence(at) !== undefined) {
      throw new NoValueLeft(because(bounds, operands, bounds.existence(at))());
    }
  }
  if (selection !== undefined) {
    takeSelected(bounds, at, selection);
  }
}

function takeSelected(bounds: Bounds, at: number, selection: Selection): void {
  const { condition, whenTrue, whenFalse } = selection;
  const truth = truthOf(bounds.interval(condition));
  const [yes, no] = [bounds.interval(whenTrue), bounds.interval(whenFalse)];
  if (truth === undefined) {
    bounds.narrow(at, hull(yes, no), because(bounds, [whenTrue, whenFalse]));
  } else {
    bounds.narrow(at, truth ? yes : no, because(bounds, [condition, truth ? whenTrue : whenFalse]));
  }
}

/** Of a node that has a value; one that may not be computed says nothing of its operands. */
function goDown(bounds: Bounds, at: number, node: Node, existence: Reason): void {
  const { term, operands, selection, constant } = node;
  if (constant !== undefined) {
    return;
  }
  if (term.kind === 'operator') {
    const { backward, looksAtOwn } = operators[term.operator];
    for (const operand of operands) {
      bounds.require(operand, existence);
    }
    const below = operands.map(operand => bounds.interval(operand));
    for (const [place, allowed] of backward(bounds.interval(at), below).entries()) {
      const operand = operands[place];
      if (allowed !== undefined && operand !== undefined) {
        const others = looksAtOwn ? operands : operands.filter((_, other) => other !== place);
        bounds.narrow(operand, allowed, because(bounds, [at, ...others], existence));
      }
    }
  }
  if (selection !== undefined) {
    giveSelected(bounds, at, selection, existence);
  }
}

function giveSelected(bounds: Bounds, at: number, selection: Selection, existence: Reason) {
  const { condition, whenTrue, whenFalse } = selection;
  bounds.require(condition, existence);
  const truth = truthOf(bounds.interval(condition));
  const result = bounds.interval(at);
  if (truth !== undefined) {
    const branch = truth ? whenTrue : whenFalse;
    const taken = because(bounds, [condition], existence)();
    bounds.require(branch, taken);
    bounds.narrow(branch, result, because(bounds, [at], taken));
    return;
  }
  for (const [branch, isTaken] of [
    [whenTrue, false],
    [whenFalse, true],
  ] as const) {
    const { lo, hi } = bounds.interval(branch);
    if (lo > result.hi || hi < result.lo) {
      const allowed = supposed(isTaken, bounds.interval(condition));
      bounds.narrow(condition, allowed, because(bounds, [at, branch, condition], existence));
      return;
    }
  }
}
