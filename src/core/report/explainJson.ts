/**
 * The account as the JSON contract (design section 4). Unknown values are absent or null as the
 * contract says, never zero. Sentences come from the renderer that the caller passes.
 */
import type { RunAccount } from '../account/account';
import { summaryMessage } from '../account/accountSummary';
import type { LedgerEntry } from '../account/ledger';
import type { PrintedPlace } from '../account/ledger';
import { placesOf } from '../account/ledger';
import type { Problem } from '../account/problem';
import type { ParallelDimension, Run } from '../log/run';
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import type { Quantity } from '../units/quantity';
import type { LinePlaces } from './linePlace';
import { placesIn } from './linePlace';
import { seriesJson } from './seriesJson';
import type { Wording } from './quantityJson';
import { quantityJson } from './quantityJson';
import { automaticJson, layoutJson } from './receiptJson';

function orNull(quantity: Quantity | undefined, places: LinePlaces) {
  return quantity === undefined ? null : quantityJson(quantity, places);
}

function quantitiesJson(quantities: RunAccount['quantities'], places: LinePlaces) {
  return Object.fromEntries(
    [...quantities].map(([id, quantity]) => [id, quantityJson(quantity, places)]),
  );
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
  const { atLeast, tp, pp, dp, ep, cp, nnodes, ranksSeen, ranksExpected } = parallel;
  const sizes = Object.entries({ tp, pp, dp, ep, cp }).filter(
    ([name]) => !atLeast.has(name as ParallelDimension),
  );
  const known = {
    tp: null,
    pp: null,
    dp: null,
    ep: null,
    cp: null,
    ...Object.fromEntries(sizes),
    nnodes,
  };
  return {
    ...Object.fromEntries(Object.entries(known).map(([name, size]) => [name, size ?? null])),
    ranksSeen,
    ranksExpected: ranksExpected ?? null,
  };
}

function ledgerJson(entry: LedgerEntry, places: LinePlaces) {
  return { id: entry.id, size: quantityJson(entry.size, places), lines: entry.lines };
}

/** A problem of the contract. */
export function problemJson(problem: Problem, places: LinePlaces, word: Wording) {
  const { code, severity, line, file, fix } = problem;
  return {
    code,
    severity,
    line,
    ...places(line, file),
    message: word(problem.message),
    ...(fix !== undefined && { fix }),
  };
}

/** One run of the contract. */
export function runJson(account: RunAccount, word: Wording) {
  const { run, fraction, outcome } = account;
  const series = seriesJson(run);
  const places = placesIn(run);
  return {
    lines: run.lines,
    ...places(run.lines[0]),
    engine: run.engine.value,
    release: releaseJson(run.release),
    model: run.modelClass ?? null,
    parallel: parallelJson(run),
    quantities: quantitiesJson(account.quantities, places),
    ranks: account.ranks.map(rank => ({
      rank: rank.rank,
      quantities: quantitiesJson(rank.quantities, places),
      ledger: rank.ledger.map(entry => ledgerJson(entry, places)),
      binding: rank.isBinding,
    })),
    fraction: {
      claimed: orNull(fraction.claimed, places),
      effective: orNull(fraction.effective, places),
      implied: orNull(fraction.implied, places),
      minimum: orNull(fraction.minimum, places),
      maximum: orNull(fraction.maximum, places),
    },
    verdict: {
      kind: outcome.kind,
      phase: outcome.phase,
      summary: word(summaryMessage(account)),
      lines: verdictPlaces(account).map(({ line }) => line),
      places: verdictPlaces(account).map(({ line, file }) => ({ line, ...places(line, file) })),
    },
    problems: account.problems.map(problem => problemJson(problem, places, word)),
    ...(series && { series }),
    ...(account.layout && { layout: layoutJson(account, word) }),
    ...(account.automatic && { automaticFraction: automaticJson(account, word) }),
  };
}

/** The line of the cause, or for a run without one the lines its pool was printed on. */
function verdictPlaces({ outcome, quantities }: RunAccount): readonly PrintedPlace[] {
  if (outcome.cause !== undefined) {
    return [outcome.cause];
  }
  const pool = quantities.get('kvPool') ?? quantities.get('maxTotalTokens');
  return pool === undefined ? [] : placesOf(pool);
}

/** One log, or several files of one server that were read as one: `paths` names each of them. */
export interface ExplainedFile {
  readonly path: string;
  readonly paths?: readonly string[];
  readonly accounts: readonly RunAccount[];
}

/** `explain --json` for several files. */
export function explainJson(files: readonly ExplainedFile[], word: Wording) {
  return {
    schema: 1,
    files: files.map(({ path, paths, accounts }) => ({
      path,
      ...(paths && { paths }),
      runs: accounts.map(account => runJson(account, word)),
    })),
  };
}
