/**
 * A cheap look at a function's text before it is interpreted: does it name anything that memory
 * arithmetic is made of? The words come from the fact tables.
 */
import type { SourceFacts } from '../../python/facts';

/** Words of the reaches of facts that tell. */
export function tellingWords(facts: SourceFacts): RegExp {
  const words = new Set<string>();
  const add = (reaches: readonly string[]): void => {
    for (const reach of reaches) {
      const last = /(\w+)[()]*$/.exec(reach.replace(/\((\..*)\)$/, ''))?.[1];
      if (last !== undefined && last.length > 4) {
        words.add(last);
      }
    }
  };
  for (const { reach, tag, flowUnit, unit, formulas = [] } of facts.inputs) {
    if (tag !== undefined || flowUnit !== undefined || unit === 'B') {
      add(reach);
      add(formulas.map(formula => formula.reach));
    }
  }
  for (const { reach, measures } of facts.library) {
    if (measures !== undefined) {
      add(reach);
    }
  }
  add(facts.measurement.unfollowed);
  return new RegExp(`\\b(${[...words].join('|')})\\b`);
}
