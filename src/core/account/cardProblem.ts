/**
 * Problems of the cards: ranks with less memory than others, memory of other programs.
 */
import { foreign, message } from '../message/message';
import type { Message } from '../message/message';
import { budgetTerms } from '../sglang/budgetFormula';
import { derive } from '../terms/derive';
import type { Interval } from '../units/interval';
import { hull, point } from '../units/interval';
import { boundedQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { asLow } from './budgetFacts';
import type { Figure } from './figure';
import { fieldQuantity } from './figure';
import type { JudgedAccount, Problem } from './problem';
import { lineOf } from './problem';
import type { RankFigures } from './rankFigures';
import type { OccupiedCard } from './sharedCard';
import type { Shortage } from './shortage';
import { stateFacts } from './stateShare';
import { withinReplica } from './replicas';

/** Tokens and GiB from which an imbalance between ranks is worth a line (design section 4). */
const imbalance = { share: 0.01, gib: 0.5 };

/** Free after loading; of ranks without that line free after their pools, which are alike. */
export function rankImbalance(account: JudgedAccount): Problem[] {
  const cell = account.solution.quantityOf(budgetTerms.cell);
  const deciding = account.ranks.find(({ isBinding }) => isBinding)?.figures;
  const binding = deciding && lowestOf(account, deciding);
  const tokens = account.quantities.get('maxTotalTokens')?.interval.lo;
  const sampleOf = ({ loadEnd, poolEnd }: RankFigures): Figure | undefined =>
    binding?.loadEnd ? loadEnd : poolEnd;
  const least = binding && sampleOf(binding);
  const all = account.ranks.map(({ figures }) => figures);
  const sharing = withinReplica(account.run, all, binding);
  const ends = sharing.flatMap(figures => sampleOf(figures) ?? []);
  const best = ends.reduce<Figure | undefined>(
    (kept, next) =>
      kept === undefined || next.quantity.interval.lo > kept.quantity.interval.lo ? next : kept,
    undefined,
  );
  const gap =
    best && least && derive('best - least', { best: best.quantity, least: least.quantity });
  const low = asLow(binding, sharing);
  const others = sharing.filter(rank => !low.includes(rank));
  const rise = riseOfTotal(account, low, others);
  const state = besideState(account, deciding);
  const lostTo = (end: Figure | undefined): Quantity | undefined =>
    end &&
    least &&
    cell &&
    (rise
      ? derive('((more - least - rise * (1 - fraction)) * kept + slot) * 2**30 / cell', {
          more: end.quantity,
          least: least.quantity,
          cell,
          ...state,
          ...rise,
        })
      : derive('((more - least) * kept + slot) * 2**30 / cell', {
          more: end.quantity,
          least: least.quantity,
          cell,
          ...state,
        }));
  const lost = lostTo(best);
  // Without these ranks the next one decides.
  const next = lostTo(leastFigure(others.flatMap(figures => sampleOf(figures) ?? [])));
  if (!gap || !lost || tokens === undefined) {
    return [];
  }
  if (gap.interval.lo < imbalance.gib || lost.interval.lo < imbalance.share * tokens) {
    return [];
  }
  const imbalanced = imbalanceMessage(low, least, {
    gap,
    tokens: next ? { ...lost, interval: fromZero(hull(next.interval, lost.interval)) } : lost,
  });
  const less = lessAtStart(account, low, best);
  const heavier = heavierStage(account, least, best, gap);
  return [
    {
      code: 'rank-imbalance',
      severity: 'information',
      ...lineOf(least.record),
      message: less
        ? message(`problem.rank-imbalance-${low.length > 1 ? 'starts' : 'start'}`, {
            imbalanced,
            less,
          })
        : binding !== deciding
          ? message('problem.rank-imbalance-bytes', { imbalanced })
          : heavier
            ? message('problem.rank-imbalance-stage', { imbalanced, more: heavier })
            : imbalanced,
    },
  ];
}

/**
 * What of more free memory goes to tokens, and GiB by which whole slots of state move that: all of it
 * without automatic states, all but their share with them, and anything where nothing tells the share.
 */
function besideState(
  { run, solution }: JudgedAccount,
  deciding: RankFigures | undefined,
): { readonly kept: Quantity; readonly slot: Quantity } {
  const none = {
    kept: boundedQuantity(point(1), units.one, 1),
    slot: boundedQuantity(point(0), units.GiB, 0),
  };
  const { statePool, stateSlots } = deciding ?? {};
  if (deciding === undefined || statePool === undefined) {
    return none;
  }
  const facts = stateFacts(run, deciding, solution);
  if (facts.some(({ term }) => term === budgetTerms.state)) {
    return none;
  }
  const share = facts.find(({ term }) => term === budgetTerms.stateShare)?.interval;
  const { lo, hi } = share ?? { lo: 0, hi: 1 };
  const size = statePool.quantity.interval.hi / (stateSlots?.quantity.interval.lo ?? Infinity);
  return {
    kept: boundedQuantity({ lo: 1 - hi, hi: 1 - lo }, units.one, 1 - hi),
    slot: boundedQuantity({ lo: -size, hi: size }, units.GiB, 0),
  };
}

/**
 * The rank whose free memory counts: where the stage with most bytes per token has more of it, that is
 * one of another stage, beyond what rounding hides.
 */
function lowestOf({ ranks, run }: JudgedAccount, deciding: RankFigures): RankFigures {
  const all = withinReplica(
    run,
    ranks.map(({ figures }) => figures),
    deciding,
  );
  const own = deciding.loadEnd?.quantity.interval;
  const lowest = leastFigure(all.flatMap(({ loadEnd }) => loadEnd ?? []));
  const isOther = own !== undefined && lowest && lowest.quantity.interval.hi < own.lo;
  const found = isOther ? all.find(({ loadEnd }) => loadEnd === lowest) : undefined;
  return found ?? deciding;
}

/** More ranks than this are counted, not named. */
const mostNamed = 8;

/** The ranks that are equally low, by their names. */
function imbalanceMessage(
  low: readonly RankFigures[],
  least: Figure,
  loss: { readonly gap: Quantity; readonly tokens: Quantity },
): Message {
  if (low.length <= 1) {
    return message('problem.rank-imbalance', { rank: { foreign: least.record.rank }, ...loss });
  }
  return low.length > mostNamed
    ? message('problem.rank-imbalance-count', { count: low.length, ...loss })
    : message('problem.rank-imbalance-ranks', {
        ranks: low.map(({ rank }) => message('origin.key-only', { key: foreign(rank) })),
        ...loss,
      });
}

/** No rank with less is a gain. */
function fromZero({ lo, hi }: Interval): Interval {
  return { lo: Math.max(lo, 0), hi: Math.max(hi, 0) };
}

/**
 * The free memory before loading is the minimum over ranks: with these like the others it rises,
 * and with it what the fraction leaves free. Undefined where it does not, or nothing tells.
 */
function riseOfTotal(
  { fraction }: JudgedAccount,
  low: readonly RankFigures[],
  others: readonly RankFigures[],
): { readonly rise: Quantity; readonly fraction: Quantity } | undefined {
  const inForce = fraction.effective ?? fraction.implied ?? fraction.claimed;
  const own = leastFigure(low.flatMap(({ loadBegin }) => loadBegin ?? []));
  const next = leastFigure(others.flatMap(({ loadBegin }) => loadBegin ?? []));
  const rise = own && next && derive('next - own', { next: next.quantity, own: own.quantity });
  return inForce && Number.isFinite(inForce.interval.hi) && rise && rise.interval.lo > 0
    ? { rise, fraction: inForce }
    : undefined;
}

function leastFigure(figures: readonly Figure[]): Figure | undefined {
  return figures.reduce<Figure | undefined>(
    (kept, figure) =>
      kept === undefined || figure.quantity.interval.lo < kept.quantity.interval.lo ? figure : kept,
    undefined,
  );
}

/** What the ranks lacked before anything was loaded; undefined where that is not most of it. */
function lessAtStart(
  { ranks }: JudgedAccount,
  low: readonly RankFigures[],
  best: Figure | undefined,
): Quantity | undefined {
  const high = ranks.find(({ rank }) => rank === best?.record.rank)?.figures.loadBegin?.quantity;
  const [first, ...others] = low.map(({ loadBegin }) => {
    const less = high && loadBegin && derive('high - low', { high, low: loadBegin.quantity });
    return less && less.interval.lo >= leastOfOthers ? less : undefined;
  });
  return others.reduce(
    (all, next) => all && next && { ...all, interval: hull(all.interval, next.interval) },
    first,
  );
}

/** What the stage of a pipeline has more in weights; undefined where that is not most of the gap. */
function heavierStage(
  { ranks }: JudgedAccount,
  least: Figure,
  best: Figure | undefined,
  gap: Quantity,
): Quantity | undefined {
  const weightsOf = (figure: Figure | undefined): Quantity | undefined =>
    ranks.find(({ rank }) => rank === figure?.record.rank)?.quantities.get('weights');
  const stageOf = (figure: Figure | undefined) => /\bPP\d+/.exec(figure?.record.rank ?? '')?.[0];
  const [high, low] = [weightsOf(least), weightsOf(best)];
  const more = high && low && derive('high - low', { high, low });
  return more && stageOf(least) !== stageOf(best) && more.interval.lo >= gap.interval.hi / 2
    ? more
    : undefined;
}

/** GiB from which a card that starts with less is not ours alone. */
const leastOfOthers = 2;

function occupiedAtFailure(shortage: Shortage | undefined): Problem[] {
  const { others, capacity, device, record } = shortage ?? {};
  return others && capacity && device && record
    ? [
        {
          code: 'occupied-before-start',
          severity: 'warning',
          ...lineOf(record),
          message: message('problem.occupied-others', { others, capacity, device }),
        },
      ]
    : [];
}

/**
 * The check that ranks start alike refused the start. Up to 0.4.9.post2 it also refuses a draft
 * worker, which measures cards that the target has filled.
 */
export function unbalancedStart(account: JudgedAccount): Problem[] {
  const { cause, kind } = account.outcome;
  if (kind !== 'rank-imbalance' || cause === undefined) {
    return [];
  }
  const isDraft = account.run.ranks.some(({ draft }) => draft.includes(cause));
  const [leastField, localField] = [cause.fields['minimum'], cause.fields['local']];
  const least = leastField && fieldQuantity(cause, leastField);
  const local = localField && fieldQuantity(cause, localField);
  return [
    {
      code: 'rank-imbalance',
      severity: 'error',
      ...lineOf(cause),
      message: isDraft
        ? message('problem.unbalanced-draft', {})
        : least && local
          ? message('problem.unbalanced', { least, local })
          : message('problem.unbalanced-plain', {}),
    },
  ];
}

/** Memory came back while the server started. */
export function sharedCard({ freed }: JudgedAccount): Problem[] {
  return freed === undefined
    ? []
    : [
        {
          code: 'occupied-before-start',
          severity: 'warning',
          ...lineOf(freed),
          message: message('problem.shared-card', { amount: freed.amount }),
        },
      ];
}

function occupiedMessage({ amount, capacity, begin, context }: OccupiedCard): Message {
  const figures = { amount, capacity, begin };
  return context === undefined
    ? message('problem.occupied', figures)
    : message('problem.occupied-least', { ...figures, context });
}

/** Much of the card was taken before the start, or is when an allocation fails. */
export function occupied({ occupied: card, shortage }: JudgedAccount): Problem[] {
  return card === undefined
    ? occupiedAtFailure(shortage)
    : [
        {
          code: 'occupied-before-start',
          severity: 'warning',
          ...lineOf(card),
          message: occupiedMessage(card),
        },
      ];
}
