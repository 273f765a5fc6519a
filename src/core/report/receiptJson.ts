/** Receipts of layouts as JSON: each factor with its value, keys and places in the config. */
import type { RunAccount } from '../account/account';
import { automaticMessage, layoutMessages } from '../account/layoutMessages';
import { receiptMessage, refusalMessage } from '../model/modelMessages';
import type { Receipt, ReceiptLine } from '../model/receipt';
import { units } from '../units/unit';
import type { Wording } from './quantityJson';
import { quantityJson } from './quantityJson';

function factorJson(line: ReceiptLine, word: Wording) {
  const keys = line.sources.flatMap(source =>
    source.kind === 'config' ? [source.key] : source.kind === 'assumption' ? [] : [source.flag],
  );
  const places = line.sources.flatMap(source =>
    source.kind === 'config' && source.place
      ? [{ key: source.key, line: source.place.line, column: source.place.column }]
      : [],
  );
  return {
    id: line.name,
    text: word(receiptMessage(line)),
    value: quantityJson(line.quantity),
    keys,
    ...(places.length > 0 && { places }),
  };
}

/** Every factor; open choices between releases, which are no factors, are left out. */
export function receiptJson(receipt: Receipt, word: Wording) {
  // State and cache share inputs such as the ranks: each is said once.
  return [...new Map(receipt.map(line => [line.name, line])).values()]
    .filter(({ quantity }) => quantity.unit !== units.one || quantity.exact !== undefined)
    .map(line => factorJson(line, word));
}

/** What a config says of a run; undefined without a config. */
export function layoutJson({ layout, quantities }: RunAccount, word: Wording) {
  switch (layout?.kind) {
    case undefined:
      return undefined;
    case 'refused':
      return {
        agreement: null,
        refused: word(refusalMessage(layout.refusal)),
        texts: [],
        receipt: [],
      };
    case 'known': {
      const { config, agreement, bytes, slot, options } = layout.value;
      return {
        config: config.name,
        agreement,
        kvCacheDtype: options.kvDtype ?? null,
        texts: layoutMessages(layout.value, quantities).map(word),
        receipt: receiptJson([...bytes.receipt, ...(slot?.receipt ?? [])], word),
      };
    }
  }
}

/** Whether the fraction is the release's own and which terms make that; undefined where it is open. */
export function automaticJson({ automatic }: RunAccount, word: Wording) {
  if (automatic === undefined) {
    return undefined;
  }
  const { effective, plain, multiplier, card, receipt } = automatic.value;
  return {
    origin: automatic.origin,
    text: word(automaticMessage(automatic)),
    value: quantityJson(effective),
    plain: quantityJson(plain),
    ...(multiplier && { multiplier: quantityJson(multiplier) }),
    ...(card && { card: quantityJson(card) }),
    receipt: receiptJson(receipt, word),
  };
}
