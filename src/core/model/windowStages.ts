/**
 * Layers with all tokens and with a window on the pipeline stage that decides: the one whose tokens
 * take most. Leaves out models that run without stages.
 */
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import { isSince } from '../sglang/layout/eraTable';
import { stagesWindows } from '../sglang/layout/windowArchitecture';
import { ownedLayersFrom, ratioInBudgetFrom } from '../sglang/layout/windowFormula';
import type { Interval } from '../units/interval';
import type { BytesContext } from './bytesContext';
import type { LayerKind, LayerPlan } from './layerPlan';
import { evenStagesFrom, stageRange } from './layerPlan';

/** Bytes of a token in a layer of each kind, and tokens of the window pool for each of the full one. */
export interface RowWeights {
  readonly full: number;
  readonly window: number;
  readonly ratio: number;
}

/** Layers of each kind; bounds where the log leaves open which release it is. */
export interface StagedLayers {
  readonly full: Interval;
  readonly window: Interval;
}

interface Counted {
  readonly full: number;
  readonly window: number;
}

/** The layers of the stage that decides; of all where there is one stage. */
export function decidingWindows({ layout, options }: BytesContext, rows: RowWeights): StagedLayers {
  const { release, parallel } = options;
  const stages = stagesWindows(layout.architecture) ? (parallel.pp ?? 1) : 1;
  const isOwned = isSince(release, ownedLayersFrom);
  const isRatio = isSince(release, ratioInBudgetFrom);
  // Of one stage all layers are its own.
  const owners = stages === 1 ? [true] : possible(isOwned);
  const choices = owners.flatMap(owned => possible(isRatio).map(ratio => ({ owned, ratio })));
  const found = choices.map(({ owned, ratio }) => {
    const counts = stageCounts(layout.layers, stages, { owned, release });
    const weight = ({ full, window }: Counted): number =>
      full * rows.full + window * rows.window * (ratio ? rows.ratio : 1);
    return counts.reduce((most, next) => (weight(next) > weight(most) ? next : most));
  });
  return { full: between(found, 'full'), window: between(found, 'window') };
}

function possible(known: boolean | undefined): readonly boolean[] {
  return known === undefined ? [true, false] : [known];
}

function between(found: readonly Counted[], kind: keyof Counted): Interval {
  const counts = found.map(each => each[kind]);
  return { lo: Math.min(...counts), hi: Math.max(...counts) };
}

/** Up to 0.5.20 every stage counts the first layer of the next one too. */
function stageCounts(
  { kinds }: LayerPlan,
  stages: number,
  { owned, release }: { readonly owned: boolean; readonly release: ReleaseInterval },
): readonly Counted[] {
  const isEven = isSince(release, evenStagesFrom) !== false;
  return Array.from({ length: stages }, (_, stage) => {
    const [start, end] = stageRange(kinds.length, stages, stage, isEven);
    const held = kinds.slice(start, owned ? end : end + 1);
    const count = (...wanted: readonly LayerKind[]): number =>
      held.filter(kind => wanted.includes(kind)).length;
    return { full: count('full', 'both'), window: count('window') };
  });
}
