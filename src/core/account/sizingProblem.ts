/**
 * Problems of sizing: pools that do not fit, allocations that failed, figures that disagree with
 * each other or with what was claimed.
 */
import { message } from '../message/message';
import type { Message } from '../message/message';
import { budgetTerms } from '../sglang/budgetFormula';
import { derive } from '../terms/derive';
import { UnitInferrer } from '../terms/evaluate';
import { nameOf } from '../terms/explain';
import type { Fact } from '../terms/fact';
import { solve } from '../terms/solve';
import { givenQuantity } from '../units/givenQuantity';
import { intersect } from '../units/interval';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { cureOf } from './accountCure';
import { summaryMessage } from './accountSummary';
import { mayBeSparseFp8 } from './poolFacts';
import { claimInLog } from './fraction';
import { minimumBelowFraction, printedReservation } from './hiddenReserve';
import { multiplierThatFits } from './fractionMultiplier';
import { placesOf } from './ledger';
import { otherTokens } from './otherTokens';
import type { JudgedAccount, Problem } from './problem';
import { lineOf, placeOf } from './problem';
import type { Outcome } from './verdict';

/** GiB from which a pool is larger than its budget by more than padding and rounding. */
const overBudgetGiB = 0.5;

/**
 * The run ended for want of memory: in sizing, in an allocation that failed, on the host, or in a
 * pool that ran out. Without a cure of its own the problem is the verdict.
 */
export function notEnoughMemory(account: JudgedAccount): Problem[] {
  const { cause } = account.outcome;
  const cure = cureOf(account);
  if (cause === undefined) {
    return [];
  }
  const code = codeOfEnd[account.outcome.kind];
  const isDead = hasDied(account.run);
  if (cure === undefined) {
    return code === undefined || !(isDead || cause.form.id === 'retraction')
      ? []
      : [
          {
            code,
            severity: isDead ? 'error' : 'information',
            ...lineOf(cause),
            message: summaryMessage(account),
          },
        ];
  }
  const isServing = account.outcome.kind === 'pool-exhausted' && !isDead;
  return [
    {
      code: code ?? 'not-enough-memory',
      severity: isServing ? 'information' : 'error',
      ...lineOf(cause),
      message: message('problem.not-enough-memory', {
        cure: cure.message,
        summary: summaryMessage(account),
      }),
      ...(cure.flag !== undefined && { fix: cure.flag }),
    },
  ];
}

/**
 * Ends that no fraction cures. A start that unequal ranks refuse has a problem of its own, and slots
 * that run out are no want of memory.
 */
const codeOfEnd: Readonly<Partial<Record<Outcome['kind'], Problem['code']>>> = {
  'not-enough-memory': 'not-enough-memory',
  'load-oom': 'not-enough-memory',
  'pool-oom': 'not-enough-memory',
  'graph-oom': 'not-enough-memory',
  'runtime-oom': 'not-enough-memory',
  'host-oom': 'not-enough-memory',
  'pool-exhausted': 'tiny-pool',
};

/** True where a server of ours ended. */
function hasDied({ engine, outcome }: JudgedAccount['run']): boolean {
  return outcome === 'failed' && (engine.value === 'sglang' || engine.value === 'fork');
}

/**
 * Warned of only where proved facts alone make it. Named are the figures each of which, read
 * differently, resolves it alone: others of the conflict are contradicted, not wrong.
 */
export function contradiction(account: JudgedAccount): Problem[] {
  const known = account.solution.contradiction?.facts ?? [];
  const counted = known.length === 0 ? otherTokens(account) : [];
  const facts = [...account.budget.facts, ...counted];
  const conflict = counted.length === 0 ? known : counted;
  if (conflict.length === 0 || conflict.some(({ basis }) => basis === 'assumed')) {
    return [];
  }
  const culprits = culpritsOf(facts);
  const place = [...culprits, ...conflict].flatMap(placesOf)[0];
  const named = culprits.flatMap(factMessage);
  return [
    {
      code: 'contradiction',
      severity: 'warning',
      ...lineOf(place ?? { line: account.run.lines[0] }),
      message:
        named.length === 0
          ? message('problem.contradiction-several', {})
          : message(named.length === 1 ? 'problem.contradiction-one' : 'problem.contradiction', {
              facts: named,
            }),
    },
  ];
}

/** Printed facts without any one of which the others go together. */
function culpritsOf(facts: readonly Fact[]): Fact[] {
  const proved = facts.filter(({ basis }) => basis === 'proved');
  const terms = Object.values(budgetTerms);
  return proved.filter(
    fact =>
      lineOfFact(fact) !== undefined &&
      solve(
        terms,
        proved.filter(other => other !== fact),
        { explain: false },
      ).contradiction === undefined,
  );
}

/** `rest -10.603 GiB (line 1)`; a fact without a line, such as "no state pool", is left out. */
function factMessage(fact: Fact): Message[] {
  const line = lineOfFact(fact);
  const term = nameOf(fact.term);
  const unit = new UnitInferrer().unitOf(fact.term);
  if (line === undefined || term === undefined || unit === undefined) {
    return [];
  }
  const { interval, nominal, provenance } = fact;
  const value: Quantity = {
    interval,
    unit,
    basis: 'proved',
    assumptions: [],
    provenance,
    ...(nominal !== undefined && { printed: Number(nominal), nominal: Number(nominal) }),
  };
  return [message('contradiction.fact', { term, value, line })];
}

