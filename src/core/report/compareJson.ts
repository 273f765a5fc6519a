/** A comparison as JSON: what moved with its share, what did not, what each would get as the other. */
import { needMessage } from '../account/accountCure';
import type { Advice } from '../account/advice';
import type { ComparedInput, Comparison } from '../account/compare';
import { movedInputs } from '../account/compare';
import type { WhatIfRow } from '../account/whatIf';
import type { Wording } from './quantityJson';
import { quantityJson } from './quantityJson';

function inputJson({ id, a, b, share }: ComparedInput) {
  return {
    id,
    a: quantityJson(a),
    b: quantityJson(b),
    ...(share !== undefined && { share: quantityJson(share) }),
  };
}

function rowJson(row: WhatIfRow) {
  return {
    fraction: quantityJson(row.fraction),
    ...(row.pool && { pool: quantityJson(row.pool) }),
    ...(row.tokens && { tokens: quantityJson(row.tokens) }),
    ...(row.left && { left: quantityJson(row.left) }),
  };
}

function adviceJson(advice: Advice | undefined, word: Wording) {
  return advice?.kind === 'fraction'
    ? { ...rowJson(advice.row), need: word(needMessage(advice.need)), fix: advice.flag }
    : null;
}

/** `compare --json`. `paths` names the logs as given. */
export function compareJson(
  comparison: Comparison,
  paths: { readonly a: string; readonly b: string },
  word: Wording,
) {
  const { difference, inputs, predictions, otherMoves, limits, flags, between } = comparison;
  return {
    schema: 1,
    a: { path: paths.a, lines: comparison.a.run.lines },
    b: { path: paths.b, lines: comparison.b.run.lines },
    difference: difference === undefined ? null : quantityJson(difference),
    moved: movedInputs(comparison).map(inputJson),
    same: inputs.filter(({ hasMoved }) => !hasMoved).map(inputJson),
    alsoMoved: otherMoves.map(({ id, a, b }) => ({ id, a: quantityJson(a), b: quantityJson(b) })),
    flags: flags.map(({ flag, a, b }) => ({ flag, a, b })),
    limits: limits.map(({ run, limit }) => ({ run, tokens: quantityJson(limit) })),
    ...(between && {
      between: {
        floor: quantityJson(between.floor),
        ceiling: quantityJson(between.ceiling),
        isStuck: between.isStuck,
      },
    }),
    predicted: predictions.map(({ run, row, advice }) => ({
      run,
      ...rowJson(row),
      advice: adviceJson(advice, word),
    })),
  };
}
