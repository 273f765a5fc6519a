/**
 * The receipt of bytes per token as a section of a report: what is budgeted and allocated, whether the
 * printed sizes agree, and each factor with the config key, flag or assumption behind it.
 */
import type { RunAccount } from '../account/account';
import { layoutMessages } from '../account/layoutMessages';
import type { Message } from '../message/message';
import { message } from '../message/message';
import { originsOf, refusalMessage, shownValue } from '../model/modelMessages';
import type { Receipt } from '../model/receipt';
import { tellingLines } from '../model/receipt';
import type { Block, TableRow } from './reportModel';

/** Blocks of the section; empty for a run without a config. */
export function receiptBlocks({
  layout,
  quantities,
}: Pick<RunAccount, 'layout' | 'quantities'>): Block[] {
  if (layout === undefined) {
    return [];
  }
  if (layout.kind === 'refused') {
    return [sentence(refusalMessage(layout.refusal), true)];
  }
  const { bytes, slot } = layout.value;
  const [first, ...others] = layoutMessages(layout.value, quantities);
  return [
    ...(first ? [sentence(first, true)] : []),
    ...others.map(text => sentence(text, false)),
    ...receiptTable([...bytes.receipt, ...(slot?.receipt ?? [])]),
  ];
}

function sentence(text: Message, isHeadline: boolean): Block {
  return { kind: 'sentence', message: text, isHeadline };
}

/** The telling lines of a receipt as a table; nothing for an empty one. */
export function receiptTable(receipt: Receipt): Block[] {
  const rows = tellingLines(receipt).map((line): TableRow => ({
    cells: [
      { kind: 'message', message: message('name.part', { part: line.name }) },
      { kind: 'quantity', quantity: shownValue(line.quantity) },
      { kind: 'origins', origins: originsOf(line) },
    ],
    mark: undefined,
  }));
  return rows.length === 0 ? [] : [{ kind: 'table', columns: ['what', 'size', 'origin'], rows }];
}
