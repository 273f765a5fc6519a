/** Two facts of every sizing function: what its parameter is, and what it measures. */

/** The parameter that is scaled by the memory fraction: free memory before weights are loaded. */
export const scaledParameter = { id: 'totalBeforeLoad', unit: 'GiB' } as const;

/** What the sizing function measures: free memory after weights are loaded. */
export const measurement = {
  id: 'availableAfterLoad',
  unit: 'GiB',
  measures: 'free-memory',
  /** Used only where the definition is not in reach, such as a single file on the web. */
  unfollowed: ['get_available_gpu_memory()'],
  assumption: 'measured-in-gib',
  /** What a measuring function names where it reduces over ranks. */
  leastOfRanks: 'ReduceOp.MIN',
} as const;
