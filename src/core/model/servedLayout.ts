/**
 * The layout that a release keeps a model in: latent attention in plain heads, where the release has
 * no latent rows or was not asked for them. Leaves out the bytes of either.
 */
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import { isSince } from '../sglang/layout/eraTable';
import {
  hasLatentRows,
  latentRowsFrom,
  plainClassOf,
  unknownLatentFlag,
} from '../sglang/layout/latentRows';
import type { LayoutOptions } from './bytesContext';
import type { ModelLayout } from './modelLayout';
import { RefusedError } from './refusal';

/** The layout, or a refusal where the release has neither rows nor heads for it. */
export function servedLayout(
  layout: ModelLayout,
  { release, latentRows }: Pick<LayoutOptions, 'release' | 'latentRows'>,
): ModelLayout {
  const { attention, architecture } = layout;
  if (attention.kind !== 'latent') {
    return layout;
  }
  const flag = unknownLatentFlag(release, latentRows);
  if (flag !== undefined) {
    throw new RefusedError({ kind: 'not-in-release', what: flag });
  }
  if (hasLatentRows(release, latentRows)) {
    return layout;
  }
  const found = plainClassOf(architecture);
  const { classSource } = attention;
  if (found === undefined || classSource === undefined) {
    return refuseOpen(release, latentRows);
  }
  if (isSince(release, found.since) === false) {
    throw new RefusedError({ kind: 'not-in-release', what: architecture ?? classSource.path });
  }
  const isDefault = latentRows === undefined && isSince(release, latentRowsFrom) !== false;
  return {
    ...layout,
    attention: {
      kind: 'heads',
      kvHeads: attention.kvHeads,
      headCount: layout.queryHeads,
      hiddenSize: undefined,
      headDim: { value: found.headDim, path: classSource.path, place: classSource.place },
      headDimAssumptions: isDefault ? ['--enable-mla is not given'] : [],
      valueDim: undefined,
      windowKvHeads: undefined,
      windowHeadDim: undefined,
      windowValueDim: undefined,
      index: undefined,
      isNested: false,
    },
  };
}

/** A class whose heads are not known. */
function refuseOpen(release: ReleaseInterval, latentRows: boolean | undefined): never {
  throw new RefusedError(
    isSince(release, latentRowsFrom) === false
      ? { kind: 'not-in-release', what: 'latent attention' }
      : { kind: 'open-flag', flag: latentRows === false ? '--disable-mla' : '--enable-mla' },
  );
}
