/**
 * Releases up to 0.4.5.post1 keep models with latent attention in plain heads too: the first have
 * nothing else, later ones do so unless a flag asks for latent rows, then only where a flag asks for
 * heads. Facts of the releases, which go by the class here. Leaves out the bytes of either.
 */
import type { ReleaseInterval } from '../form/releaseInterval';
import { isSince } from './eraTable';

/** Latent rows where `--enable-mla` asks for them. */
export const latentRowsFrom = '0.2.10';

/** Latent rows unless `--disable-mla` is given. */
const latentByDefaultFrom = '0.3.1.post2';

/** Latent rows only. */
const alwaysLatentFrom = '0.4.5.post2';

/** Heads of a class without latent rows. */
export interface PlainClass {
  /** Of keys and of values, whatever the config says. */
  readonly headDim: number;
  /** The first release that has the class. */
  readonly since: string;
}

const classes: ReadonlyMap<string, PlainClass> = new Map([
  ['DeepseekV2ForCausalLM', { headDim: 256, since: '0.2.6' }],
  ['MiniCPM3ForCausalLM', { headDim: 128, since: '0.3.1' }],
  ['DeepseekV3ForCausalLM', { headDim: 256, since: '0.4.1' }],
  ['DeepseekVLV2ForCausalLM', { headDim: 256, since: '0.4.4.post2' }],
  ['DeepseekVL2ForCausalLM', { headDim: 256, since: '0.4.4.post2' }],
]);

/** The class; undefined where the releases have none of the name. */
export function plainClassOf(architecture: string | undefined): PlainClass | undefined {
  return architecture === undefined ? undefined : classes.get(architecture);
}

/** Whether rows are latent. `asked` is true for `--enable-mla`, false for `--disable-mla`. */
export function hasLatentRows(release: ReleaseInterval, asked: boolean | undefined): boolean {
  return asked ?? isSince(release, latentByDefaultFrom) !== false;
}

/** The flag of the two that was given and that the release does not have. */
export function unknownLatentFlag(
  release: ReleaseInterval,
  asked: boolean | undefined,
): string | undefined {
  const isOutside = (from: string, to: string): boolean =>
    isSince(release, from) === false || isSince(release, to) === true;
  if (asked === true && isOutside(latentRowsFrom, latentByDefaultFrom)) {
    return '--enable-mla';
  }
  return asked === false && isOutside(latentByDefaultFrom, alwaysLatentFrom)
    ? '--disable-mla'
    : undefined;
}
