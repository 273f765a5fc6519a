/** The verdict of an account in one message: what happened, with its numbers. Leaves out what to do (accountCure.ts). */
import type { LogRecord } from '../log/record';
import type { Message } from '../message/message';
import { message } from '../message/message';
import type { Quantity } from '../units/quantity';
import type { RunAccount } from './account';
import { assumptions } from './assumption';
import { fieldQuantity } from './figure';
import { minimumBelowFraction, printedReservation } from './hiddenReserve';
import { askedHostCache, hostRefusalOf, startsWithHostPool } from './hostMemory';
import { inGiB, inReadableScale } from './scale';
import { pastUse, retractionsOf } from './servingLoad';
import type { Shortage } from './shortage';
import { windowCapOf } from './sizingReason';

type Account = Omit<RunAccount, 'problems'>;

/** The verdict in one sentence with its numbers. */
export function summaryMessage(account: Account): Message {
  const verdict = ownSummary(account);
  const { copies } = account.run;
  return copies === undefined
    ? verdict
    : message('verdict.unnamed-ranks', { verdict, count: copies });
}

function ownSummary(account: Account): Message {
  const { outcome, shortage, run } = account;
  if (run.isMixed) {
    return message('verdict.mixed-servers', {});
  }
  if (shortage !== undefined) {
    return shortageMessage(shortage);
  }
  switch (outcome.kind) {
    case 'ok':
      return withShortPool(account, readyMessage(account));
    case 'not-enough-memory':
      return withUnseenRank(account, sizingMessage(account));
    case 'pool-exhausted':
      return poolMessage(account);
    case 'slots-exhausted':
      return slotsMessage(account);
    case 'host-oom':
      return hostMessage(account);
    case 'rank-imbalance':
      return unbalancedMessage(account);
    case 'incomplete':
      return incompleteMessage(account);
    case 'not-memory':
      return (
        fixedSizeMessage(outcome.cause) ??
        message(showsWhy(account) ? 'verdict.not-memory' : 'verdict.not-shown', {})
      );
    default:
      return message(`verdict.${outcome.kind}`, {});
  }
}

/** A workspace of fixed size that a batch outgrew, or a file system that is full. */
function fixedSizeMessage(cause: LogRecord | undefined): Message | undefined {
  if (cause?.form.id === 'no-space-left') {
    return message('verdict.no-space', {});
  }
  const asked = cause?.form.id === 'workspace-too-small' ? readableOf(cause, 'asked') : undefined;
  return asked && message('verdict.workspace', { asked });
}

/** False where the log shows that processes died, and no error of any. */
function showsWhy({ run, outcome }: Account): boolean {
  return outcome.cause !== undefined || run.records.some(({ form }) => form.event === 'traceback');
}

/** Share of a full-length request, and GiB left, beyond which a problem of its own says it. */
const saidByProblem = { share: 0.5, idleGiB: 10 };

/** That no request of the full context length can run, where the pool holds most of one. */
function withShortPool({ quantities, run }: Account, ready: Message): Message {
  const [tokens, context, left] = (
    ['maxTotalTokens', 'contextLength', 'finalAvailable'] as const
  ).map(id => quantities.get(id));
  const isShort =
    tokens !== undefined &&
    context !== undefined &&
    tokens.interval.hi < context.interval.lo &&
    tokens.interval.hi >= context.interval.lo * saidByProblem.share;
  const isShared = (run.parallel.cp ?? 1) > 1 || run.formulaOwner.value !== 'sglang';
  const isSaid = (left?.interval.lo ?? 0) >= saidByProblem.idleGiB;
  return isShort && !isShared && !isSaid ? message('verdict.ok-short', { ready, context }) : ready;
}

function readyMessage({ quantities, run }: Account): Message {
  const tokens = quantities.get('maxTotalTokens');
  const pool = quantities.get('kvPool');
  const all = quantities.get('clusterTokens');
  const replicas = run.parallel.dp ?? 1;
  const isUnequal =
    all !== undefined &&
    tokens !== undefined &&
    (all.interval.lo > tokens.interval.hi * replicas ||
      all.interval.hi < tokens.interval.lo * replicas);
  if (isUnequal && pool) {
    return message('verdict.ok-replicas', { all, tokens, pool });
  }
  const window = quantities.get('swaPool');
  if (tokens && pool) {
    return window
      ? message('verdict.ok-window', { tokens, pool, window })
      : message('verdict.ok', { tokens, pool });
  }
  const isShown = run.records.some(({ form }) => form.event === 'ready' || form.id === 'summary');
  return tokens
    ? message(isShown ? 'verdict.ok-tokens' : 'verdict.ready-served', { tokens })
    : message('verdict.ok-plain', {});
}

