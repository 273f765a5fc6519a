/**
 * What to do about a pool that ran out of tokens: more of them where memory for them lies free, else
 * fewer requests at once. Leaves out slots, which their verdict itself sends to a flag.
 */
import type { LogRecord } from '../log/record';
import type { Message } from '../message/message';
import { message } from '../message/message';
import { budgetTerms } from '../sglang/budgetFormula';
import { derive, factOf } from '../terms/derive';
import { givenQuantity } from '../units/givenQuantity';
import { units } from '../units/unit';
import type { RunAccount } from './account';
import { fieldQuantity } from './figure';
import { factorInForce } from './fractionMultiplier';
import { withHostPool } from './hostGrowth';
import { flagName } from './offeredFlag';
import type { FullPool } from './servingLoad';
import { retractionsOf, pastUse } from './servingLoad';
import { bindingLimit } from './tokenLimit';

type Account = Omit<RunAccount, 'problems'>;

/** Share of the tokens below which more of them change nothing. */
const leastGain = 0.02;

/** One direction with its numbers, and its flag; undefined where neither is known. */
export function fullPoolCure(
  account: Account,
): { readonly message: Message; readonly flag: string | undefined } | undefined {
  const { outcome, fullPool } = account;
  if (outcome.kind !== 'pool-exhausted') {
    return undefined;
  }
  if (fullPool?.pool === 'swa') {
    return windowCure(fullPool);
  }
  return pastUse(account.run, outcome.cause)
    ? undefined
    : (moreTokens(account) ?? fewerRequests(account));
}

/** A share of the full pool from which it has nothing to give to the window. */
const mostUsed = 0.9;

/** Both pools are cut from one budget. */
function windowCure({ beside }: FullPool) {
  return beside && beside.usage.interval.hi < mostUsed
    ? { message: message('cure.window-ratio', { used: beside.used }), flag: undefined }
    : undefined;
}

function moreTokens(account: Account) {
  const { solution, spare, quantities, fullPool, run, fraction, whatIf } = account;
  const own = quantities.get('maxTotalTokens');
  const limit = bindingLimit(solution);
  const inForce =
    fraction.effective ??
    (factorInForce(run, fraction) === undefined ? fraction.claimed : undefined);
  const room =
    limit &&
    inForce &&
    whatIf
      .solve([factOf(budgetTerms.fraction, inForce)], [budgetTerms.uncapped])
      .quantityOf(budgetTerms.uncapped);
  const isWorth = (tokens: number): boolean =>
    own !== undefined && tokens > own.interval.hi * (1 + leastGain);
  if (limit !== undefined) {
    const most = Math.floor((room?.interval.lo ?? 0) / 1000) * 1000;
    const flag = `--max-total-tokens ${most}`;
    return isWorth(most) && Number.isFinite(most)
      ? { message: message('cure.raise-limit', { flag, limit }), flag }
      : undefined;
  }
  const tokens = spare?.kind === 'fraction' ? spare.row.tokens : undefined;
  const left = spare?.kind === 'fraction' ? spare.row.left : undefined;
  if (spare?.kind !== 'fraction' || !tokens || !left || !isWorth(tokens.interval.lo)) {
    return undefined;
  }
  const { flag } = spare;
  const each = fullPool?.each;
  const requests =
    each &&
    derive('tokens / each', {
      tokens: givenQuantity(Math.floor(tokens.interval.lo), units.token, 'tokens'),
      each,
    });
  const count = requests && Math.floor(requests.interval.lo);
  const cure = count
    ? message('cure.more-tokens-for', { flag, tokens, left, count })
    : message('cure.more-tokens', { flag, tokens, left });
  return { message: withHostPool(whatIf, spare, cure), flag };
}

/** What was still running after the last retraction is what the pool held at that time. */
function fewerRequests({ run, outcome: { cause }, quantities }: Account) {
  const retractions = retractionsOf(run);
  const last = retractions.findLast(({ rank }) => cause === undefined || rank === cause.rank);
  const running = last && runningAt(run.records, last);
  const gone = last && countOf(last, 'retracted');
  const left = running !== undefined && gone !== undefined ? running - gone : 0;
  if (left < 1) {
    return undefined;
  }
  const times = retractions.length;
  const name = flagName('requests', run.release);
  const flag = name && `${name} ${left}`;
  const free = quantities.get('finalAvailable');
  const room = free ? message('room.free', { free }) : message('room.unknown', {});
  return flag === undefined || (run.parallel.dp ?? 1) > 1
    ? { message: message('cure.fewer-requests-each', { left, times, room }), flag: undefined }
    : { message: message('cure.fewer-requests', { flag, left, times, room }), flag };
}

function runningAt(records: readonly LogRecord[], event: LogRecord): number | undefined {
  const before = records.slice(0, records.indexOf(event));
  const batch = before.findLast(
    ({ rank, fields }) => rank === event.rank && fields['running'] !== undefined,
  );
  return batch && countOf(batch, 'running');
}

function countOf(record: LogRecord, name: string): number | undefined {
  const field = record.fields[name];
  const quantity = field && fieldQuantity(record, field);
  return quantity?.nominal;
}
