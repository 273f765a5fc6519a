/**
 * Rows and entries of the request-to-token table, from the summary line and the arguments.
 */
import type { Run } from '../log/run';
import { budgetTerms } from '../sglang/budgetFormula';
import { isWithin } from '../sglang/release';
import type { Fact } from '../terms/fact';
import type { EntryFlags } from '../sglang/layout/requestEntries';
import { extraEntries } from '../sglang/layout/requestEntries';
import { point } from '../units/interval';
import { assumptions } from './assumption';
import { RunArguments, withoutUndefined } from './layoutOptions';
import type { RankFigures } from './rankFigures';
import { resizedLine } from './resizedPool';
import { hasStateModel } from './stateModel';
import { assumed, fact } from './statedFact';

/** No release estimates more rows by itself. */
const mostEstimatedRows = 4096;

/** From here on the printed requests are the rows, but for a pool that is sized again (reference 1.4). */
const rowsPrinted = { from: '0.5.10' };

/**
 * Rows can be more than the printed requests (reference 1.4): where a decode server holds arriving
 * ones, and in earlier releases where they are half the tokens of a tiny pool or the attention is
 * replicated.
 */
function mostRows(run: Run, requests: number, tokens: number): number {
  const { dp } = run.parallel;
  const isDecode = run.serverArguments?.values.get('disaggregation_mode')?.value === 'decode';
  const most = isDecode ? requests * 3 : requests;
  if (isWithin(run.release, rowsPrinted) && !run.ranks.some(({ target }) => resizedLine(target))) {
    return most;
  }
  const isHalved = tokens > 0 && requests === Math.floor(tokens / 2);
  return Math.max(most, requests * Math.max(1, dp ?? 1), isHalved ? mostEstimatedRows : 0);
}

/**
 * Under data-parallel attention up to 0.5.9 a typed limit is divided among the ranks in print, and
 * the rows are the whole of it (reference 1.4). Undefined where that is not known.
 */
function undividedRows(run: Run, printed: number): number | undefined {
  const argument = (name: string) => run.serverArguments?.values.get(name)?.value;
  const typed = argument('max_running_requests');
  const { dp } = run.parallel;
  const isDivided =
    typeof typed === 'bigint' && dp !== undefined && Math.floor(Number(typed) / dp) === printed;
  const isKnown =
    argument('enable_dp_attention') === true &&
    argument('disaggregation_mode') !== 'decode' &&
    !hasStateModel(run) &&
    isWithin(run.release, { from: '0.4.2', to: '0.5.9' });
  return isDivided && isKnown ? Number(typed) : undefined;
}

/** Rows and entries of the request-to-token table (reference 1.4). */
export function requestTableFacts(run: Run, binding: RankFigures | undefined): Fact[] {
  const summary = binding?.summary ?? run.records.findLast(({ form }) => form.id === 'summary');
  const running = summary?.fields['running'];
  const context = summary?.fields['context'];
  const facts: Fact[] = [];
  if (summary && running) {
    const oneMore = isWithin(run.release, { from: '0.5.11' }) ? 1 : 0;
    const printed = Number(running.value);
    const rows = undividedRows(run, printed) ?? printed;
    const isTold = rows > printed;
    const most = isTold ? rows : mostRows(run, rows, Number(summary.fields['tokens']?.value ?? 0));
    facts.push(
      assumed(
        budgetTerms.rows,
        { lo: rows, hi: Math.max(rows + oneMore, most) },
        assumptions.rowsAreRequests,
        {
          provenance: [{ kind: 'printed', line: running.line }],
          ...(most <= rows && { nominal: BigInt(rows + oneMore) }),
        },
      ),
    );
  }
  if (summary && context) {
    facts.push(
      fact(
        budgetTerms.context,
        point(Number(context.value)),
        [{ kind: 'printed', line: context.line }],
        {
          nominal: context.value,
        },
      ),
    );
  }
  const draftTokens = run.serverArguments?.values.get('speculative_num_draft_tokens')?.value;
  const args = new RunArguments(run);
  const algorithm = args.word('speculative_algorithm');
  const isSpeculative = algorithm !== undefined || typeof draftTokens === 'bigint';
  const { lo, hi } = extraEntries(
    run.release,
    withoutUndefined<EntryFlags>({
      page: args.count('page_size') ?? 1,
      isSpeculative,
      hasDraftPool: algorithm?.toUpperCase() !== 'NGRAM',
      draftTokens: typeof draftTokens === 'bigint' ? Number(draftTokens) : undefined,
      draftSteps: args.count('speculative_num_steps'),
      draftBranches: args.count('speculative_eagle_topk'),
    }),
  );
  facts.push(fact(budgetTerms.extra, { lo: Math.min(4, lo), hi }, [], { nominal: 4n }));
  return facts;
}
