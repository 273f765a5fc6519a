/** The interpreter's facts, made of SGLang's data tables. */
import { FactIndex } from '../../python/factIndex';
import type { SourceFacts } from '../../python/facts';
import { attributeWriters } from '../../sglang/source/attributeWriter';
import { librarySeeds } from '../../sglang/source/librarySeed';
import { plainProfile } from '../../sglang/source/plainProfile';
import { measurement, scaledParameter } from '../../sglang/source/sizingFact';
import { sourceInputs } from '../../sglang/source/sourceInput';
import { CandidateWords } from './candidate';

const tables: SourceFacts = {
  inputs: sourceInputs,
  defaults: plainProfile,
  library: librarySeeds,
  writers: attributeWriters,
  measurement,
  scaledParameter,
};

/** Made once; the tables never change. */
export const sglangFacts = new FactIndex(tables);

/** Knows the texts that may have to do with memory. */
export const memoryWords = new CandidateWords(tables);
