/**
 * What links quantities outside the formula of A and P to it: weights to the free memory after
 * loading, the tokens of a window pool to those of the full one, one replica to all. Each follows
 * from printed figures; nothing is said where these do not show the link.
 */
import type { Run } from '../log/run';
import { budgetTerms } from '../sglang/budgetFormula';
import { largestPage, printedCell } from '../sglang/printedCell';
import { isWithin } from '../sglang/release';
import { derive, factOf } from '../terms/derive';
import type { Fact } from '../terms/fact';
import type { Solution } from '../terms/solve';
import { boundedQuantity, givenQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { intersect, point } from '../units/interval';
import { units } from '../units/unit';
import type { RunAccount } from './account';
import { assumptions } from './assumption';
import type { Quantities } from './rankAccount';
import type { RankFigures } from './rankFigures';
import { fact } from './statedFact';

/** Facts of the budget's terms `weights`, `windowTokens`, `windowPool` and `allTokens`. */
export function apartFacts({
  run,
  quantities,
  solution,
  budget: { binding },
}: Pick<RunAccount, 'run' | 'quantities' | 'solution' | 'budget'>): Fact[] {
  return [
    ...weightsFact(quantities, solution),
    ...windowFacts(run, binding),
    ...replicasFact(run, quantities),
  ];
}

/** What loading takes beside the weights stays as it was. */
function weightsFact(quantities: Quantities, solution: Pick<Solution, 'quantityOf'>): Fact[] {
  const total = solution.quantityOf(budgetTerms.total);
  const available = solution.quantityOf(budgetTerms.available);
  const weights = quantities.get('weights');
  const beside =
    total &&
    available &&
    weights &&
    derive('total - available - weights', { total, available, weights });
  return beside ? [unchanged(factOf(budgetTerms.besideWeights, beside))] : [];
}

function unchanged(fact: Fact): Fact {
  const ids = [...(fact.assumptions ?? []), assumptions.costsUnchanged];
  return { ...fact, basis: 'assumed', assumptions: [...new Set(ids)] };
}

/** The window pool holds a share of the full pool's tokens, in whole pages. */
function windowFacts(run: Run, binding: RankFigures | undefined): Fact[] {
  const { kvPool, swaPool } = binding ?? {};
  if (swaPool === undefined) {
    return [budgetTerms.windowShare, budgetTerms.windowCell].map(term =>
      fact(term, point(0), [], { nominal: 0 }),
    );
  }
  const [full, swa] = [kvPool?.tokens?.quantity, swaPool.tokens?.quantity];
  const page = boundedQuantity({ lo: 0, hi: largestPage }, units.token, 0);
  const shown = full && swa && derive('(swa + page) / full', { full, swa, page });
  const cell = printedCell(swaPool.size.quantity, swa);
  const share = shown && isShared(run) ? shareOf(run, shown) : undefined;
  return [
    ...(share
      ? [{ ...factOf(budgetTerms.windowShare, share), provenance: shown?.provenance ?? [] }]
      : []),
    ...(cell ? [factOf(budgetTerms.windowCell, cell)] : []),
  ];
}

/** As typed where the printed tokens agree with that, else what they show. */
function shareOf({ serverArguments }: Run, shown: Quantity): Quantity | undefined {
  const value = serverArguments?.values.get('swa_full_tokens_ratio')?.value;
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    return shown;
  }
  const typed = givenQuantity(value, units.one, 'swa_full_tokens_ratio');
  return intersect(typed.interval, shown.interval) ? typed : undefined;
}

/**
 * From 0.5.14 on the window may be of a fixed size, where the requests are limited and the prefix cache
 * is off (reference 1.5): then its tokens are no share.
 */
function isShared({ release, serverArguments }: Run): boolean {
  const value = (name: string) => serverArguments?.values.get(name)?.value;
  return (
    isWithin(release, { from: '0.1.0', to: '0.5.13.post1' }) ||
    value('disable_radix_cache') === false ||
    value('max_running_requests') === null
  );
}

/** Replicas with a pool each are counted where all have as many tokens. */
function replicasFact(run: Run, quantities: Quantities): Fact[] {
  const { dp } = run.parallel;
  const [all, own] = [quantities.get('clusterTokens'), quantities.get('maxTotalTokens')];
  const isAlike =
    all !== undefined &&
    own !== undefined &&
    dp !== undefined &&
    all.interval.lo === own.interval.lo * dp &&
    all.interval.hi === own.interval.hi * dp;
  return isAlike
    ? [
        {
          ...fact(budgetTerms.replicas, { lo: dp, hi: dp }, all.provenance, {
            nominal: BigInt(dp),
          }),
          basis: 'assumed',
          assumptions: [assumptions.replicasAlike],
        },
      ]
    : [];
}
