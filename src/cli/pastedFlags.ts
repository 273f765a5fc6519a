/**
 * Flags of a pasted launch line that a command does not understand: known ones are sorted by what they
 * do to memory, a misspelt one is an error with the nearest name. Leaves out the flags that are
 * understood.
 */
import type { LeftOutFlags } from '../core/model/planOptions';
import { flagEffect, launchFlags } from '../core/sglang/launchFlag';
import { UsageError } from './output';

/**
 * What is left of a line once the options of the command are taken out of it. Values of a flag run to
 * the next flag.
 * @param own the options of the command, with their dashes.
 */
export function leftOutFlags(tokens: readonly string[], own: readonly string[]): LeftOutFlags {
  const found = { budget: new Set<string>(), weights: new Set<string>(), none: new Set<string>() };
  let isAfterFlag = false;
  for (const token of tokens) {
    if (token.startsWith('-') && !/^-\d/.test(token)) {
      const flag = (token.split('=')[0] ?? token).replaceAll('_', '-');
      const effect = flagEffect(flag);
      if (effect === undefined) {
        throw new UsageError(unknownFlag(flag, own));
      }
      found[effect].add(flag);
      isAfterFlag = true;
    } else if (!isAfterFlag) {
      throw new UsageError(`unexpected argument '${token}'`);
    }
  }
  return { budget: [...found.budget], weights: [...found.weights], none: [...found.none] };
}

function unknownFlag(flag: string, own: readonly string[]): string {
  const nearest = nearestName(flag, [...own, ...launchFlags]);
  return `unknown option '${flag}'${nearest === undefined ? '' : ` (Did you mean ${nearest}?)`}`;
}

/** The name with the fewest letters to change, if they are few; the first of several. */
function nearestName(name: string, names: readonly string[]): string | undefined {
  const most = Math.max(2, Math.floor(name.length / 5));
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of names) {
    const distance = lettersToChange(name, candidate);
    if (distance <= most && distance < (best?.distance ?? Infinity)) {
      best = { name: candidate, distance };
    }
  }
  return best?.name;
}

/** How many letters to insert, take out or replace. */
function lettersToChange(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 0; at < one.length; at++) {
    const next = [at + 1];
    for (let to = 0; to < other.length; to++) {
      const replaced = (row[to] ?? 0) + (one[at] === other[to] ? 0 : 1);
      next.push(Math.min(replaced, (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
