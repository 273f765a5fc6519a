/**
 * What releases keep of the budget for embeddings and transport of pictures and sound, where no line
 * of a log says it (0.5.18 on). Leaves out pools of a transport that shares memory between processes.
 */
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import { isSince } from '../sglang/layout/eraTable';
import { textModelFrom } from '../sglang/layout/multimodalArchitecture';
import { givenQuantity, supposedQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import type { ModelLayout } from './modelLayout';

/** GiB of the cache that SGLANG_VLM_CACHE_SIZE_MB sizes, at its default. */
const usual = 100 / 1024;

/** GiB that come out of the budget first; an assumption for models with towers. */
export function visionReservation(
  { isMultimodal, architecture }: Pick<ModelLayout, 'isMultimodal' | 'architecture'>,
  release: ReleaseInterval,
  isForced: boolean,
): Quantity {
  const isText = !isForced && textModelFrom(architecture) !== undefined;
  const isReserved = !isMultimodal || isText ? false : isSince(release, '0.5.18');
  if (isReserved === false) {
    return givenQuantity(0, units.GiB, 'text only');
  }
  return supposedQuantity(
    { lo: isReserved === true ? usual : 0, hi: usual },
    units.GiB,
    'multimodal reservation of 100 MiB',
    isReserved === true ? usual : 0,
  );
}
