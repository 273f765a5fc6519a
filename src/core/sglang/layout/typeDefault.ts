/**
 * What the transformers library takes for keys that a nested part of a config leaves out: it writes
 * such a part without what is as usual for its `model_type`. Facts of that library (4.51 to 5.24, the
 * same in all); types whose values it changed are left out. Leaves out what SGLang makes of them.
 */

/** The usual values of a type; an absent one follows from others, or is not the same everywhere. */
export interface TypeDefault {
  readonly layers?: number;
  readonly hiddenSize?: number;
  readonly heads?: number;
  /** Absent where they are as many as the heads. */
  readonly kvHeads?: number;
  /** Absent where it is hidden size over heads. */
  readonly headDim?: number;
  /** Every such layer attends to all tokens, the others to a window. */
  readonly windowStep?: number;
  /** Of latent rows. */
  readonly latentRank?: number;
  readonly ropeDim?: number;
}

const defaults: ReadonlyMap<string, TypeDefault> = new Map<string, TypeDefault>(
  Object.entries({
    deepseek_v2: { latentRank: 512, ropeDim: 64 },
    gemma: { layers: 28, hiddenSize: 3072, heads: 16, kvHeads: 16, headDim: 256 },
    gemma2: { layers: 26, hiddenSize: 2304, heads: 8, kvHeads: 4, headDim: 256, windowStep: 2 },
    gemma3_text: {
      layers: 26,
      hiddenSize: 2304,
      heads: 8,
      kvHeads: 4,
      headDim: 256,
      windowStep: 6,
    },
    gpt_oss: { layers: 36, hiddenSize: 2880, heads: 64, kvHeads: 8, headDim: 64, windowStep: 2 },
    llama: { layers: 32, hiddenSize: 4096, heads: 32 },
    llama4_text: { layers: 48, hiddenSize: 5120, heads: 40, kvHeads: 8, headDim: 128 },
    mistral: { layers: 32, hiddenSize: 4096, heads: 32, kvHeads: 8 },
    mixtral: { layers: 32, hiddenSize: 4096, heads: 32, kvHeads: 8 },
    phi3: { layers: 32, hiddenSize: 3072, heads: 32 },
    qwen2: { layers: 32, hiddenSize: 4096, heads: 32, kvHeads: 32 },
    qwen2_moe: { layers: 24, hiddenSize: 2048, heads: 16, kvHeads: 16 },
    qwen3: { layers: 32, hiddenSize: 4096, heads: 32, kvHeads: 32, headDim: 128 },
    qwen3_moe: { layers: 24, hiddenSize: 2048, heads: 32, kvHeads: 4 },
    qwen3_vl_text: { layers: 32, hiddenSize: 4096, heads: 32, kvHeads: 32, headDim: 128 },
    qwen2_5_vl_text: { layers: 80, hiddenSize: 8192, heads: 64, kvHeads: 8 },
    glm4v_text: { layers: 40, hiddenSize: 4096, heads: 32, kvHeads: 2 },
    glm4v_moe_text: { layers: 46, hiddenSize: 4096, heads: 96, kvHeads: 8 },
  }),
);

/** The usual values of a `model_type`; undefined where they are not known. */
export function defaultOfType(modelType: string): TypeDefault | undefined {
  return defaults.get(modelType);
}
