/**
 * The releases at which a rule of the automatic fraction changes: between two of them the fraction
 * is made in one way. Leaves out the rules.
 */
import type { ReleaseInterval } from '../form/releaseInterval';
import { compareReleases } from '../release';
import type { EraTable } from './eraTable';
import { exactRelease, isSince, possibleEras } from './eraTable';
import {
  aiterMultiplier,
  attentionReserve,
  automaticFraction,
  defaultChunk,
  defaultGraphSize,
  exchangeGraphs,
  exchangeReserve,
  graphsWithinRequestsFrom,
  largestPrefillGraph,
  postCaptureFraction,
  prefillGraphsWithinContext,
  prefillGraphsWithinPool,
  prefillReserve,
  speculativeReserve,
  visionMultiplier,
} from './fractionFormula';
import { languageOnlyFrom } from './multimodalArchitecture';
import { prefillGraphRules } from './prefillGraphRule';

const tables: readonly (readonly { readonly from: string }[])[] = [
  aiterMultiplier,
  attentionReserve,
  automaticFraction,
  defaultChunk,
  defaultGraphSize,
  exchangeReserve,
  postCaptureFraction,
  prefillGraphRules,
  prefillGraphsWithinContext,
  prefillGraphsWithinPool,
  visionMultiplier,
  ...Object.values(prefillReserve),
  ...Object.values(speculativeReserve),
  largestPrefillGraph.heads,
  largestPrefillGraph.latent,
  [largestPrefillGraph.staged, exchangeGraphs],
  // Reserves that know of disaggregation, and a decode server without its tower.
  [graphsWithinRequestsFrom, languageOnlyFrom, '0.5.15', '0.5.17'].map(from => ({ from })),
];

const boundaries: readonly string[] = [
  ...new Set(tables.flatMap(table => table.map(({ from }) => from))),
].sort(compareReleases);

/**
 * One release for each way in which the fraction may have been made; undefined where the log does not
 * tell the release, or where it spans more than one formula of the fraction.
 */
export function fractionReleases(release: ReleaseInterval): readonly ReleaseInterval[] | undefined {
  const formulas: EraTable = automaticFraction;
  if (release.kind !== 'range' || possibleEras(formulas, release).length !== 1) {
    return undefined;
  }
  const later = boundaries.filter(from => isSince(release, from) === undefined);
  return [release.from, ...later].map(exactRelease);
}
