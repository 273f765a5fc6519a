/**
 * The assumptions by which printed samples stand for the formula's inputs. Each id reads as the
 * equation it supposes; sizes and reasons are here and nowhere else.
 */

/** Ids as they appear under `assumptions` of a quantity. */
export const assumptions = {
  /** "Load weight begin" is sampled after P and nothing frees memory in between. */
  totalIsBegin: 'P = begin',
  /** "Load weight end" is sampled before A, after the same clean-up. */
  availableIsEnd: 'A = end',
  /** Ranks that the log does not show may have less. */
  ranksShown: 'ranks not shown have no less',
  allocatedAsBudgeted: 'allocated = budgeted bytes per token',
  noTokenCap: 'no --max-total-tokens',
  rowsAreRequests: 'rows = max_running_requests',
  pageIsPowerOfTwo: 'page size is a power of two',
  bindingStage: 'this stage is the smallest',
  unmeasuredCosts: 'unmeasured costs = 4 GiB',
  poolFillsBudget: 'pool = budget, less a page',
  /** Automatic slots of state take their share of the budget whatever the fraction. */
  stateIsShare: 'state takes its share of the budget',
  /** --hicache-ratio sizes the host pool by the tokens of the pool (reference 5.8). */
  hostFollowsTokens: 'host pool = ratio x tokens',
  /** The arguments hold the fraction that the budget was made with. */
  fractionAsTyped: 'fraction = as typed',
  /** The budget counts layers of a draft as those of the target, whatever their dimensions. */
  draftNearTarget: 'draft layer = 1/2 to 2 layers of the target',
  costsUnchanged: 'other costs unchanged',
  /** Batch lines print tokens in use over tokens of the pool. */
  usageIsOfPool: 'token usage = tokens in use / tokens of the pool',
  /** The fraction that an error repeats is the one the budget was made with. */
  notMultiplied: 'nothing multiplies the fraction',
  /** Releases 0.4.7 to 0.5.4 multiply by 0.85 for aiter and contexts beyond 8192 (reference 4.1). */
  aiterMultiplies: 'aiter multiplies the fraction by 0.85',
  /** Ranks that the log does not show, up to the highest number, run on the same node. */
  ranksOfNode: 'all ranks on one node',
  /** Each replica has cards of its own, and its pool may differ from the one that is printed. */
  replicasAlike: 'replicas have equal pools',
  /** Context, communication and ECC take no more of a card that is otherwise free. */
  cardAboveFree: 'card is at most 8 % above free before load',
  /** Context and communication of one process, where no line prints them. */
  contextAtMost: 'context at most 4 GiB',
  /** A config that a person or the workspace gives; printed sizes can only fail to contradict it. */
  configOfModel: 'config.json is that of the model',
} as const;

/** P is sampled a little earlier than begin: GiB that it may be larger (design 1.2). */
export const totalAboveBeginGiB = 0.1;

/** Drift between "Load weight end" and the sizing sample, either way, in GiB. */
export const sampleDriftGiB = 0.005;

/** A page of tokens is smaller than this, in GiB (64 tokens of 300 KiB, 256 of 16 KiB). */
export const pageBelowGiB = 0.02;
