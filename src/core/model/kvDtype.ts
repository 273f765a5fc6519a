/**
 * The dtype of cached keys and values: what a flag, a log or the config says of it. Where nothing
 * decides, all that can be stay. Leaves out the bytes that follow.
 */
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import { isSince } from '../sglang/layout/eraTable';
import type { Interval } from '../units/interval';
import { point } from '../units/interval';
import { isFollowed } from './declaredCache';
import type { ModelLayout } from './modelLayout';
import { RefusedError } from './refusal';

/** How values are packed: plain, two in a byte with scales, or with a scale for each 32. */
type KvFormat = 'plain' | 'fp4' | 'mxfp8';

/** What is known of the dtype. */
export interface KvDtype {
  readonly format: KvFormat;
  /** Bytes of a value, as SGLang counts them; FP4 counts 1 before it is halved. */
  readonly elementSize: Interval;
  /** Whether it is FP8 E4M3, whose sparse-attention rows carry scales; undefined where open. */
  readonly isFp8E4m3: boolean | undefined;
  /** FP4: in how many layouts its scales may be kept (0.5.21 on); undefined for names of before. */
  readonly scaleCopies?: Interval;
}

const plain = (elementSize: number, isFp8E4m3 = false): KvDtype => ({
  format: 'plain',
  elementSize: point(elementSize),
  isFp8E4m3,
});

const fp4: KvDtype = { format: 'fp4', elementSize: point(1), isFp8E4m3: false };

/** With two levels of scales, of which a backend may need a second layout. */
const nvfp4: KvDtype = { ...fp4, scaleCopies: { lo: 1, hi: 2 } };

/** Names of `--kv-cache-dtype` and of torch, as logs print them. */
const dtypes: ReadonlyMap<string, KvDtype> = new Map([
  ...['bfloat16', 'bf16', 'float16', 'half', 'fp16'].map(name => [name, plain(2)] as const),
  ...['float32', 'float', 'fp32'].map(name => [name, plain(4)] as const),
  ...['fp8_e4m3', 'float8_e4m3fn', 'float8_e4m3fnuz'].map(name => [name, plain(1, true)] as const),
  ...['fp8_e5m2', 'float8_e5m2', 'float8_e5m2fnuz'].map(name => [name, plain(1)] as const),
  ['fp4_e2m1', fp4],
  ['fp4_mx_block16', { ...fp4, scaleCopies: point(1) }],
  ['nvfp4', nvfp4],
  ['float4_e2m1fn_x2', nvfp4],
  ['mxfp8', { format: 'mxfp8', elementSize: point(1), isFp8E4m3: false }],
]);

/** Every name that is understood. */
export const kvDtypeNames: readonly string[] = ['auto', ...dtypes.keys()];

const open: KvDtype = {
  format: 'plain',
  elementSize: { lo: 1, hi: 2 },
  isFp8E4m3: undefined,
};

/** The dtypes between which nothing decides; empty where one is known. */
export function openDtypes(
  name: string | undefined,
  layout: ModelLayout,
  release: ReleaseInterval,
): readonly string[] {
  return resolveKvDtype(name, layout, release) === open ? ['bfloat16', 'fp8_e4m3'] : [];
}

/**
 * The dtype by its name; `auto`, or no name, is the model's dtype unless the checkpoint or the
 * release decides otherwise. Refuses a name that is not known.
 */
export function resolveKvDtype(
  name: string | undefined,
  layout: ModelLayout,
  release: ReleaseInterval,
): KvDtype {
  const given = name?.replace(/^torch\./, '').toLowerCase();
  if (given !== undefined && given !== 'auto') {
    const known = dtypes.get(given);
    if (known === undefined) {
      throw new RefusedError({ kind: 'not-in-release', what: given });
    }
    if (!canHold(layout, known, release)) {
      const other = `${layout.attention.kind === 'compressed' ? 'compressed' : 'sparse'} attention`;
      throw new RefusedError({ kind: 'not-together', flag: given, other });
    }
    return known;
  }
  const { attention } = layout;
  if (attention.kind === 'latent' && attention.indexDim !== undefined) {
    // Sparse attention takes FP8 or bfloat16 by the card.
    return isSince(release, '0.5.3.post1') === false ? plain(2) : open;
  }
  const isTaken = layout.declaredCache ? isFollowed(layout.declaredCache, release) : false;
  if (isTaken === undefined) {
    return open;
  }
  // A float32 checkpoint is served in half precision.
  return isTaken ? plain(1, true) : plain(2);
}

/** From here on servers of sparse attention do not start with another dtype. */
const sparseCheckedFrom = '0.5.5';

/** Sparse and compressed attention cache in bfloat16 or FP8 E4M3 alone. */
function canHold(
  { attention }: ModelLayout,
  { format, elementSize, isFp8E4m3 }: KvDtype,
  release: ReleaseInterval,
): boolean {
  const isSparse = attention.kind === 'latent' && attention.indexDim !== undefined;
  if (!isSparse && attention.kind !== 'compressed') {
    return true;
  }
  const isEarly = isSparse && isSince(release, sparseCheckedFrom) === false;
  return format === 'plain' && (isFp8E4m3 === true || elementSize.hi > 1 || isEarly);
}
