/** The report of two runs side by side. */
import type { ComparedInput, Comparison, Prediction } from '../account/compare';
import { isFractionAlone, movedInputs } from '../account/compare';
import { betweenMessage, offerMessage } from '../account/accountCure';
import type { Message } from '../message/message';
import { foreign, message } from '../message/message';
import type { Quantity } from '../units/quantity';
import type { Block, Report, Section, TableRow } from './reportModel';
import { quantityCell, rowCells } from './runReport';

/** What moved with its share, what did not, and what each run would get with the other's value. */
export function comparisonReport(comparison: Comparison): Report {
  const sections: Section[] = [
    { id: 'comparison', blocks: [...headline(comparison), ...inputs(comparison)] },
    { id: 'predictions', blocks: predictions(comparison) },
  ];
  return { sections: sections.filter(({ blocks }) => blocks.length > 0) };
}

function headline(comparison: Comparison): Block[] {
  const same = comparison.inputs.filter(({ hasMoved }) => !hasMoved);
  const blocks: Block[] = [
    ...differenceMessages(comparison).map((text): Block => ({
      kind: 'sentence',
      message: text,
      isHeadline: true,
    })),
  ];
  if (same.length > 0) {
    const names = same.map(({ id }) => message('name.quantity', { quantity: id }));
    blocks.push({
      kind: 'sentence',
      message: message('compare.same', { names }),
      isHeadline: false,
    });
  }
  return blocks;
}

/** What differs, in one sentence, and each limit that decides a pool. */
export function differenceMessages(comparison: Comparison): Message[] {
  const { otherMoves, limits, between, flags, a, b } = comparison;
  const failed = a.relief?.ceiling === undefined ? b : a;
  const limited = [
    ...(between ? [betweenMessage(failed, between)] : []),
    ...limits.map(({ run, limit }) => message(`compare.limit-${run}`, { limit })),
  ];
  const alone = isFractionAlone(comparison);
  if (alone !== undefined) {
    const id = alone === 'known' ? 'compare.only-fraction' : 'compare.only-fraction-shown';
    return [message(id, {}), ...limited];
  }
  const names = [...movedInputs(comparison), ...otherMoves].map(({ id }) =>
    message('name.quantity', { quantity: id }),
  );
  // A limit that holds a run is said with what it does.
  const others = limits.length > 0 ? flags.filter(({ flag }) => flag !== limitFlag) : flags;
  return [
    ...limited,
    ...(names.length === 0 ? [] : [message('page.moved', { names })]),
    ...(others.length === 0 ? [] : [flagsMessage(others)]),
  ];
}

const limitFlag = '--max-total-tokens';

/** More arguments than these are counted. */
const mostFlags = 8;

/** Longer values, as lists of sizes, are not shown. */
const longestValue = 60;

/** Arguments that differ, as each log prints them. */
function flagsMessage(flags: Comparison['flags']): Message {
  const shown = flags
    .slice(0, mostFlags)
    .map(({ flag, a, b }) =>
      Math.max(a.length, b.length) > longestValue
        ? message('origin.key-only', { key: foreign(flag) })
        : message('compare.flag', { flag, a: foreign(a), b: foreign(b) }),
    );
  const more = flags.length - shown.length;
  return more > 0
    ? message('compare.flags-more', { flags: shown, more })
    : message('compare.flags', { flags: shown });
}

function inputs({ inputs: compared, otherMoves }: Comparison): Block[] {
  const rows = [...compared, ...otherMoves].map((row): TableRow => ({
    cells: [
      { kind: 'message', message: message('name.quantity', { quantity: row.id }) },
      quantityCell(row.a),
      quantityCell(row.b),
      quantityCell(shareOf(row)),
    ],
    mark: undefined,
  }));
  return rows.length === 0 ? [] : [{ kind: 'table', columns: ['what', 'a', 'b', 'share'], rows }];
}

function shareOf(row: ComparedInput | Comparison['otherMoves'][number]): Quantity | undefined {
  return 'share' in row ? row.share : undefined;
}

function predictions(comparison: Comparison): Block[] {
  return comparison.predictions.flatMap(prediction => {
    const { run, row, advice } = prediction;
    const pool = comparison[run].quantities.has('swaPool') ? 'pools' : 'pool';
    const offered = advice?.kind === 'fraction' ? advice : undefined;
    const isSame = offered !== undefined && offersBorrowed(prediction);
    const rows: TableRow[] = [
      { cells: rowCells(row), mark: isSame ? 'offered' : undefined },
      ...(offered && !isSame ? [{ cells: rowCells(offered.row), mark: 'offered' as const }] : []),
    ];
    const blocks: Block[] = [
      { kind: 'table', columns: ['fraction', pool, 'tokens', 'left'], rows },
    ];
    const sentences = [predictionMessage(prediction), offered && offerMessage(offered)];
    return [
      ...sentences.flatMap((sentence): Block[] =>
        sentence === undefined ? [] : [{ kind: 'sentence', message: sentence, isHeadline: false }],
      ),
      ...blocks,
    ];
  });
}

/** True where the fraction of the other run is the one that is offered. */
export function offersBorrowed({ row, advice }: Prediction): boolean {
  return advice?.kind === 'fraction' && advice.row.fraction.nominal === row.fraction.nominal;
}

/** What the run would get with the other's fraction; undefined where that is not known. */
export function predictionMessage({ run, row }: Prediction): Message | undefined {
  const { fraction, pool, tokens } = row;
  if (pool !== undefined && pool.interval.hi <= 0) {
    return message(`compare.no-start-${run}`, { fraction, pool });
  }
  return tokens && message(`compare.predicted-${run}`, { fraction, tokens });
}
