/**
 * Whether ranks that end with unequal figures differ by anything that matters: readers of a table of
 * ranks look at its last digit. Ranks that really have less are a problem of the account.
 */
import type { RankAccount } from '../account/rankAccount';
import type { Message } from '../message/message';
import { message } from '../message/message';
import { derive } from '../terms/derive';
import type { Quantity } from '../units/quantity';

/** GiB by which samples of equal ranks differ: they are taken at other moments. */
const mostGiB = 0.1;

/** Says so of ranks that differ by so little; undefined where they do not differ, or one decides. */
export function ranksAlike(ranks: readonly RankAccount[]): Message | undefined {
  const ends = ranks.flatMap(({ ledger }) => ledger.find(({ id }) => id === 'end')?.size ?? []);
  const [first] = ends;
  if (first === undefined || ends.length < ranks.length || ranks.some(({ decides }) => decides)) {
    return undefined;
  }
  const middle = ({ interval }: Quantity): number => interval.lo + interval.hi;
  const most = ends.reduce((kept, next) => (middle(next) > middle(kept) ? next : kept), first);
  const least = ends.reduce((kept, next) => (middle(next) < middle(kept) ? next : kept), first);
  const gap = middle(most) > middle(least) ? derive('most - least', { most, least }) : undefined;
  return gap === undefined || gap.interval.hi > mostGiB
    ? undefined
    : message('page.ranks-alike', { gap });
}
