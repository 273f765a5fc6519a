/**
 * What a release multiplies the fraction by before it sizes pools, outside the printed launch
 * arguments (reference 4.1): multimodal models up to 0.4.8, aiter attention up to 0.5.4.
 */
import type { Run } from '../log/run';
import { isSince } from '../sglang/layout/eraTable';
import { languageOnlyFrom, textModelFrom } from '../sglang/layout/multimodalArchitecture';
import { isWithin, mayBeWithin } from '../sglang/release';
import type { ReleaseRange } from '../sglang/form/lineForm';
import type { Interval } from '../units/interval';
import type { Quantity } from '../units/quantity';
import { intersect, point } from '../units/interval';

/** Why a fraction is multiplied. */
export type MultiplierReason = 'multimodal' | 'aiter';

/** A factor, the releases that apply it outside the arguments, and to what. */
export interface Multiplier {
  readonly reason: MultiplierReason;
  readonly factor: number;
  readonly releases: ReleaseRange;
}

/** Releases that take a part of the fraction with aiter attention. */
export const aiterReleases: ReleaseRange = { from: '0.4.7', to: '0.5.4' };

const multipliers: readonly Multiplier[] = [
  { reason: 'multimodal', factor: 0.95, releases: { from: '0.3.5', to: '0.4.4.post3' } },
  { reason: 'multimodal', factor: 0.9, releases: { from: '0.4.4.post4', to: '0.4.8.post1' } },
  { reason: 'aiter', factor: 0.85, releases: aiterReleases },
];

/** The aiter factor applies to contexts longer than this. */
export const longestPlainContext = 8192;

/** The factor that was surely applied; undefined where none was or it cannot be known. */
export function multiplierInForce(run: Run): Multiplier | undefined {
  const backend = run.serverArguments?.values.get('attention_backend')?.value;
  const context = run.records.findLast(({ form }) => form.id === 'summary')?.fields['context'];
  const isLong = Number(context?.value ?? 0) > longestPlainContext;
  return multipliers.find(
    ({ reason, releases }) =>
      reason === 'aiter' && backend === 'aiter' && isLong && isWithin(run.release, releases),
  );
}

/**
 * The one factor that the release may apply and by which the claim becomes what was in force;
 * undefined where several would do.
 */
export function multiplierThatFits(
  run: Run,
  claimed: Interval,
  inForce: Interval,
): Multiplier | undefined {
  const fitting = multipliers.filter(({ factor, releases }) => {
    const product = { lo: claimed.lo * factor - 0.0005, hi: claimed.hi * factor + 0.0005 };
    return mayBeWithin(run.release, releases) && intersect(product, inForce) !== undefined;
  });
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** What was claimed, and what the process or its pools say. */
type FractionsSaid = Readonly<Record<'claimed' | 'effective' | 'implied', Quantity | undefined>>;

/**
 * What a typed fraction is multiplied by: as the arguments tell, or as claim and figures do;
 * undefined where nothing says that it is.
 */
export function factorInForce(
  run: Run,
  { claimed, effective, implied }: FractionsSaid,
): number | undefined {
  const near = (effective ?? implied)?.interval;
  const known = multiplierInForce(run);
  const isOther = claimed && near && intersect(claimed.interval, near) === undefined;
  const fitting = isOther ? multiplierThatFits(run, claimed.interval, near) : undefined;
  return (known ?? fitting)?.factor;
}

/** Classes of models with a tower for images end so; a few others do as well, which costs a sentence. */
const withImages =
  /(?:ForConditionalGeneration|VL\w*|Vision\w*|Llava\w*|OmniModel|MiniCPM[VO]\w*|Phi4MM\w*|MultiModality\w*)$/;

/** What a vision tower of any size leaves of the automatic fraction (0.3.5 on, reference 4.1). */
const leftByTower: Interval = { lo: 0.95 * 0.8, hi: 0.95 * 1.05 };

/**
 * What a release multiplies its own fraction by for images, where only the class of the model tells;
 * its size is in the config. A class that the log does not show leaves both open.
 */
export function towerMultiplier(run: Run): Interval {
  const argument = (name: string) => run.serverArguments?.values.get(name)?.value;
  const { modelClass, release } = run;
  const isForced = argument('enable_multimodal') === true;
  const ends = [
    isForced ? undefined : textModelFrom(modelClass),
    argument('language_only') === true ? languageOnlyFrom : undefined,
    argument('disaggregation_mode') === 'decode' ? '0.5.17' : undefined,
  ].flatMap(end => end ?? []);
  const isKept =
    argument('enable_multimodal') === false || ends.some(end => isSince(release, end) === true);
  const hasImages =
    withImages.test(modelClass ?? '') ||
    run.records.some(({ form }) => form.id === 'multimodal-reservation');
  if (isKept || (modelClass !== undefined && !hasImages)) {
    return point(1);
  }
  const isOpen = !hasImages || ends.some(end => isSince(release, end) === undefined);
  return isOpen ? { lo: leftByTower.lo, hi: 1 } : leftByTower;
}

/**
 * True where the release may be one that lowers the fraction for models with images, and neither the
 * arguments nor the pools tell whether it did.
 */
export function mayBeMultiplied(run: Run, said: FractionsSaid): boolean {
  const argument = run.serverArguments?.values.get('enable_multimodal')?.value;
  const isSaid = said.effective !== undefined || factorInForce(run, said) !== undefined;
  return (
    !isSaid &&
    said.implied === undefined &&
    argument !== false &&
    withImages.test(run.modelClass ?? '') &&
    multipliers.some(
      ({ reason, releases }) => reason === 'multimodal' && mayBeWithin(run.release, releases),
    )
  );
}
