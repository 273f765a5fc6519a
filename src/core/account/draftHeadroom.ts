/**
 * Tokens that a pool has beyond its budget where the release gives drafts and their verification
 * room of their own (reference 1.4). Where arguments or rows are not shown it is only bounded.
 */
import type { Run } from '../log/run';
import { budgetTerms } from '../sglang/budgetFormula';
import { headroom, raisesForDrafts } from '../sglang/layout/draftFormula';
import { derive } from '../terms/derive';
import type { Fact } from '../terms/fact';
import { boundedQuantity, givenQuantity } from '../units/givenQuantity';
import { point } from '../units/interval';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { assumptions } from './assumption';
import type { RankFigures } from './rankFigures';
import { assumed, fact } from './statedFact';

/** The head-room as a fact: none, as the arguments give it, or any number of tokens. */
export function headroomFact(
  run: Run,
  binding: RankFigures | undefined,
  table: readonly Fact[],
): Fact {
  if (!mayBeRaised(run, binding)) {
    return fact(budgetTerms.headroom, point(0), [], { nominal: 0n });
  }
  const rows = table.find(({ term }) => term === budgetTerms.rows);
  const tokens = rows && tokensOfRows(run, rows);
  if (rows === undefined || tokens === undefined) {
    return fact(budgetTerms.headroom, { lo: 0, hi: Infinity }, []);
  }
  const { lo, hi } = tokens.interval;
  const isSure = isRaised(run);
  return assumed(budgetTerms.headroom, { lo: isSure ? lo : 0, hi }, assumptions.rowsAreRequests, {
    provenance: rows.provenance,
    ...(isSure && lo === hi && { nominal: BigInt(lo) }),
  });
}

function mayBeRaised(run: Run, binding: RankFigures | undefined): boolean {
  const isSpeculative =
    typeof algorithmOf(run) === 'string' ||
    (binding?.draftPools.length ?? 0) > 0 ||
    run.ranks.some(({ draft }) => draft.length > 0);
  return isSpeculative && raisesForDrafts(run.release) !== false;
}

/** Lookups without a draft model came in between, and are left open. */
function isRaised(run: Run): boolean {
  const algorithm = algorithmOf(run);
  return (
    typeof algorithm === 'string' &&
    algorithm.toUpperCase() !== 'NGRAM' &&
    raisesForDrafts(run.release) === true
  );
}

function algorithmOf({ serverArguments }: Run) {
  return serverArguments?.values.get('speculative_algorithm')?.value;
}

/** By the release's formula; undefined where an argument is not shown. */
function tokensOfRows({ serverArguments }: Run, rows: Fact): Quantity | undefined {
  const [steps, branches, drafts] = ['num_steps', 'eagle_topk', 'num_draft_tokens'].map(name => {
    const value = serverArguments?.values.get(`speculative_${name}`)?.value;
    return typeof value === 'bigint' ? givenQuantity(value, units.one, name) : undefined;
  });
  return steps && branches && drafts
    ? derive(headroom, {
        rows: boundedQuantity(rows.interval, units.one, rows.interval.lo),
        steps,
        branches,
        drafts,
        token: givenQuantity(1n, units.token, 'token'),
      })
    : undefined;
}
