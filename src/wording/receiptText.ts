/**
 * The receipt of bytes per token as a Markdown table, for hovers. Reports draw theirs from blocks.
 */
import { message } from '../core/message/message';
import { originsOf, shownValue } from '../core/model/modelMessages';
import type { Receipt } from '../core/model/receipt';
import type { RenderOptions } from './render';
import { render, renderOrigin, renderQuantity } from './render';

/** One row a factor: its name, its value, where it comes from. */
export function receiptMarkdown(receipt: Receipt, format: RenderOptions): string {
  const options: RenderOptions = { ...format, target: 'markdown' };
  const rows = receipt.map(line => {
    const name = render(message('name.part', { part: line.name }), options);
    const origins = originsOf(line).map(origin => renderOrigin(origin, options));
    return `| ${name} | ${renderQuantity(shownValue(line.quantity), options)} | ${origins.join(', ')} |`;
  });
  return rows.length === 0 ? '' : ['|   |   |   |', '| :-- | --: | :-- |', ...rows].join('\n');
}
