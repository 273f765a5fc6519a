/**
 * One run as the page shows it: what happened and what to do, where the memory went on each rank,
 * what other fractions give, how it was calculated. Every text comes from the writer; every number
 * from the account.
 */
import type { RunAccount } from '../account/account';
import type { RankAccount } from '../account/rankAccount';
import { currentFraction, nearFraction } from '../account/currentFraction';
import { cureOf } from '../account/accountCure';
import { summaryMessage } from '../account/accountSummary';
import { derivationOrder } from '../account/derivationOrder';
import { factorInForce } from '../account/fractionMultiplier';
import { availableAtReady, ledgerName, linesOf } from '../account/ledger';
import { isRepeated, isVerdict } from '../account/problem';
import type { Message } from '../message/message';
import { foreign, message } from '../message/message';
import { budgetTerms } from '../sglang/budgetFormula';
import type { QuantityId } from '../sglang/quantityId';
import type { Quantity } from '../units/quantity';
import { factsAsData } from './budgetData';
import { coursesOf } from './coursePage';
import { fractionRows, offeredFraction } from './fractionRows';
import type {
  PageAction,
  PageFigure,
  PageHeadline,
  PageProblem,
  PageRank,
  PageRun,
  PageTone,
  PageWhatIf,
} from './pageModel';
import type { PageWriter } from './pageWriter';
import { drawnValue, shortFigure } from './pageWriter';
import { ranksAlike } from './ranksAlike';
import { receiptPart } from './receiptPage';
import { servingMessages } from './servingSection';
import { derivationSteps } from './stepsPage';

/** Builds the page's part for one run. */
export function runPage(account: RunAccount, write: PageWriter): PageRun {
  const whatIf = whatIfOf(account);
  const action = actionOf(account, write);
  const alike = ranksAlike(account.ranks);
  return {
    headline: headlineOf(account, write),
    ...(action && { action }),
    facts: factsOf(account, write),
    figures: figuresOf(account, write),
    problems: problemsOf(account, action?.flag, write),
    ranks: account.ranks.map(rank => rankOf(rank, write)),
    ...(alike && { ranksAlike: write.message(alike) }),
    fractions: fractionsOf(account, write),
    rows: fractionRows(account, write),
    ...(account.quantities.has('swaPool') && { hasWindow: true }),
    ...(whatIf && { whatIf }),
    ...(!whatIf && { whatIfMissing: whyNot(account, write) }),
    steps: derivationSteps(account.solution, derivationOrder, write),
    serving: servingMessages(account.run).map(write.message),
    courses: coursesOf(account.run, write),
    ...(account.run.engine.value !== 'vllm' && receiptPart(account, write)),
    assumptions: assumptionsOf(account).map(assumed =>
      write.message(message('page.assumed', { assumed })),
    ),
  };
}

const badKinds: ReadonlySet<string> = new Set([
  'not-enough-memory',
  'load-oom',
  'pool-oom',
  'graph-oom',
  'runtime-oom',
  'pool-exhausted',
  'slots-exhausted',
  'host-oom',
]);

function toneOf({ outcome, problems }: RunAccount): PageTone {
  if (badKinds.has(outcome.kind)) {
    return 'bad';
  }
  if (outcome.kind !== 'ok') {
    return outcome.kind === 'rank-imbalance' ? 'warning' : 'neutral';
  }
  return problems.some(({ severity }) => severity !== 'information') ? 'warning' : 'good';
}

function headlineOf(account: RunAccount, write: PageWriter): PageHeadline {
  const { outcome, quantities } = account;
  const shown = quantities.get('kvPool') ?? quantities.get('maxTotalTokens');
  const isOk = outcome.kind === 'ok';
  return {
    tone: toneOf(account),
    verdict: write.message(summaryMessage(account)),
    sentence: '',
    lines: outcome.cause ? [outcome.cause.line] : isOk && shown ? linesOf(shown) : [],
  };
}

