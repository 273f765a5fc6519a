/** The interpreter's facts, made of SGLang's data tables. */
import { FactIndex } from '../../python/factIndex';
import { librarySeeds } from '../../sglang/source/librarySeed';
import { plainProfile } from '../../sglang/source/plainProfile';
import { measurement, scaledParameter } from '../../sglang/source/sizingFact';
import { sourceInputs } from '../../sglang/source/sourceInput';

/** Made once; the tables never change. */
export const sglangFacts = new FactIndex({
  inputs: sourceInputs,
  defaults: plainProfile,
  library: librarySeeds,
  measurement,
  scaledParameter,
});
