/**
 * What an offered fraction takes of the host: a hierarchical cache that a ratio sizes grows with the
 * pool. Leaves out caches of a typed size, which stay.
 */
import type { Message } from '../message/message';
import { message } from '../message/message';
import { budgetTerms } from '../sglang/budgetFormula';
import { factOf } from '../terms/derive';
import type { Advice } from './advice';
import type { WhatIf } from './whatIf';

/** The cure with the host pool of each rank at the offered fraction; as it is where none grows. */
export function withHostPool(whatIf: WhatIf, offered: Advice | undefined, cure: Message): Message {
  const fraction = offered?.kind === 'fraction' ? offered.row.fraction : undefined;
  const host =
    fraction &&
    whatIf
      .solve([factOf(budgetTerms.fraction, fraction)], [budgetTerms.hostPool])
      .quantityOf(budgetTerms.hostPool);
  return host ? message('cure.host-grows', { cure, host }) : cure;
}
