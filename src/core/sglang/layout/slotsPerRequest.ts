/**
 * How many state slots a running request takes, by release and strategy (the releases 0.5.3.post2 to
 * 0.5.23). Leaves out environment variables that no log prints.
 */
import type { ReleaseInterval } from '../form/releaseInterval';
import { buffersByDefault, classesDecideFrom } from './bufferArchitecture';
import { isSince } from './eraTable';

/** Flags that decide it. */
export interface SlotStrategy {
  readonly disableRadixCache: boolean;
  /** `no_buffer`, `extra_buffer`, `extra_buffer_lazy`; `auto`, or undefined: the default. */
  readonly strategy?: string;
  /** The class of the model, which decides by default. */
  readonly architecture?: string;
  readonly page?: number;
  readonly isSpeculative: boolean;
  readonly disableOverlap: boolean;
}

/** Slots of a request with a prefix cache, before buffers. */
const base = 3;

/** By default a class that can has a buffer, where its batches overlap or its pages are longer than 1. */
function isBuffered(
  release: ReleaseInterval,
  { strategy = 'auto', architecture, disableOverlap, page = 1 }: SlotStrategy,
): boolean {
  return strategy === 'auto'
    ? buffersByDefault(architecture, release) === true && (!disableOverlap || page > 1)
    : strategy.startsWith('extra_buffer');
}

/** True where a class that no release names decides: then a request may take more slots. */
export function areSlotsOpen(
  release: ReleaseInterval,
  { disableRadixCache, strategy = 'auto', architecture, disableOverlap, page = 1 }: SlotStrategy,
): boolean {
  const isByClass = strategy === 'auto' && !disableRadixCache && (!disableOverlap || page > 1);
  return isByClass && buffersByDefault(architecture, release) === undefined;
}

/** What decides the slots of a request. */
export type SlotDecider = 'cache' | 'strategy' | 'overlap' | 'class';

/** The flag that decides, or the class, which the release looks up in its lists. */
export function slotDecider(
  release: ReleaseInterval,
  { disableRadixCache, strategy = 'auto', disableOverlap, page = 1 }: SlotStrategy,
): SlotDecider {
  if (disableRadixCache) {
    return 'cache';
  }
  if (strategy !== 'auto') {
    return 'strategy';
  }
  if (isSince(release, classesDecideFrom) === false) {
    return 'cache';
  }
  return disableOverlap && page <= 1 ? 'overlap' : 'class';
}

/** Slots of one running request: the fewest where they are open. */
export function slotsPerRequest(release: ReleaseInterval, flags: SlotStrategy): number {
  if (flags.disableRadixCache) {
    return 1;
  }
  const hasBuffer = isBuffered(release, flags);
  // 0.5.7 alone adds two slots without a buffer too.
  const isFirst =
    isSince(release, '0.5.7') === true && isSince(release, '0.5.8') === false && !hasBuffer;
  if (!hasBuffer) {
    return isFirst ? base + 2 : base;
  }
  if (flags.strategy === 'extra_buffer_lazy') {
    return base + 1;
  }
  // Speculation decided the size of the buffer up to 0.5.9, the overlap of schedules since.
  const isSmall =
    isSince(release, '0.5.10rc0') === true ? flags.disableOverlap : flags.isSpeculative;
  return base + (isSmall ? 1 : 2);
}
