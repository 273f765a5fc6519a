/**
 * The account as the JSON contract (design section 4). Unknown values are absent or null as the
 * contract says, never zero. Sentences come from the renderer that the caller passes.
 */
import type { RunAccount } from '../account/account';
import { summaryMessage } from '../account/accountSummary';
import type { LedgerEntry } from '../account/ledger';
import { linesOf } from '../account/ledger';
import type { Problem } from '../account/problem';
import type { Run } from '../log/run';
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import type { Quantity } from '../units/quantity';
import { seriesJson } from './seriesJson';
import type { Wording } from './quantityJson';
import { quantityJson } from './quantityJson';
import { automaticJson, layoutJson } from './receiptJson';

function orNull(quantity: Quantity | undefined) {
  return quantity === undefined ? null : quantityJson(quantity);
}

function quantitiesJson(quantities: RunAccount['quantities']) {
  return Object.fromEntries([...quantities].map(([id, quantity]) => [id, quantityJson(quantity)]));
}

function releaseJson(release: ReleaseInterval) {
  switch (release.kind) {
    case 'unknown':
      return null;
    case 'range':
      return { range: [release.from, release.to ?? null] };
    case 'between':
      return { between: [release.after, release.before] };
  }
}

function parallelJson({ parallel }: Run) {
  const { tp, pp, dp, ep, cp, nnodes, ranksSeen, ranksExpected } = parallel;
  const known = { tp, pp, dp, ep, cp, nnodes };
  return {
    ...Object.fromEntries(Object.entries(known).map(([name, size]) => [name, size ?? null])),
    ranksSeen,
    ranksExpected: ranksExpected ?? null,
  };
}

function ledgerJson(entry: LedgerEntry) {
  return { id: entry.id, size: quantityJson(entry.size), lines: entry.lines };
}

/** A problem of the contract. */
export function problemJson(problem: Problem, word: Wording) {
  const { code, severity, line, fix } = problem;
  return {
    code,
    severity,
    line,
    message: word(problem.message),
    ...(fix !== undefined && { fix }),
  };
}

/** One run of the contract. */
export function runJson(account: RunAccount, word: Wording) {
  const { run, fraction, outcome } = account;
  const series = seriesJson(run);
  return {
    lines: run.lines,
    engine: run.engine.value,
    release: releaseJson(run.release),
    model: run.modelClass ?? null,
    parallel: parallelJson(run),
    quantities: quantitiesJson(account.quantities),
    ranks: account.ranks.map(rank => ({
      rank: rank.rank,
      quantities: quantitiesJson(rank.quantities),
      ledger: rank.ledger.map(ledgerJson),
      binding: rank.isBinding,
    })),
    fraction: {
      claimed: orNull(fraction.claimed),
      effective: orNull(fraction.effective),
      implied: orNull(fraction.implied),
      minimum: orNull(fraction.minimum),
      maximum: orNull(fraction.maximum),
    },
    verdict: {
      kind: outcome.kind,
      phase: outcome.phase,
      summary: word(summaryMessage(account)),
      lines: verdictLines(account),
    },
    problems: account.problems.map(problem => problemJson(problem, word)),
    ...(series && { series }),
    ...(account.layout && { layout: layoutJson(account, word) }),
    ...(account.automatic && { automaticFraction: automaticJson(account, word) }),
  };
}

/** The line of the cause, or for a run without one the lines its pool was printed on. */
function verdictLines({ outcome, quantities }: RunAccount): number[] {
  if (outcome.cause !== undefined) {
    return [outcome.cause.line];
  }
  const pool = quantities.get('kvPool') ?? quantities.get('maxTotalTokens');
  return pool === undefined ? [] : linesOf(pool);
}

/** `explain --json` for several files. */
export function explainJson(
  files: readonly { readonly path: string; readonly accounts: readonly RunAccount[] }[],
  word: Wording,
) {
  return {
    schema: 1,
    files: files.map(({ path, accounts }) => ({
      path,
      runs: accounts.map(account => runJson(account, word)),
    })),
  };
}