/** The one thing to do: the cure of a failure, else the first problem that has one. */
function actionOf(account: RunAccount, write: PageWriter): PageAction | undefined {
  const cure = cureOf(account);
  if (cure !== undefined) {
    return {
      sentence: write.message(cure.message),
      ...(cure.flag !== undefined && { flag: cure.flag }),
    };
  }
  const curable = account.problems.find(({ fix }) => fix !== undefined);
  return curable?.fix === undefined
    ? undefined
    : { sentence: write.message(curable.message), flag: curable.fix };
}

function factsOf({ run }: RunAccount, write: PageWriter): PageFigure[] {
  const { ranksSeen, ranksExpected } = run.parallel;
  const sizes = (['tp', 'pp', 'dp', 'ep', 'cp'] as const).flatMap(name => {
    const size = run.parallel[name];
    return size !== undefined && !run.parallel.atLeast.has(name) && (size > 1 || name === 'tp')
      ? [`${name.toUpperCase()} ${size}`]
      : [];
  });
  const fact = (label: Message, text: string | undefined): PageFigure[] =>
    text === undefined || text === '' ? [] : [{ label: write.message(label), text, lines: [] }];
  const shown = message('page.foreign', { text: foreign(run.modelClass ?? '') });
  return [
    ...fact(message('page.engine', {}), run.engine.value),
    ...fact(message('page.release', {}), releaseText(run.release, write)),
    ...fact(message('page.model', {}), write.message(shown)),
    ...fact(message('page.parallel', {}), sizes.join(' · ')),
    ...fact(
      message('page.ranks', {}),
      ranksSeen === 0
        ? undefined
        : write.message(
            ranksExpected === undefined
              ? message('page.ranks-seen', { seen: ranksSeen })
              : message('page.ranks-of', { seen: ranksSeen, expected: ranksExpected }),
          ),
    ),
    ...fact(
      message('page.lines', {}),
      write.message(message('page.lines-of', { first: run.lines[0], last: run.lines[1] })),
    ),
  ];
}

function releaseText(release: RunAccount['run']['release'], write: PageWriter): string | undefined {
  switch (release.kind) {
    case 'unknown':
      return undefined;
    case 'range':
      return release.to === undefined
        ? write.message(message('page.release-since', { from: release.from }))
        : release.from === release.to
          ? release.from
          : write.message(message('page.release-range', { from: release.from, to: release.to }));
    case 'between':
      return write.message(
        message('page.release-between', { after: release.after, before: release.before }),
      );
  }
}

/** The numbers that people look for first, by what the run got to. */
const firstIds: readonly QuantityId[] = [
  'maxTotalTokens',
  'profiledTokens',
  'kvPool',
  'restMemory',
  'bytesPerToken',
  'contextLength',
  'finalAvailable',
  'availableAfterLoad',
  'totalBeforeLoad',
];

const mostFigures = 5;

function figuresOf({ quantities }: RunAccount, write: PageWriter): PageFigure[] {
  const hasPool = quantities.has('maxTotalTokens');
  const left = hasPool
    ? new Set<QuantityId>(['profiledTokens', 'restMemory', 'availableAfterLoad'])
    : new Set<QuantityId>(['finalAvailable', 'contextLength']);
  return firstIds
    .filter(id => !left.has(id))
    .flatMap(id => {
      const quantity = quantities.get(id);
      const figure = quantity && shortFigure(id, quantity, write);
      const isFull = id === 'kvPool' && quantities.has('swaPool');
      const label = write.message(message('name.ledger', { entry: 'fullPool' }));
      return figure ? [isFull ? { ...figure, label } : figure] : [];
    })
    .slice(0, mostFigures);
}

/** Those that neither the headline nor the action says; `said` is a flag that the action offers. */
function problemsOf(
  account: RunAccount,
  said: string | undefined,
  write: PageWriter,
): PageProblem[] {
  const isFailure = account.outcome.kind === 'not-enough-memory';
  const curable = isFailure ? undefined : account.problems.find(({ fix }) => fix !== undefined);
  return account.problems
    .filter(problem => !isVerdict(problem) && !isRepeated(problem) && problem !== curable)
    .map(({ severity, message: text, line, fix }) => ({
      severity,
      text: write.message(text),
      line,
      ...(fix !== undefined && fix !== said && { flag: fix }),
    }));
}

