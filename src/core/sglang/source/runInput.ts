/**
 * Which quantities of a run's log are inputs of the source: the first quantity that the run knows
 * gives the input its value. What a log cannot tell stays missing.
 */
import type { QuantityId } from '../quantityId';

/** An input id and the quantities that stand for it, best first. */
export interface RunInput {
  readonly input: string;
  readonly quantities: readonly QuantityId[];
}

/** The input that a run's pools tell where its log does not print it. */
export const fractionInput = 'memFractionStatic';

export const runInputs: readonly RunInput[] = [
  { input: 'totalBeforeLoad', quantities: ['totalBeforeLoad'] },
  { input: 'availableAfterLoad', quantities: ['availableAfterLoad'] },
  // What was in effect may differ from what was typed (design section 1.7).
  { input: fractionInput, quantities: ['memFractionEffective', 'memFractionStatic'] },
  { input: 'context_length', quantities: ['contextLength'] },
  { input: 'cardCapacity', quantities: ['cardCapacity'] },
];

/** Launch arguments that are inputs under the same name; all are whole numbers. */
export const argumentInputs: readonly string[] = [
  'tp_size',
  'pp_size',
  'dp_size',
  'page_size',
  'max_running_requests',
  'chunked_prefill_size',
];

/** The bytes per token of a run, for a sizing function that gets them from elsewhere. */
export const runBytesPerToken: readonly QuantityId[] = ['budgetedBytesPerToken', 'bytesPerToken'];
