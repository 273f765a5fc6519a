/** The receipt of bytes per token as the page shows it, or what is missing to have one. */
import type { RunAccount } from '../account/account';
import { layoutMessages } from '../account/layoutMessages';
import { message } from '../message/message';
import { originsOf, refusalMessage, shownValue } from '../model/modelMessages';
import { tellingLines } from '../model/receipt';
import type { PageReceipt } from './pageModel';
import type { PageWriter } from './pageWriter';

/** One of the two: the receipt, or a sentence that says why there is none. */
export interface ReceiptPart {
  readonly receipt?: PageReceipt;
  readonly receiptMissing?: string;
}

/** The receipt of a run. */
export function receiptPart(
  { layout, quantities }: Pick<RunAccount, 'layout' | 'quantities'>,
  write: PageWriter,
): ReceiptPart {
  if (layout === undefined) {
    return { receiptMissing: write.message(message('page.no-config', {})) };
  }
  if (layout.kind === 'refused') {
    return { receiptMissing: write.message(refusalMessage(layout.refusal)) };
  }
  const { bytes, slot } = layout.value;
  const lines = tellingLines([...bytes.receipt, ...(slot?.receipt ?? [])]);
  return {
    receipt: {
      sentence: layoutMessages(layout.value, quantities).map(write.message).join(' '),
      lines: lines.map(line => ({
        label: write.message(message('name.part', { part: line.name })),
        text: write.quantity(shownValue(line.quantity)),
        from: originsOf(line).map(origin => write.message(origin.message)),
        isResult: line.sources.length === 0,
      })),
    },
  };
}
