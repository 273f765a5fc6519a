/**
 * Which classes of models a release gives a pool of their own for sliding-window layers: SGLang
 * decides it by the `architectures` key, so this is a fact of its releases, not of models. Leaves
 * out every figure of a model.
 */
import type { ReleaseInterval } from '../form/releaseInterval';
import { compareReleases } from '../release';
import { isSince } from './eraTable';

/** The release that first pools the window layers of a class (read in the releases to 0.5.23). */
const pooledFrom: ReadonlyMap<string, string> = new Map(
  Object.entries({
    MiMoV2FlashForCausalLM: '0.5.7',
    GptOssForCausalLM: '0.5.8',
    Llama4ForConditionalGeneration: '0.5.8',
    Step3p5ForCausalLM: '0.5.9',
    MiMoV2ForCausalLM: '0.5.11',
    Gemma4ForCausalLM: '0.5.11',
    Gemma4ForConditionalGeneration: '0.5.11',
    Step3p7ForConditionalGeneration: '0.5.13',
    Gemma4UnifiedForConditionalGeneration: '0.5.13',
    LagunaForCausalLM: '0.5.12',
    MellumForCausalLM: '0.5.16',
    UnlimitedOCRForCausalLM: '0.5.15',
    InklingForConditionalGeneration: '0.5.16',
    MuseGlimmerForCausalLM: '0.5.18',
    MuseGlimmerForConditionalGeneration: '0.5.18',
    GraniteSWAForCausalLM: '0.5.19',
    GraniteMoeSWAForCausalLM: '0.5.19',
    DiffusionGemmaForBlockDiffusion: '0.5.21',
    IQuestQ1ForCausalLM: '0.5.21',
    EmbeddingGemma2Model: '0.5.22',
    BeamForCausalLM: '0.5.23',
  }),
);

/** The newest release whose list was read: a later one may pool more classes. */
const lastRead = '0.5.23';

/** From here on a config can ask for the pool itself (`is_hybrid_swa`). */
const ownWordFrom = '0.5.13';

/**
 * Whether window layers have a pool of their own; undefined where neither the release nor the
 * config decides it (a log that prints the pool does).
 */
export function poolsWindow(
  architecture: string | undefined,
  asksForPool: boolean,
  release: ReleaseInterval,
): boolean | undefined {
  const from = pooledFrom.get(architecture ?? '');
  if (from !== undefined) {
    return isSince(release, from);
  }
  if (asksForPool) {
    return isSince(release, ownWordFrom);
  }
  // Between the two the general window pool left out most classes one by one.
  const isListed = isSince(release, '0.5.8') === true && endsBy(release, lastRead);
  return isListed || isSince(release, '0.4.9.post3') === false ? false : undefined;
}

function endsBy(release: ReleaseInterval, last: string): boolean {
  const end = release.kind === 'range' ? release.to : undefined;
  return end !== undefined && compareReleases(end, last) <= 0;
}

/** Classes of them whose models divide their layers among stages: each stage of the others pools all. */
const dividesStages: ReadonlySet<string> = new Set([
  'BeamForCausalLM',
  'GptOssForCausalLM',
  'LagunaForCausalLM',
  'MiMoV2FlashForCausalLM',
  'MiMoV2ForCausalLM',
  'Step3p5ForCausalLM',
]);

/** Whether a pipeline stage pools the layers of its own alone; so for classes that no list names. */
export function stagesWindows(architecture: string | undefined): boolean {
  return !pooledFrom.has(architecture ?? '') || dividesStages.has(architecture ?? '');
}
