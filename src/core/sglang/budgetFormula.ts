/**
 * The budget's own equations, as formula text that terms/formula.ts lowers: the fallback for a log
 * without source. One text serves every era for what a log can show: the eras differ in how a
 * fraction of a byte is dropped (reference 1.2, "Rounding") and in reservations that are inputs
 * here. With source open, the interpreter reads theirs.
 */
import { constant, input } from '../terms/build';
import { readFormulas } from '../terms/formula';
import type { Term } from '../terms/term';
import { units } from '../units/unit';

/**
 * From free memory to tokens: profile_max_num_token (0.1.17 to 0.5.10) and, since,
 * _profile_available_bytes with the pool configurator. The last lines are what is allocated:
 * buffers have padding rows (reference 3.2), the request table is int32 (reference 1.4). `viable` is the minimum as errors
 * print it, which leaves reservations out (reference 1.7). `unpooled` is what pools and
 * free memory share: it follows from the known costs, or from a measured end. Beside a window pool
 * `kvPool` is both, and the window holds a fixed share of the tokens (reference 1.5).
 */
const text = `
slack = total * (1 - fraction)
rest = available - slack - reservation
kvBudget = rest - state
stateRemainder = state - rest * stateShare
shareDifference = rest * (1 - stateShare) - stateRemainder - kvBudget
profiled = kvBudget * 2**30 // cell
raised = profiled + headroom
uncapped = raised - raised % page
tokens = min(uncapped, stageMinimum, cap)
minimum = 1 - (available - reservation) / total
viable = 1 - available / total
kvPool = (tokens + padding) * allocatedCell / 2**30
poolRemainder = kvBudget - kvPool
cellDifference = cell - allocatedCell - draftCell
requestTable = rows * (context + extra) * int32 / 2**30
draftBuffers = (tokens + padding) * draftBufferCell / 2**30
unpooled = available - outside
left = unpooled - kvPool - draftBuffers - state
stateSlots = state * 2**30 // slotBytes
hostPool = tokens * hostCell / 10**9
weights = total - available - besideWeights
windowTokens = tokens * windowShare // page * page
windowPool = (windowTokens + padding) * windowCell / 2**30
fullPool = kvPool - windowPool
allTokens = tokens * replicas
`;

/** The free variables; facts give them their values. */
function makeInputs() {
  const whole = { integer: true };
  return {
    /** A, GiB: free after load, minimum over ranks. */
    available: input('availableAfterLoad', units.GiB),
    /** P, GiB: free before load, minimum over ranks. */
    total: input('totalBeforeLoad', units.GiB),
    /** f as the formula uses it. */
    fraction: input('memFractionEffective', units.one),
    /** GiB taken out of the budget first (multimodal reservation, 0.5.18). */
    reservation: input('multimodalReservation', units.GiB),
    /** GiB of per-request state pools that share the budget. */
    state: input('statePool', units.GiB),
    /** Share of the rest that automatic state pools take, before whole slots are counted. */
    stateShare: input('stateShare', units.one),
    /** B/token that the budget divides by. May be a float (sliding-window hybrids). */
    cell: input('budgetedBytesPerToken', units.bytesPerToken),
    /** B/token of the target's buffers. */
    allocatedCell: input('allocatedBytesPerToken', units.bytesPerToken),
    /** B/token of draft pools inside the budget (0.5.14 on). */
    draftCell: input('draftBytesPerToken', units.bytesPerToken),
    /** B/token of the draft's own buffers, inside the budget or not. */
    draftBufferCell: input('draftBufferBytesPerToken', units.bytesPerToken),
    /** B of one slot of a state pool. */
    slotBytes: input('bytesPerSlot', units.B),
    /** B of pinned host memory for each token of the pool, where a ratio sizes the host pool. */
    hostCell: input('hostBytesPerToken', units.bytesPerToken),
    /** Tokens added to what was profiled, for drafts (0.4.3.post3 to 0.5.6.post2). */
    headroom: input('draftHeadroom', units.token, whole),
    page: input('pageSize', units.token, whole),
    /** --max-total-tokens. */
    cap: input('maxTotalTokensCap', units.token, whole),
    /** Smallest pool of the other pipeline stages. */
    stageMinimum: input('stageMinimum', units.token, whole),
    /** Padding rows of the buffers. */
    padding: input('paddingRows', units.token, whole),
    /** Rows of the request-to-token table. */
    rows: input('requestRows', units.one, whole),
    context: input('contextLength', units.one, whole),
    /** Entries of a row beyond the context. */
    extra: input('extraEntries', units.one, whole),
    /** Bytes of a table entry. */
    int32: constant(4n, units.B),
    /** GiB allocated after the pools: request table, graphs, weights of a draft that loads later. */
    outside: input('outsideBudget', units.GiB),
    /** GiB that loading takes beside the weights: a draft, adapters, what lies between the samples. */
    besideWeights: input('besideWeights', units.GiB),
    /** Tokens of the window pool for each of the full pool. */
    windowShare: input('windowShare', units.one),
    /** B/token of the window pool's buffers. */
    windowCell: input('windowBytesPerToken', units.bytesPerToken),
    /** Data-parallel replicas with a pool each, where these are alike. */
    replicas: input('replicas', units.one, whole),
  };
}

type Inputs = ReturnType<typeof makeInputs>;

const derivedNames = [
  'slack',
  'rest',
  'kvBudget',
  'stateRemainder',
  'shareDifference',
  'profiled',
  'raised',
  'uncapped',
  'tokens',
  'minimum',
  'viable',
  'kvPool',
  'poolRemainder',
  'cellDifference',
  'requestTable',
  'draftBuffers',
  'unpooled',
  'left',
  'stateSlots',
  'hostPool',
  'weights',
  'windowTokens',
  'windowPool',
  'fullPool',
  'allTokens',
] as const;

/** The terms of one run's budget: free inputs, and everything that follows from them. */
export type BudgetTerms = Readonly<Inputs> & Readonly<Record<(typeof derivedNames)[number], Term>>;

/** The budget formula, lowered once: runs share the terms and differ in their facts. */
export const budgetTerms: BudgetTerms = lower();

function lower(): BudgetTerms {
  const inputs = makeInputs();
  const derived = readFormulas(text, inputs);
  const find = (name: string): Term => {
    const term = derived.get(name);
    if (term === undefined) {
      throw new Error(`the budget formula does not name ${name}`);
    }
    return term;
  };
  return {
    ...inputs,
    ...(Object.fromEntries(derivedNames.map(name => [name, find(name)])) as Record<
      (typeof derivedNames)[number],
      Term
    >),
  };
}
