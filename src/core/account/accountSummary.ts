/** The account in one or two messages: what happened, and the one thing to do. */
import type { Message } from '../message/message';
import { message } from '../message/message';
import { budgetTerms } from '../sglang/budgetFormula';
import type { RunAccount } from './account';
import type { Advice, Need } from './advice';

type Account = Omit<RunAccount, 'problems'>;

/** The verdict in one sentence with its numbers. */
export function summaryMessage(account: Account): Message {
  const { outcome, fraction, quantities } = account;
  switch (outcome.kind) {
    case 'ok': {
      const tokens = quantities.get('maxTotalTokens');
      const pool = quantities.get('kvPool');
      return tokens && pool
        ? message('verdict.ok', { tokens, pool })
        : message('verdict.ok-plain', {});
    }
    case 'not-enough-memory': {
      const inForce = fraction.effective ?? fraction.claimed;
      const rest = restOf(account);
      if (rest && inForce && fraction.minimum) {
        return message('verdict.not-enough-memory', {
          rest,
          fraction: inForce,
          minimum: fraction.minimum,
        });
      }
      return inForce
        ? message('verdict.not-enough-memory-plain', { fraction: inForce })
        : message('verdict.not-enough-memory-bare', {});
    }
    default:
      return message(`verdict.${outcome.kind}`, {});
  }
}

/** As printed, or what the claimed fraction gives. */
function restOf(account: Account) {
  const { fraction, quantities, whatIf } = account;
  return quantities.get('restMemory') ?? (fraction.claimed && whatIf.row(fraction.claimed).pool);
}

/** What to do, with the numbers that the offered value gives. */
export function adviceMessage(account: Pick<Account, 'advice' | 'fraction'>): Message {
  const { advice, fraction } = account;
  if (advice.kind === 'fraction') {
    return offerMessage(advice);
  }
  if (advice.reason === 'need-does-not-fit') {
    return doesNotFitMessage(advice);
  }
  if (advice.reason === 'inputs-missing' && fraction.minimum) {
    return message('advice.floor-only', { minimum: fraction.minimum });
  }
  return message('advice.no-value', { reason: message(`reason.${advice.reason}`, {}) });
}

/** An offered value, what it serves and what it leaves. */
export function offerMessage(advice: Extract<Advice, { kind: 'fraction' }>): Message {
  const { tokens, left, fraction } = advice.row;
  if (!tokens || !left) {
    return message('advice.none', {});
  }
  return advice.isMeasured
    ? message('advice.fraction', { fraction, tokens, left, need: needMessage(advice.need) })
    : message('advice.fraction-unmeasured', { fraction, tokens, left, reserve: advice.reserve });
}

export function needMessage(need: Need | undefined): Message {
  return need === undefined
    ? message('need.unknown', {})
    : message(`need.${need.kind}`, { tokens: need.tokens });
}

function doesNotFitMessage(advice: Extract<Advice, { kind: 'none' }>): Message {
  const { need, reserve } = advice;
  if (reserve === undefined) {
    return message('advice.none', {});
  }
  if (need === undefined) {
    return message('advice.no-room', { reserve });
  }
  const levers = leverMessages(advice);
  return levers.length === 0
    ? message('advice.does-not-fit-plain', { need: needMessage(need), reserve })
    : message('advice.does-not-fit', { need: needMessage(need), reserve, levers });
}

function leverMessages(advice: Extract<Advice, { kind: 'none' }>): Message[] {
  return advice.levers.map(({ id, gain, flag }) => message(`lever.${id}`, { gain, flag }));
}

/** The budget's terms that a derivation shows, in the order of the calculation. */
export const derivationOrder = [
  budgetTerms.total,
  budgetTerms.available,
  budgetTerms.fraction,
  budgetTerms.slack,
  budgetTerms.rest,
  budgetTerms.cell,
  budgetTerms.profiled,
  budgetTerms.minimum,
] as const;