function sizingMessage(account: Account): Message {
  const { fraction } = account;
  const inForce = fraction.effective ?? fraction.claimed ?? fraction.implied;
  const rest = restOf(account);
  const tokens = account.quantities.get('profiledTokens');
  const viable = minimumBelowFraction(account.run);
  const other = otherSizing(account);
  if (other !== undefined) {
    return other;
  }
  if (viable && inForce) {
    return message('verdict.not-enough-memory-reserved', { fraction: inForce, minimum: viable });
  }
  const reserved = reservedMessage(account, inForce);
  if (reserved !== undefined) {
    return reserved;
  }
  const { cause } = account.outcome;
  if (cause?.form.id === 'state-does-not-fit' && rest) {
    return stateMessage(account, rest, amountOf(cause, 'perSlot'));
  }
  const isShown = fraction.effective !== undefined || account.quantities.has('restMemory');
  if (!isShown && tokens?.basis === 'proved' && tokens.interval.hi < 0) {
    return message('verdict.not-enough-memory-tokens', { tokens });
  }
  if (rest && inForce && fraction.minimum) {
    return Number.isFinite(fraction.minimum.interval.hi) && Number.isFinite(rest.interval.lo)
      ? message('verdict.not-enough-memory', {
          rest,
          fraction: inForce,
          minimum: fraction.minimum,
        })
      : message('verdict.not-enough-memory-open', {
          fraction: inForce,
          minimum: lowest(fraction.minimum),
        });
  }
  if (cause?.form.id === 'state-too-small' && inForce && fraction.minimum) {
    return message('verdict.state-few', { fraction: inForce, minimum: lowest(fraction.minimum) });
  }
  if (inForce) {
    return message('verdict.not-enough-memory-plain', { fraction: inForce });
  }
  return fraction.minimum
    ? message('verdict.not-enough-memory-floor', { minimum: fraction.minimum })
    : message('verdict.not-enough-memory-bare', {});
}

/** A sizing that failed for another reason than the target's budget. */
function otherSizing({ advice, outcome, fraction }: Account): Message | undefined {
  if (outcome.cause?.form.id === 'unified-pool-too-small') {
    const [budget, floor] = ['budget', 'floor'].map(name => readableOf(outcome.cause, name));
    return budget && floor
      ? message('verdict.unified-small', { budget, floor })
      : message('verdict.not-enough-memory-bare', {});
  }
  const reason = advice.kind === 'none' ? advice.reason : undefined;
  if (reason === 'draft-sizing') {
    return message('verdict.draft-sizing', {});
  }
  const cap = windowCapOf(outcome);
  if (reason === 'window-cap') {
    return cap ? message('verdict.window-cap', cap) : message('verdict.not-enough-memory-bare', {});
  }
  if (reason === 'lowered-fraction' || reason === 'unexplained') {
    return fraction.claimed
      ? message('verdict.not-enough-memory-claimed', { fraction: fraction.claimed })
      : message('verdict.not-enough-memory-bare', {});
  }
  return undefined;
}

/** A reservation that is printed, where it makes the floor that the fraction is below. */
function reservedMessage(
  { run, outcome, fraction: { minimum } }: Account,
  fraction: Quantity | undefined,
): Message | undefined {
  const reservation = printedReservation(run);
  const isFloor =
    minimum && fraction && fraction.interval.lo < minimum.interval.hi && minimum.interval.hi < 1;
  return reservation && isFloor === true && outcome.cause?.form.id !== 'state-does-not-fit'
    ? message('verdict.not-enough-memory-reservation', {
        fraction,
        minimum,
        reserved: reservation.amount,
        line: reservation.record.line,
      })
    : undefined;
}

/** A state pool that does not fit: what is left for it and the cache, and what one slot takes. */
function stateMessage(
  { fraction: { minimum } }: Account,
  rest: Quantity,
  slot: Quantity | undefined,
): Message {
  if (rest.interval.lo > 0 && slot) {
    return message('verdict.state-short', { rest, slot });
  }
  return minimum && Number.isFinite(minimum.interval.hi)
    ? message('verdict.state-negative', { rest, minimum })
    : message('verdict.state-negative-plain', { rest });
}

