/**
 * What rounds and limits the profiled tokens: pages, a typed limit, and the other stages of a
 * pipeline.
 */
import type { Run } from '../log/run';
import { targetRecords } from '../log/targetRecords';
import { budgetTerms } from '../sglang/budgetFormula';
import { largestPage } from '../sglang/printedCell';
import { isWithin } from '../sglang/release';
import type { Fact } from '../terms/fact';
import type { Term } from '../terms/term';
import { point } from '../units/interval';
import { assumptions } from './assumption';
import { sizingFields } from './sizingFacts';
import { assumed, fact } from './statedFact';

/** Beyond every pool: a limit that does not bind is at least this. */
const noLimit = 2 ** 53;

/** Releases without page sizes (reference 1.4). */
const beforePages = { from: '0.1.0', to: '0.4.3.post4' };

/**
 * The page: as typed, or any power of two that divides the tokens (they are page aligned). From
 * 0.5.15 on the dump may show a page that is raised later (reference 5.1). Buffers have one padding
 * row up to 0.4.3, a page of them since.
 */
export function pageFacts(run: Run, tokens: readonly Fact[]): Fact[] {
  if (isWithin(run.release, beforePages)) {
    const one = (term: Term): Fact => fact(term, point(1), [], { nominal: 1n });
    return [one(budgetTerms.page), one(budgetTerms.padding)];
  }
  const typed = run.serverArguments?.values.get('page_size')?.value;
  const least = typeof typed === 'bigint' && typed > 0n ? Number(typed) : 1;
  const isFinal =
    typeof typed === 'bigint' && isWithin(run.release, { from: '0.1.0', to: '0.5.14' });
  const count = tokens[0]?.interval.lo;
  const most = isFinal || count === undefined ? least : Math.max(least, largestPowerOfTwo(count));
  const page =
    most === least
      ? fact(budgetTerms.page, point(least), [], { nominal: BigInt(least) })
      : assumed(budgetTerms.page, { lo: least, hi: most }, assumptions.pageIsPowerOfTwo);
  const padding = fact(
    budgetTerms.padding,
    { lo: 1, hi: most },
    [],
    most === 1 ? { nominal: 1n } : {},
  );
  return [page, padding];
}

/** The largest page that divides the tokens. */
export function largestPowerOfTwo(tokens: number): number {
  let page = largestPage;
  while (page > 1 && tokens % page !== 0) {
    page /= 2;
  }
  return page;
}

/**
 * True for a count that looks typed, or below what the sizing code printed: then a limit that the
 * log does not show may have decided. Profiled counts are round once in a thousand pools.
 */
export function mayBeCapped(run: Run, tokens: readonly Fact[]): boolean {
  const count = tokens[0]?.interval.hi;
  if (count === undefined) {
    return false;
  }
  const printed = targetRecords(run)
    .flatMap(sizingFields)
    .filter(({ term }) => term === budgetTerms.uncapped);
  return (
    count % 1000 === 0 ||
    count % 4096 === 0 ||
    printed.some(({ quantity }) => quantity.interval.lo > count)
  );
}

/** What may keep the tokens below what was profiled; unlimited where nothing does. */
export function limitFacts(run: Run, tokens: readonly Fact[]): Fact[] {
  const args = run.serverArguments;
  const typed = args?.values.get('max_total_tokens');
  const clamped = targetRecords(run).some(({ form }) => form.id === 'token-clamp');
  const unlimited = { lo: noLimit, hi: Infinity };
  const facts: Fact[] = [];
  if (typed !== undefined && typeof typed.value === 'bigint') {
    facts.push(
      fact(budgetTerms.cap, point(Number(typed.value)), [{ kind: 'printed', line: typed.line }], {
        nominal: typed.value,
      }),
    );
  } else if (typed !== undefined || clamped) {
    facts.push(fact(budgetTerms.cap, unlimited, [], { nominal: BigInt(noLimit) }));
  } else if (!mayBeCapped(run, tokens)) {
    facts.push(
      assumed(budgetTerms.cap, unlimited, assumptions.noTokenCap, { nominal: BigInt(noLimit) }),
    );
  }
  const stages = run.parallel.pp ?? 1;
  facts.push(
    stages > 1
      ? assumed(budgetTerms.stageMinimum, unlimited, assumptions.bindingStage, {
          nominal: BigInt(noLimit),
        })
      : fact(budgetTerms.stageMinimum, unlimited, [], { nominal: BigInt(noLimit) }),
  );
  return facts;
}
