/**
 * Settings of captured graphs in the launch arguments of 0.5.14 and later: one printed object for the
 * decode and the prefill phase, as a dataclass, or as a dict of what differs from the defaults (graphs
 * of both phases on). Leaves out the lists of sizes.
 */

/** One phase as printed. */
export interface GraphPhase {
  readonly isOff: boolean;
  /** Largest size that is captured: requests, or tokens of a prefill. */
  readonly maxBatch?: number;
}

/** Both phases; undefined where the text does not tell. */
export interface GraphConfig {
  readonly decode: GraphPhase | undefined;
  readonly prefill: GraphPhase | undefined;
}

const phaseText = /\b(decode|prefill)['"]?[=:]\s*(?:\w+\(|\{)((?:[^(){}[\]]|\[[^\]]*\])*)[)}]/g;

/** Reads the text of `cuda_graph_config`. */
export function readGraphConfig(text: string): GraphConfig {
  const phases = new Map(
    [...text.matchAll(phaseText)].map(([, name, body = '']) => [name, readPhase(body)] as const),
  );
  return { decode: phases.get('decode'), prefill: phases.get('prefill') };
}

function readPhase(body: string): GraphPhase {
  const backend = /\bbackend['"]?[=:]\s*(?:<[^>]*>|['"]?([\w.]+))/.exec(body)?.[1];
  const size = /\bmax_bs['"]?[=:]\s*(\d{1,9})\b/.exec(body)?.[1];
  return {
    isOff: backend !== undefined && /disabled$/i.test(backend),
    ...(size !== undefined && { maxBatch: Number(size) }),
  };
}