/** The minimum that an error prints is that of all ranks: it tells of one that has less. */
function withUnseenRank({ ranks, quantities, outcome }: Account, verdict: Message): Message {
  const available = quantities.get('availableAfterLoad');
  const samples = ranks.flatMap(
    ({ figures }) => (figures.draftLoadEnd ?? figures.loadEnd)?.quantity.interval.lo ?? [],
  );
  const isLess = available !== undefined && available.interval.hi < Math.min(...samples) - 0.01;
  return isLess && samples.length > 0 && outcome.cause?.fields['minimum'] !== undefined
    ? message('verdict.unseen-rank', { verdict, available })
    : verdict;
}

/** As printed, or what the claimed fraction gives. */
function restOf(account: Account): Quantity | undefined {
  const { fraction, quantities, whatIf } = account;
  return quantities.get('restMemory') ?? (fraction.claimed && whatIf.row(fraction.claimed).pool);
}

function shortageMessage({ place, graph, asked, free, missing }: Shortage): Message {
  const where =
    place === 'capture' && graph !== undefined
      ? message('where.capture-of', { graph })
      : message(`where.${place}`, {});
  if (asked === undefined) {
    return message('verdict.device-oom-plain', { where });
  }
  const figures =
    free === undefined
      ? message('oom.asked', { asked })
      : missing === undefined
        ? message('oom.in-pieces', { asked, free })
        : message('oom.missing', { asked, free, missing });
  return message('verdict.device-oom', { where, figures });
}

function poolMessage({ run, outcome, fullPool }: Account): Message {
  const { cause } = outcome;
  const needed = cause && amountOf(cause, 'needed');
  const available = cause && amountOf(cause, 'available');
  if (cause?.form.id === 'retraction-failed') {
    return message('verdict.no-token-left', {});
  }
  if (needed && available) {
    return message('verdict.tokens-short', { needed, available });
  }
  const past = pastUse(run, cause);
  if (past !== undefined) {
    return message('verdict.pool-retracted', {
      times: retractionsOf(run).length,
      now: past.used,
    });
  }
  const { used, running, waiting, each } = fullPool ?? {};
  if (!used || !running || !each) {
    return message('verdict.pool-exhausted', {});
  }
  const pool = fullPool?.pool === 'swa' ? 'window' : 'pool';
  return cause?.form.id === 'retraction' || waiting === undefined
    ? message(`verdict.${pool}-retracts`, { used, running, each })
    : message(`verdict.${pool}-full`, { used, running, each, waiting });
}

function slotsMessage({ outcome, fullPool, quantities }: Account): Message {
  const { cause } = outcome;
  const needed = cause && amountOf(cause, 'needed');
  const available = cause && amountOf(cause, 'available');
  const pool = quantities.get('maxTotalTokens');
  if (fullPool?.pool === 'state' && fullPool.running && !needed) {
    const { used, running, waiting } = fullPool;
    return waiting && cause?.form.id !== 'retraction'
      ? message('verdict.state-full', { used, running, waiting })
      : message('verdict.state-retracts', { used, running });
  }
  if (!needed || !available) {
    return message('verdict.slots-exhausted', {});
  }
  return fullPool && fullPool.pool !== 'state' && pool
    ? message('verdict.slots-short-used', { needed, available, used: fullPool.used, pool })
    : message('verdict.slots-short', { needed, available });
}

function hostMessage({ run, outcome, host, quantities }: Account): Message {
  const refusal = outcome.cause && hostRefusalOf(run, outcome.cause);
  if (refusal !== undefined) {
    const { asked, usable, free, fits, isNet, ranks } = refusal;
    const left = isNet ? message('host.net', { free }) : message('host.gross', { usable, free });
    const flag = `--hicache-size ${fits ?? 0}`;
    const pool = quantities.get('kvPool');
    const isRefused = fits !== undefined && !startsWithHostPool(run, fits, pool);
    const cure =
      fits === undefined || isRefused
        ? isRefused && pool
          ? message('host.below-device', { pool })
          : message('host.none-fits', {})
        : ranks > 1
          ? message('host.fits-each', { flag, ranks })
          : message('host.fits', { flag });
    return message('verdict.host-refused', { asked, left, cure });
  }
  const refused = outcome.cause;
  const asked =
    refused?.form.id === 'host-allocation-failed'
      ? readableOf(refused, 'asked')
      : refused?.form.id === 'host-memory-refused'
        ? (amountOf(refused, 'hip') ?? readableOf(refused, 'pinned'))
        : undefined;
  if (asked !== undefined) {
    return message('verdict.host-asked', { asked });
  }
  if (outcome.cause?.form.id === 'process-killed' || outcome.cause?.form.id === 'exit-code') {
    return killedMessage(run, host);
  }
  return host
    ? message('verdict.host-killed', { node: host.node })
    : message('verdict.host-oom', {});
}

