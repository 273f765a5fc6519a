/**
 * Finds the statements of a function that a run never came to: branches not taken, and what stands
 * behind a certain exit. Undecided branches are run both ways, so what is left out is certain.
 */
import { nestedBlocks } from './sourceModule';
import type { Block, Span, Statement } from './syntax';

/** Spans of neighbours that were not reached, outermost only. `reached` has every statement that was run. */
export function unreached(block: Block, reached: ReadonlySet<Statement>): Span[] {
  const spans: Span[] = [];
  let open: Span | undefined;
  for (const statement of block) {
    if (reached.has(statement)) {
      open = undefined;
      spans.push(...nestedBlocks(statement).flatMap(inner => unreached(inner, reached)));
      continue;
    }
    const { endRow, endColumn, end } = statement.span;
    if (open !== undefined) {
      spans.pop();
    }
    open = { ...(open ?? statement.span), endRow, endColumn, end };
    spans.push(open);
  }
  return spans;
}