function rankOf({ rank, ledger, decides }: RankAccount, write: PageWriter): PageRank {
  const sizes = drawnSizes(ledger);
  return {
    name: write.message(message('page.foreign', { text: foreign(rank) })),
    isBinding: decides,
    blocks: ledger.map((entry, at) => ({
      id: entry.id,
      label: write.message(message('name.ledger', { entry: ledgerName(entry) })),
      text: write.quantity(entry.size),
      size: sizes[at] ?? 0,
      lines: entry.lines,
    })),
  };
}

/** Rounding of printed sizes, in GiB: a rest below zero by less is drawn as it is. */
const roundingGiB = 0.1;

/**
 * Sizes to draw, in GiB. The middle of a part that is only bounded may be more than there is room for:
 * then that part gives way, as far as its bounds allow, so that the blocks add up.
 */
function drawnSizes(ledger: RankAccount['ledger']): number[] {
  const sizes = ledger.map(({ size }) => drawnValue(size));
  const rest = ledger.findIndex(({ id }) => id === 'unaccounted');
  const excess = -(sizes[rest] ?? 0);
  if (excess < roundingGiB) {
    return sizes;
  }
  const room = ledger.map(({ id, size }, at) =>
    id === 'start' || id === 'end' || at === rest ? 0 : (sizes[at] ?? 0) - size.interval.lo,
  );
  const widest = room.indexOf(Math.max(...room));
  const less = Math.min(excess, room[widest] ?? 0);
  return sizes.map((size, at) => (at === widest ? size - less : at === rest ? size + less : size));
}

function fractionsOf({ fraction }: RunAccount, write: PageWriter): PageFigure[] {
  return Object.entries(fraction).flatMap(([which, value]) => {
    const quantity = value as Quantity | undefined;
    return quantity
      ? [
          {
            label: write.message(message('name.fraction', { which })),
            text: write.quantity(quantity),
            lines: linesOf(quantity),
          },
        ]
      : [];
  });
}

function whatIfOf(account: RunAccount): PageWhatIf | undefined {
  const { table, fraction, whatIf, solution } = account;
  const isKnown = table.length > 0;
  if (!isKnown) {
    return undefined;
  }
  const offered = offeredFraction(account);
  const current = currentFraction(fraction);
  const minimum = fraction.minimum?.interval.hi;
  const maximum = fraction.maximum?.interval.hi;
  const context = solution.quantityOf(budgetTerms.context)?.nominal;
  const multiplier = factorInForce(account.run, fraction);
  return {
    facts: factsAsData(whatIf),
    fraction:
      offered ??
      nearFraction(fraction) ??
      Math.min(0.99, Math.ceil((minimum ?? 0.87) * 100 + 1) / 100),
    ...(current !== undefined && { current }),
    ...(offered !== undefined && { offered }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(context !== undefined && { context }),
    ...(multiplier !== undefined && { multiplier }),
  };
}

/** Why other values cannot be tried. */
function whyNot({ advice, fraction }: RunAccount, write: PageWriter): string {
  const reason = advice.kind === 'none' ? advice.reason : 'inputs-missing';
  const isSaid = reason !== 'need-does-not-fit' && reason !== 'inputs-missing';
  // Where the floor is known, both free memories are: something else of the budget is not.
  const missing = fraction.minimum ? 'page.shares-unknown' : 'reason.inputs-missing';
  return write.message(message(isSaid ? `reason.${reason}` : missing, {}));
}

/** Ids of what the shown values rest on besides printed figures. */
function assumptionsOf({ fraction, solution, table, ranks }: RunAccount): string[] {
  const shown = [
    ...Object.values(fraction).map(value => value as Quantity | undefined),
    ...derivationOrder.map(term => solution.quantityOf(term)),
    ...table.flatMap(({ pool, tokens, left }) => [pool, tokens, left]),
    ...ranks.map(({ figures }) => availableAtReady(figures)?.quantity),
  ];
  return [...new Set(shown.flatMap(quantity => quantity?.assumptions ?? []))];
}