/** Signal 9, and what the caches were to take of the host where the arguments say it. */
function killedMessage(run: Account['run'], host: Account['host']): Message {
  const verdict = message('verdict.killed', {});
  if (host !== undefined) {
    return message('verdict.killed-pools', { verdict, node: host.node });
  }
  const asked = askedHostCache(run);
  return asked === undefined
    ? verdict
    : message('verdict.killed-cache', {
        verdict,
        flag: `--hicache-size ${asked.eachGB}`,
        ranks: asked.ranks,
        node: asked.node,
      });
}

function unbalancedMessage({ run, outcome }: Account): Message {
  const { cause } = outcome;
  const [least, local] = ['minimum', 'local'].map(name => cause && amountOf(cause, name));
  if (run.ranks.some(({ draft }) => cause !== undefined && draft.includes(cause))) {
    return message('verdict.unbalanced-draft', {});
  }
  return least && local
    ? message('verdict.unbalanced', { least, local })
    : message('verdict.rank-imbalance', {});
}

/** Where the log ends, and the pools that the run had got by then, or would get by its config. */
function incompleteMessage(account: Account): Message {
  const end = endMessage(account);
  const made = [...account.quantities].filter(
    ([, { assumptions: named }]) => !named.includes(assumptions.configOfModel),
  );
  const pools = poolsMessages({ quantities: new Map(made) });
  if (pools.length > 0) {
    return message('verdict.incomplete-with', { end, pools });
  }
  const coming = poolsMessages(account);
  return coming.length === 0 ? end : message('verdict.incomplete-before', { end, pools: coming });
}

/** The pools of one rank: tokens with their cache, window and state. */
function poolsMessages({ quantities }: Pick<Account, 'quantities'>): Message[] {
  const [tokens, full, pool, swaPool, state] = (
    ['maxTotalTokens', 'fullTokens', 'kvPool', 'swaPool', 'statePool'] as const
  ).map(id => quantities.get(id));
  const isLimited = tokens && full && tokens.interval.hi < full.interval.lo;
  const cache =
    tokens && pool
      ? message('pool.tokens-in', { tokens, pool })
      : isLimited
        ? message('pool.tokens-of', { tokens, full })
        : tokens
          ? message('pool.tokens', { tokens })
          : pool && message('pool.cache', { pool });
  return [
    ...(cache ? [cache] : []),
    ...(swaPool ? [message('pool.window', { pool: swaPool })] : []),
    ...(state ? [message('pool.state', { pool: state })] : []),
  ];
}

function endMessage({ run, outcome }: Account): Message {
  const hasServed = run.records.some(
    ({ form }) => form.event === 'ready' || form.event === 'serving',
  );
  if (run.outcome === 'failed' && hasServed) {
    return failedLater(run);
  }
  if (run.engine.value === 'vllm') {
    return message('verdict.other-engine', {});
  }
  const last = run.ranks.flatMap(({ records }) => records.at(-1) ?? []);
  if (last.some(record => record.form.event === 'init-begin' && isDraft(run, record))) {
    return message('verdict.incomplete-draft', {});
  }
  return run.records.length === 0
    ? message('verdict.incomplete', {})
    : message('verdict.incomplete-in', { phase: outcome.phase });
}

/** Where the error starts, and whether the log goes on from there. */
function failedLater({ records, lines }: Account['run']): Message {
  const head = records.find(({ form }) => form.event === 'traceback');
  return head === undefined
    ? message('verdict.failed-later', {})
    : message(lines[1] > head.endLine ? 'verdict.failed-later-at' : 'verdict.failed-later-cut', {
        line: head.line,
      });
}

function isDraft(run: Account['run'], record: LogRecord): boolean {
  return run.ranks.some(({ draft }) => draft.includes(record));
}

/** Bytes in the scale that a person reads. */
function readableOf(record: LogRecord | undefined, name: string): Quantity | undefined {
  const amount = record && amountOf(record, name);
  const inGibibytes = amount && inGiB(amount);
  return inGibibytes && inReadableScale(inGibibytes);
}

function amountOf(record: LogRecord, name: string): Quantity | undefined {
  const field = record.fields[name];
  return field && fieldQuantity(record, field);
}

/** Where ranks may need more than what is shown: the least that is known. */
export function lowest(minimum: Quantity): Quantity {
  const { lo, hi } = minimum.interval;
  return Number.isFinite(hi)
    ? minimum
    : { ...minimum, interval: { lo, hi: lo }, printed: lo, nominal: lo };
}
