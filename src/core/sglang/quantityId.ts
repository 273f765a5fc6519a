/**
 * The quantities of the JSON contract: their ids and units. The ids are the names by which logs,
 * sources, the command line and the report speak of one thing.
 */
import { Unit } from '../units/unit';

/** Unit of each quantity, spelled as `Unit.parse` reads it. */
export const quantityUnitNames = {
  /** P: free device memory before weights, minimum over ranks. Not the card. */
  totalBeforeLoad: 'GiB',
  /** A: free device memory after weights, minimum over ranks. */
  availableAfterLoad: 'GiB',
  /** Local samples of one rank, at other moments than P and A. */
  loadBeginAvailable: 'GiB',
  loadEndAvailable: 'GiB',
  memFractionStatic: '1',
  /** What the formula used after multipliers that a dump may not show. */
  memFractionEffective: '1',
  /** P * (1 - f): kept free by the formula. */
  slack: 'GiB',
  /** A - slack: what the formula gives to pools. */
  restMemory: 'GiB',
  budgetedBytesPerToken: 'B/token',
  allocatedBytesPerToken: 'B/token',
  /** The budgeted one. */
  bytesPerToken: 'B/token',
  /** Before clamp, page and pipeline minimum; may be negative. */
  profiledTokens: 'token',
  maxTotalTokens: 'token',
  fullTokens: 'token',
  swaTokens: 'token',
  maxRequestTokens: 'token',
  clusterTokens: 'token',
  kvPool: 'GiB',
  swaPool: 'GiB',
  draftPool: 'GiB',
  statePool: 'GiB',
  stateSlots: '1',
  bytesPerSlot: 'B',
  slotsPerRequest: '1',
  weights: 'GiB',
  draftWeights: 'GiB',
  loraPool: 'GiB',
  contextAndComm: 'GiB',
  requestToTokenPool: 'GiB',
  graphMemory: 'GiB',
  symmetricMemory: 'GiB',
  multimodalReservation: 'GiB',
  /** Decimal gigabytes, as SGLang's host pools count. */
  hostKvPool: 'GB',
  poolEndAvailable: 'GiB',
  finalAvailable: 'GiB',
  unaccounted: 'GiB',
  contextLength: 'token',
  maxRunningRequests: 'request',
  cardCapacity: 'MiB',
} as const satisfies Record<string, string>;

export type QuantityId = keyof typeof quantityUnitNames;

export function isQuantityId(text: string): text is QuantityId {
  return Object.hasOwn(quantityUnitNames, text);
}

/** The unit that values of this quantity have everywhere. */
export function unitOfQuantity(id: QuantityId): Unit {
  const unit = Unit.parse(quantityUnitNames[id]);
  if (unit === undefined) {
    throw new Error(`the quantity ${id} has no readable unit`);
  }
  return unit;
}
