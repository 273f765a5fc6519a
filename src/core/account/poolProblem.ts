/**
 * Problems of the pools of a server that starts: too few tokens, memory that nobody uses, costs
 * outside the budget that leave nothing.
 */
import { message } from '../message/message';
import type { Message } from '../message/message';
import { budgetTerms } from '../sglang/budgetFormula';
import { derive, sum } from '../terms/derive';
import type { Quantity } from '../units/quantity';
import type { Advice } from './advice';
import { leversOf } from './advice';
import { hidesRanks } from './budgetFacts';
import { withHostPool } from './hostGrowth';
import type { JudgedAccount, Problem } from './problem';
import { placeOf } from './problem';
import { isForMemory } from './verdict';

/** GiB free at ready from which memory lies idle (design section 4). */
const idleGiB = 10;

/** GiB below which nothing is left for graphs. */
const nothingLeftGiB = 0.25;

/** Tokens of a request below which a limit is no context length that anybody serves. */
const shortestContext = 4096;

/** Beyond every pool, in tokens. */
const noLimit = 2 ** 40;

/** True where a limit of tokens, and not memory, decides the pool, or may. */
function isCapped({ run, solution }: JudgedAccount): boolean {
  const typed = run.serverArguments?.values.get('max_total_tokens')?.value;
  const cap = solution.intervalOf(budgetTerms.cap);
  return typeof typed === 'bigint' || (cap !== undefined && cap.lo < noLimit);
}

/** Idle memory is ours to use only where the card is ours and the free memory the card's. */
function idleOf(account: JudgedAccount) {
  const idle = account.quantities.get('finalAvailable');
  return !idle ||
    account.freed !== undefined ||
    idle.interval.lo < idleGiB ||
    isCapped(account) ||
    !gotReady(account) ||
    // A summary alone tells neither the fraction nor what it is a share of.
    account.quantities.get('totalBeforeLoad') === undefined ||
    isForMemory(account.outcome) ||
    isUnusable(account.advice)
    ? undefined
    : idle;
}

/** Not where the log stops amid the start: captures and a draft may still take of what is free. */
function gotReady({ run, outcome, ranks }: JudgedAccount): boolean {
  return (
    (outcome.kind !== 'incomplete' && run.outcome !== 'open') ||
    ranks.some(({ figures }) => figures.finalAvailable !== undefined)
  );
}

/** Reasons for which free memory is not there for the pool. */
const unusable: ReadonlySet<string> = new Set([
  'formula-owner',
  'host-memory',
  'maybe-host-memory',
  'memory-saver',
  'shared-card',
  'training',
]);

function isUnusable(advice: Advice): boolean {
  return advice.kind === 'none' && unusable.has(advice.reason);
}

/**
 * A pool that does not hold one full-length request: a warning where much memory stays free, else to be
 * known of a server that runs, where it is far from it.
 */
export function tinyPool(account: JudgedAccount): Problem[] {
  const tokens = account.quantities.get('maxTotalTokens');
  const context = account.quantities.get('contextLength');
  const idle = idleOf(account);
  if (!tokens || !context || tokens.interval.hi >= context.interval.lo) {
    return [];
  }
  if (idle === undefined) {
    const isSmall = tokens.interval.hi < context.interval.lo * smallShare;
    return isSmall && runsAlone(account) ? [smallPool(account, { tokens, context })] : [];
  }
  return [
    {
      code: 'tiny-pool',
      severity: 'warning',
      ...placeOf(tokens, account),
      message: message('problem.tiny-pool', {
        cure: raiseMessage(account),
        tokens,
        context,
        idle,
      }),
      ...fixOf(account.spare),
    },
  ];
}

/**
 * Share of one full-length request below which a pool without idle memory is spoken of: context lengths
 * of models are often beyond what anybody serves, and a pool of most of one is no surprise.
 */
const smallShare = 0.5;

/** True for a server of ours that started and whose pool is not shared by several cards. */
function runsAlone({ run, outcome, advice }: JudgedAccount): boolean {
  const isOurs = advice.kind === 'fraction' || advice.reason !== 'formula-owner';
  return isOurs && outcome.kind === 'ok' && (run.parallel.cp ?? 1) === 1;
}

/** With the fraction that holds one request, where one does and no limit of tokens decides. */
function smallPool(
  account: JudgedAccount,
  figures: { readonly tokens: Quantity; readonly context: Quantity },
): Problem {
  const { advice } = account;
  const idle = unexplainedIdle(account);
  const offered =
    advice.kind === 'fraction' && advice.need?.kind === 'request' && !isCapped(account)
      ? advice
      : undefined;
  return {
    code: 'tiny-pool',
    severity: 'information',
    ...placeOf(figures.tokens, account),
    message: offered
      ? message('problem.small-pool-to', { cure: raiseMessage(account, offered), ...figures })
      : idle
        ? message('problem.small-pool-idle', { ...figures, idle })
        : message('problem.small-pool', figures),
    ...fixOf(offered),
  };
}

/** Much free memory of a run of which neither the start nor the arguments are shown. */
function unexplainedIdle(account: JudgedAccount): Quantity | undefined {
  const { advice, freed, quantities, run } = account;
  const idle = quantities.get('finalAvailable');
  const isOpen = run.serverArguments === undefined && !quantities.has('totalBeforeLoad');
  const isUsable = freed === undefined && !isCapped(account);
  return idle && idle.interval.lo >= idleGiB && isOpen && isUsable && !isUnusable(advice)
    ? idle
    : undefined;
}