function lineOfFact(fact: Fact): number | undefined {
  return fact.provenance.flatMap(source => (source.kind === 'printed' ? [source.line] : []))[0];
}

/**
 * An argument dump may print a rounded value; a gap below half a hundredth is not worth a warning.
 * Where the release may have multiplied the claim by a known factor, that is said.
 */
export function fractionMismatch(account: JudgedAccount): Problem[] {
  const { claimed, effective, implied } = account.fraction;
  const inForce = effective ?? implied ?? claimInLog(account.run);
  if (claimed === undefined || inForce === undefined) {
    return [];
  }
  const near = { lo: inForce.interval.lo - 0.005, hi: inForce.interval.hi + 0.005 };
  if (intersect(near, claimed.interval) !== undefined) {
    return [];
  }
  const factor =
    (effective ?? implied) && multiplierThatFits(account.run, claimed.interval, inForce.interval);
  // Without a pool there is none that could imply anything.
  const isPool =
    account.quantities.has('kvPool') || account.quantities.get('maxTotalTokens') !== undefined;
  const product =
    factor &&
    derive('claimed * factor', {
      claimed,
      factor: givenQuantity(factor.factor, units.one, 'factor'),
    });
  return [
    {
      code: 'fraction-mismatch',
      severity: 'warning',
      ...placeOf(account.quantities.get('kvPool') ?? inForce, account),
      message:
        factor && product
          ? multipliedMessage(
              { claimed, product, reason: message(`multiplier.${factor.reason}`, {}) },
              inForce,
              isPool,
            )
          : isPool && (effective || implied)
            ? message('problem.fraction-mismatch', { claimed, implied: inForce })
            : message('problem.fraction-other', { claimed, shown: inForce }),
    },
  ];
}

function multipliedMessage(
  figures: { readonly claimed: Quantity; readonly product: Quantity; readonly reason: Message },
  inForce: Quantity,
  isPool: boolean,
): Message {
  return isPool
    ? message('problem.fraction-multiplied', { ...figures, implied: inForce })
    : message('problem.fraction-multiplied-shown', { ...figures, shown: inForce });
}

/** A pool wider than the claimed fraction can have budgeted, by what sparse FP8 rows account for. */
export function overClaimed(account: JudgedAccount): Problem[] {
  const over = overByClaim(account);
  const pool = account.quantities.get('kvPool');
  if (!over || !pool || over.interval.lo < overBudgetGiB) {
    return [];
  }
  return [
    {
      code: 'over-allocated',
      severity: 'warning',
      ...placeOf(pool, account),
      message: message('problem.over-claimed', { over, pool }),
    },
  ];
}

/** Rows of 656 + 132 bytes where 576 + 132 were budgeted (reference 3.1), give or take sampling. */
const sparseShare = { lo: 0.88, hi: 0.92 };

function overByClaim({ run, budget, fraction, quantities }: JudgedAccount): Quantity | undefined {
  const pool = quantities.get('kvPool');
  const total = quantities.get('totalBeforeLoad');
  const available = quantities.get('availableAfterLoad');
  const { claimed } = fraction;
  if (!pool || !total || !available || !claimed || !mayBeSparseFp8(run, budget.binding)) {
    return undefined;
  }
  const known = { pool, total, available, claimed };
  const share = derive('(available - total * (1 - claimed)) / pool', known);
  if (!share || !intersect(share.interval, sparseShare)) {
    return undefined;
  }
  const over = derive('pool - (available - total * (1 - claimed))', known);
  // Ranks that are not in the log leave the excess open; rows of that kind do not.
  const most = intersect(over?.interval ?? pool.interval, {
    lo: pool.interval.lo * (1 - sparseShare.hi),
    hi: pool.interval.hi * (1 - sparseShare.lo),
  });
  return over && most && { ...over, interval: most };
}

/** The engine's "raise above" is checked: reservations may have been subtracted after it. */
export function adviceTooLow(account: JudgedAccount): Problem[] {
  const { cause } = account.outcome;
  const suggested = cause?.fields['suggested'];
  if (!cause || !suggested) {
    return [];
  }
  const advised = givenQuantity(suggested.value, units.one, 'suggested');
  const problem = (text: Message): Problem[] => [
    { code: 'advice-too-low', severity: 'warning', ...lineOf(cause), message: text },
  ];
  const inForce = cause.fields['fraction'];
  const isShown =
    printedReservation(account.run) && minimumBelowFraction(account.run) === undefined;
  const { minimum } = account.fraction;
  if (
    inForce !== undefined &&
    Number(inForce.value) >= advised.interval.hi &&
    !(isShown === true && minimum)
  ) {
    const fraction = givenQuantity(inForce.value, units.one, 'fraction');
    return problem(message('problem.advice-below-value', { advised, fraction }));
  }
  // What the engine advises is rounded up to a thousandth of its own samples.
  return minimum === undefined || minimum.interval.lo <= advised.interval.hi + 0.0005
    ? []
    : problem(message('problem.advice-too-low', { advised, minimum }));
}
