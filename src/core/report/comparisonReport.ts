/** The report of two runs side by side. */
import type { ComparedInput, Comparison } from '../account/compare';
import { movedInputs } from '../account/compare';
import { message } from '../message/message';
import type { Quantity } from '../units/quantity';
import type { Block, Report, TableRow } from './reportModel';
import { quantityCell, rowCells } from './runReport';

/** What moved with its share, what did not, and what each run would get with the other's value. */
export function comparisonReport(comparison: Comparison): Report {
  return {
    sections: [
      { id: 'comparison', blocks: [...headline(comparison), ...inputs(comparison)] },
      { id: 'predictions', blocks: predictions(comparison) },
    ],
  };
}

function headline(comparison: Comparison): Block[] {
  const moved = movedInputs(comparison);
  const isFractionOnly = moved.length === 1 && moved[0]?.id === 'memFractionEffective';
  const same = comparison.inputs.filter(({ hasMoved }) => !hasMoved);
  const blocks: Block[] = [];
  if (isFractionOnly) {
    blocks.push({
      kind: 'sentence',
      message: message('compare.only-fraction', {}),
      isHeadline: true,
    });
  }
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

function predictions({ predictions: list }: Comparison): Block[] {
  return list.flatMap(({ row, advice }): Block[] => {
    const blocks: Block[] = [];
    if (row.tokens !== undefined) {
      blocks.push({
        kind: 'sentence',
        message: message('compare.predicted', { fraction: row.fraction, tokens: row.tokens }),
        isHeadline: false,
      });
    }
    const offered =
      advice?.kind === 'fraction'
        ? [{ cells: rowCells(advice.row), mark: 'offered' as const }]
        : [];
    blocks.push({
      kind: 'table',
      columns: ['fraction', 'pool', 'tokens', 'left'],
      rows: [{ cells: rowCells(row), mark: undefined }, ...offered],
    });
    return blocks;
  });
}
