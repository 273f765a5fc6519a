/** What python3 computed in the sizing functions of real releases, from the shared truth. */
import { readTruth } from './release';
import type { TruthInput } from './release';

export interface TruthAmount {
  readonly value: number;
  readonly unit: string;
}

/** One call of a sizing function. */
export interface ProfileRow {
  readonly release: string;
  /** Path in the release. */
  readonly file: string;
  readonly function: string;
  readonly scenario: string;
  readonly inputs: Readonly<Record<string, TruthInput>>;
  readonly locals: Readonly<Record<string, TruthAmount>>;
  readonly returns: TruthAmount | null;
  /** The message of the exception that ended it. */
  readonly raises: string | null;
}

export const profileRows = readTruth('profile.json') as readonly ProfileRow[];

/** The number of an input such as `"61.9 GiB"`. */
export function inputAmount(input: TruthInput | undefined): number {
  return Number(String(input).split(' ')[0]);
}
