/** A plan as a report: bytes per token with their receipt, the automatic fraction, the table. */
import type { Message } from '../message/message';
import { foreign, message } from '../message/message';
import type { Plan } from '../model/plan';
import type { LeftOutFlags } from '../model/planOptions';
import type { PlanRow } from '../model/planRows';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { assumptionsOf } from './planJson';
import { cellMessage, dtypeMessage } from '../model/modelMessages';
import { givenQuantity } from '../units/givenQuantity';
import { receiptTable } from './receiptSection';
import type { Block, Cell, Report, Section } from './reportModel';

function sentence(text: Message, isHeadline = false): Block {
  return { kind: 'sentence', message: text, isHeadline };
}

/** The report; sections without content are left out. */
export function planReport(plan: Plan): Report {
  const sections = [tokenSection(plan), fractionSection(plan), tableSection(plan)];
  return { sections: sections.flatMap(section => section ?? []) };
}

function tokenSection({ bytes, options, slot, requestCost, context, byDtype }: Plan): Section {
  const choices = dtypeMessage(byDtype.map(({ dtype, plan }) => ({ dtype, bytes: plan.bytes })));
  const cell = cellMessage({ bytes, hasDraft: options.draft !== undefined });
  return {
    id: 'receipt',
    blocks: [
      ...(cell ? [sentence(cell, true)] : []),
      ...(choices ? [sentence(choices, true)] : []),
      ...receiptTable(bytes.receipt),
      ...(slot ? [sentence(message('plan.slot', { slot: slot.onRank }), true)] : []),
      ...receiptTable(slot?.receipt ?? []),
      ...(requestCost && context
        ? [sentence(message('plan.request-cost', { cost: requestCost, length: context }))]
        : []),
    ],
  };
}

function fractionSection(plan: Plan): Section | undefined {
  const { automatic, rows } = plan;
  const blocks: Block[] = [
    ...floorBlocks(plan),
    ...(automatic ? [sentence(automaticMessage(automatic), true)] : []),
    ...receiptTable(automatic?.receipt ?? []),
    ...(rows.length > 0 ? [sentence(adviceMessage(plan))] : []),
  ];
  return blocks.length > 0 ? { id: 'fractions', blocks } : undefined;
}

/** The largest value that leaves enough, and whether it holds a request. */
function adviceMessage(plan: Plan): Message {
  const { advised, roomiest, reserve, isLeast, context, missing, options } = plan;
  if (missing.length > 0 && roomiest === undefined) {
    const flags = missing.map(flag => message('origin.key-only', { key: foreign(flag) }));
    return message('plan.flags-missing', { flags });
  }
  if (options.maxTotalTokens !== undefined) {
    const limit = givenQuantity(BigInt(options.maxTotalTokens), units.token, '--max-total-tokens');
    return advised === undefined
      ? message('plan.no-room-for-limit', { limit, reserve })
      : message('plan.advised-limit', { fraction: advised, limit, reserve });
  }
  if (advised !== undefined && isLeast && context && roomiest?.left) {
    const { left } = roomiest;
    return message('plan.advised-request', { fraction: advised, left, length: context });
  }
  if (advised !== undefined) {
    return context === undefined
      ? message('plan.advised-any-length', { fraction: advised, reserve })
      : message('plan.advised', { fraction: advised, reserve, length: context });
  }
  const tokens = roomiest?.tokens;
  return roomiest === undefined || tokens === undefined || context === undefined
    ? message('plan.no-room', { reserve })
    : message('plan.no-advice', {
        fraction: roomiest.fraction,
        reserve,
        tokens,
        length: context,
      });
}

/** A floor of 1 and above is no fraction: what stands against any start are the weights. */
function floorBlocks({ minimum, options: { total, weights } }: Plan): Block[] {
  if (minimum === undefined) {
    return [];
  }
  return isImpossible(minimum) && total && weights
    ? [sentence(message('plan.does-not-fit', { total, weights }), true)]
    : [sentence(message('plan.minimum', { minimum }))];
}

function isImpossible({ interval }: Quantity): boolean {
  return interval.lo >= 1;
}

function automaticMessage({ effective, plain }: NonNullable<Plan['automatic']>): Message {
  return effective.exact === plain.exact
    ? message('plan.automatic', { fraction: effective })
    : message('plan.automatic-multiplied', { fraction: effective, plain });
}

function cellOf(quantity: Quantity | undefined): Cell {
  return quantity ? { kind: 'quantity', quantity } : { kind: 'empty' };
}

function tableSection(plan: Plan): Section | undefined {
  const { rows } = plan;
  const assumptions = assumptionsOf(plan).map(assumption =>
    message('origin.key-only', { key: foreign(assumption) }),
  );
  const blocks: Block[] =
    rows.length > 0
      ? plan.byDtype.length === 0
        ? [rowsTable(plan, plan)]
        : plan.byDtype.flatMap(({ dtype, plan: one }) => [
            sentence(message('plan.rows-in-dtype', { dtype: foreign(dtype) })),
            rowsTable(one, plan),
          ])
      : plan.minimum === undefined
        ? [sentence(message('plan.inputs-missing', {}))]
        : [];
  if (blocks.length === 0) {
    return undefined;
  }
  const table = largeTable(plan);
  return {
    id: 'table',
    blocks: [
      ...blocks,
      ...(table ? [sentence(message('plan.request-table', { table }))] : []),
      ...(assumptions.length > 0 ? [sentence(message('plan.assumptions', { assumptions }))] : []),
      ...leftOutBlocks(plan.options.leftOut),
    ],
  };
}

/** Flags of a pasted launch line that the plan does not follow, by what they do. */
function leftOutBlocks(flags: LeftOutFlags | undefined): Block[] {
  const named = (list: readonly string[] = []): readonly Message[] =>
    list.map(flag => message('origin.key-only', { key: foreign(flag) }));
  const [budget, weights, none] = [named(flags?.budget), named(flags?.weights), named(flags?.none)];
  return [
    ...(budget.length > 0 ? [sentence(message('plan.flags-not-counted', { flags: budget }))] : []),
    ...(weights.length > 0 ? [sentence(message('plan.flags-of-weights', { flags: weights }))] : []),
    ...(none.length > 0 ? [sentence(message('plan.flags-without-effect', { flags: none }))] : []),
  ];
}

/** The largest request table of any row, where it takes more than is kept for graphs and activations. */
function largeTable({ rows, reserve }: Plan): Quantity | undefined {
  const [largest] = rows
    .flatMap(({ requestTable }) => requestTable ?? [])
    .sort((one, other) => other.interval.hi - one.interval.hi);
  return largest && largest.interval.lo > reserve.interval.hi ? largest : undefined;
}

/** The rows of a plan, marked as the whole plan has it. */
function rowsTable({ rows }: Plan, whole: Plan): Block {
  return {
    kind: 'table',
    columns: ['fraction', 'pool', 'tokens', 'left'],
    rows: rows.map(row => ({
      cells: [row.fraction, row.pool, row.tokens, row.left].map(cellOf),
      mark: markOf(row, whole),
    })),
  };
}

function markOf(
  { fraction }: PlanRow,
  { automatic, advised }: Plan,
): 'current' | 'offered' | undefined {
  if (fraction.nominal === advised?.nominal) {
    return 'offered';
  }
  return fraction.nominal === automatic?.effective.nominal ? 'current' : undefined;
}