export function idleMemory(account: JudgedAccount): Problem[] {
  const idle = idleOf(account);
  if (idle && account.outcome.kind === 'slots-exhausted') {
    const said = message('problem.idle-memory-slots', { idle });
    return [
      {
        code: 'idle-memory',
        severity: 'information',
        ...placeOf(idle, account),
        message: said,
      },
    ];
  }
  return idle === undefined
    ? []
    : [
        {
          code: 'idle-memory',
          severity: 'information',
          ...placeOf(idle, account),
          // The cure is said once.
          message:
            tinyPool(account).length > 0
              ? message('problem.idle-memory-plain', { idle })
              : message('problem.idle-memory', { cure: raiseMessage(account), idle }),
          ...fixOf(account.spare),
        },
      ];
}

function fixOf(spare: Advice | undefined): Pick<Problem, 'fix'> {
  return spare?.kind === 'fraction' ? { fix: spare.flag } : {};
}

/** What a larger fraction gives, and what that hangs on where the log does not show it. */
function raiseMessage(account: JudgedAccount, offered = account.spare): Message {
  const { ownFraction } = account;
  if (
    ownFraction &&
    offered?.kind !== 'fraction' &&
    isKeptByRelease(account, ownFraction, offered)
  ) {
    return message('cure.kept-by-release', { fraction: ownFraction });
  }
  const cure = boundedMessage(account, offered);
  const ranked = hidesRanks(account.run) ? message('cure.unless-ranks', { cure }) : cure;
  return showsLimit(account.run) ? ranked : message('cure.unless-limited', { cure: ranked });
}

/** True where the release would set no more than what is in force. */
function isKeptByRelease(
  { fraction }: JudgedAccount,
  own: Quantity,
  offered: Advice | undefined,
): boolean {
  const inForce = fraction.effective ?? fraction.implied ?? fraction.claimed;
  const isReached = inForce !== undefined && own.interval.hi <= inForce.interval.lo;
  return isReached || (offered?.kind === 'none' && offered.reason === 'kept-by-release');
}

/** An offer that the release's own fraction bounds says so. */
function boundedMessage(account: JudgedAccount, offered: Advice | undefined): Message {
  const cure = withHostPool(account.whatIf, offered, gainMessage(offered));
  const { ownFraction: fraction } = account;
  return fraction && offered?.kind === 'fraction' && offered.isOwn === true
    ? message('cure.raise-to-own', { cure, fraction })
    : cure;
}

/** True where the log tells whether a limit of tokens was typed. */
function showsLimit({ serverArguments, records }: JudgedAccount['run']): boolean {
  return (
    serverArguments?.values.has('max_total_tokens') === true ||
    records.some(({ form }) => form.id === 'token-clamp')
  );
}

/** What a larger fraction gives, where a value can be offered. */
function gainMessage(spare: Advice | undefined): Message {
  const tokens = spare?.kind === 'fraction' ? spare.row.tokens : undefined;
  const left = spare?.kind === 'fraction' ? spare.row.left : undefined;
  if (spare?.kind !== 'fraction' || !left) {
    return message('cure.raise', {});
  }
  return tokens
    ? message('cure.raise-to', { flag: spare.flag, tokens, left })
    : message('cure.raise-to-plain', { flag: spare.flag, left });
}

/** Requests are refused because a pool, or a context length, is shorter than they are. */
export function refusedRequests(account: JudgedAccount): Problem[] {
  const maximum = account.quantities.get('maxRequestTokens');
  const context = account.quantities.get('contextLength');
  const isPool =
    maximum !== undefined &&
    maximum.interval.hi < (context?.interval.lo ?? shortestContext) - shortestMargin;
  return maximum && isPool
    ? [
        {
          code: 'tiny-pool',
          severity: 'warning',
          ...placeOf(maximum, account),
          message: message('problem.refused-requests', { maximum }),
        },
      ]
    : [];
}

/** A request is refused a few tokens below the limit itself (reference 5.7). */
const shortestMargin = 16;

/** Fixed costs outside the budget took the whole slack: nothing is left for graphs. */
export function spentSlack(account: JudgedAccount): Problem[] {
  const own = account.ranks.find(({ isBinding }) => isBinding)?.figures;
  const left = own?.poolEnd?.quantity;
  const after = own?.loadEnd?.quantity;
  const pools = sum(
    [own?.kvPool, own?.swaPool, ...(own?.draftPools ?? [])].flatMap(
      pool => pool?.size.quantity ?? [],
    ),
  );
  if (!left || !after || !pools || left.interval.hi >= nothingLeftGiB) {
    return [];
  }
  const spent = derive('after - pools - left', { after, pools, left });
  if (spent === undefined || spent.interval.lo < nothingLeftGiB) {
    return [];
  }
  const requestTable = account.quantities.get('requestToTokenPool');
  const costs = { run: account.run, requestTable, graphs: undefined };
  const lever = leversOf(account.solution, costs, undefined).find(
    ({ id }) => id === 'request-table',
  );
  return [
    {
      code: 'over-allocated',
      severity: 'warning',
      ...placeOf(left, account),
      message: lever
        ? message('problem.spent-slack-to', { flag: lever.flag, gain: lever.gain, left, spent })
        : message('problem.spent-slack', { left, spent }),
      ...(lever && { fix: lever.flag }),
    },
  ];
}
