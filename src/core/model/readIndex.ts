/**
 * Which layers of sparse attention over latents own their index keys, by the keys that let a layer use
 * those of another. Leaves out how many bytes they take.
 */
import { optionalList, optionalNumber } from './configNumber';
import type { ConfigObject } from './configTree';
import type { IndexOwners } from './modelLayout';

/** Every key that says so, the one that releases look at first before the others. */
export function indexOwners(config: ConfigObject): readonly IndexOwners[] {
  return [byType(config), byFactor(config), byPattern(config) ?? byFrequency(config)].flatMap(
    found => found ?? [],
  );
}

/** One word a layer; from 0.5.20 on. */
function byType(config: ConfigObject): IndexOwners | undefined {
  const words = optionalList(config, 'indexer_types');
  const found = config.get('indexer_types');
  return (
    words &&
    found && {
      owns: layer => words[layer]?.value !== 'shared',
      source: { value: words.length, path: found.path, place: found.place },
      since: '0.5.20',
    }
  );
}

function byFactor(config: ConfigObject): IndexOwners | undefined {
  const factor = optionalNumber(config, ['cli_factor']);
  return factor !== undefined && factor.value > 1
    ? { owns: layer => layer % factor.value === 0, source: factor, since: undefined }
    : undefined;
}

function byPattern(config: ConfigObject): IndexOwners | undefined {
  const pattern = config.get('index_topk_pattern');
  if (typeof pattern?.value !== 'string') {
    return undefined;
  }
  const letters = pattern.value;
  return {
    owns: layer => letters[layer] !== 'S',
    source: { value: letters.length, path: pattern.path, place: pattern.place },
    since: undefined,
  };
}

function byFrequency(config: ConfigObject): IndexOwners | undefined {
  const frequency = optionalNumber(config, ['index_topk_freq']);
  if (frequency === undefined || frequency.value === 1) {
    return undefined;
  }
  const offset = optionalNumber(config, ['index_skip_topk_offset'])?.value ?? 2;
  return {
    owns: layer => Math.max(layer - offset + 1, 0) % frequency.value === 0,
    source: frequency,
    since: undefined,
  };
}
