/** Two runs side by side as the page shows them, with each input's share of the token difference. */
import { offerMessage } from '../account/accountCure';
import type { Advice } from '../account/advice';
import type { Comparison, Prediction } from '../account/compare';
import { tokensOf } from '../account/compare';
import { linesOf } from '../account/ledger';
import type { QuantityId } from '../sglang/quantityId';
import { message } from '../message/message';
import { differenceMessages, offersBorrowed, predictionMessage } from './comparisonReport';
import { rowOf } from './fractionRows';
import type { PageComparison, PageHeadline, PageMove, PagePrediction } from './pageModel';
import type { PageWriter } from './pageWriter';
import { drawnValue, unknownText } from './pageWriter';

/** Builds the page of a comparison. `names` are what people call the runs; `hasLogs` says which log can be shown. */
export function comparisonPage(
  comparison: Comparison,
  names: readonly [string, string],
  hasLogs: readonly [boolean, boolean],
  write: PageWriter,
): PageComparison {
  const { inputs, otherMoves, difference, predictions } = comparison;
  return {
    names,
    starts: [
      hasLogs[0] ? comparison.a.run.lines[0] : null,
      hasLogs[1] ? comparison.b.run.lines[0] : null,
    ],
    headline: headlineOf(comparison, write),
    difference: difference === undefined ? unknownText : write.quantity(difference),
    moves: [
      ...inputs.map(({ id, a, b, hasMoved, share }): PageMove => ({
        label: nameOf(id, write),
        a: write.quantity(a),
        b: write.quantity(b),
        lines: [linesOf(a), linesOf(b)],
        hasMoved,
        share: share ? write.quantity(share) : unknownText,
        size: share ? drawnValue(share) : null,
      })),
      ...otherMoves.map(({ id, a, b }): PageMove => ({
        label: nameOf(id, write),
        a: write.quantity(a),
        b: write.quantity(b),
        lines: [linesOf(a), linesOf(b)],
        hasMoved: true,
        share: unknownText,
        size: null,
      })),
    ],
    predictions: predictions.flatMap(prediction => {
      const { quantities } = comparison[prediction.run];
      return predictionOf(prediction, quantities.has('swaPool'), write);
    }),
  };
}

function nameOf(quantity: QuantityId, write: PageWriter): string {
  return write.message(message('page.short-name', { short: quantity }));
}

function headlineOf(comparison: Comparison, write: PageWriter): PageHeadline {
  const [first, ...more] = differenceMessages(comparison);
  const said = first ?? message('page.nothing-moved', {});
  const tokens = [tokensOf(comparison.a), tokensOf(comparison.b)] as const;
  const both =
    tokens[0] && tokens[1]
      ? write.message(message('page.tokens-against', { a: tokens[0], b: tokens[1] }))
      : undefined;
  return {
    tone: 'neutral',
    verdict: write.message(said),
    sentence: [
      ...more.map(write.message),
      both ?? write.message(message('page.tokens-unknown', {})),
    ].join(' '),
    lines: [],
  };
}

function predictionOf(
  prediction: Prediction,
  hasWindow: boolean,
  write: PageWriter,
): PagePrediction[] {
  const { row, advice } = prediction;
  const sentence = predictionMessage(prediction);
  const offered = offerOf(advice);
  const isSame = offersBorrowed(prediction);
  return sentence === undefined
    ? []
    : [
        {
          sentence: write.message(sentence),
          ...(offered && {
            advice: { sentence: write.message(offerMessage(offered)), flag: offered.flag },
          }),
          rows: [
            { ...rowOf(row, undefined, write), marks: isSame ? ['offered'] : [] },
            ...(offered && !isSame
              ? [{ ...rowOf(offered.row, undefined, write), marks: ['offered' as const] }]
              : []),
          ],
          ...(hasWindow && { hasWindow }),
        },
      ];
}

function offerOf(advice: Advice | undefined): Extract<Advice, { kind: 'fraction' }> | undefined {
  return advice?.kind === 'fraction' ? advice : undefined;
}
