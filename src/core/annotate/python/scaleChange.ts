/** Where a callee's own arithmetic changes the scale: the line that makes GiB of bytes. */
import type { CallRecord } from '../../python/machine';
import { UnitFlow } from '../../python/unitFlow';
import type { Term } from '../../terms/term';
import { operandsOf } from '../../terms/term';
import type { SourcePlace } from './annotation';

/** The last change of scale on the way to the result; undefined where there is none. */
export function scaleChangeOf(record: CallRecord): SourcePlace | undefined {
  const value = record.followed ?? record.result;
  return value.kind === 'number' ? placeBelow(new UnitFlow([value.term]), value.term) : undefined;
}

/** Looks from the result towards its sources. */
export function placeBelow(flow: UnitFlow, root: Term): SourcePlace | undefined {
  const queue: Term[] = [root];
  const seen = new Set<Term>(queue);
  // The queue grows while it is walked.
  for (const term of queue) {
    const scale = flow.unitOf(term)?.byteScale;
    const changed = operandsOf(term).some(operand => {
      const below = flow.unitOf(operand)?.byteScale;
      return below !== undefined && scale !== undefined && below !== scale;
    });
    const origin = term.kind === 'operator' ? term.origin : undefined;
    if (changed && origin?.kind === 'source') {
      return { path: origin.file, line: origin.line, column: origin.column };
    }
    for (const operand of operandsOf(term)) {
      if (!seen.has(operand)) {
        seen.add(operand);
        queue.push(operand);
      }
    }
  }
  return undefined;
}
