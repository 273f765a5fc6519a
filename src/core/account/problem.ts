/**
 * What deserves a place in the Problems panel: one per run, never one per rank. Each carries the
 * line it is about and, where one is safe, the flag that cures it. A message says what is the case
 * with its numbers, then what to do.
 */
import type { Message } from '../message/message';
import type { Quantity } from '../units/quantity';
import type { RunAccount } from './account';
import { occupied, rankImbalance, sharedCard, unbalancedStart } from './cardProblem';
import type { PrintedPlace } from './ledger';
import { placesOf } from './ledger';
import { overAllocated } from './overAllocation';
import { idleMemory, refusedRequests, spentSlack, tinyPool } from './poolProblem';
import {
  adviceTooLow,
  contradiction,
  fractionMismatch,
  notEnoughMemory,
  overClaimed,
} from './sizingProblem';

/** Every code, in the order of the contract. */
export const problemCodes = [
  'not-enough-memory',
  'fraction-mismatch',
  'contradiction',
  'idle-memory',
  'rank-imbalance',
  'advice-too-low',
  'tiny-pool',
  'occupied-before-start',
  'over-allocated',
  'unit-mismatch',
  'unit-label',
] as const;

export type ProblemCode = (typeof problemCodes)[number];

export interface Problem {
  readonly code: ProblemCode;
  readonly severity: 'error' | 'warning' | 'information';
  /** 1-based. */
  readonly line: number;
  /** Index into `LogReading.files`, where the run is of several; absent for its first file. */
  readonly file?: number;
  readonly message: Message;
  /** A flag to paste; absent where no value is safe to offer. */
  readonly fix?: string;
}

/** What a check looks at. */
export type JudgedAccount = Omit<RunAccount, 'problems'>;

/** The problems of one run, gravest first. */
export function problemsOf(account: JudgedAccount): Problem[] {
  return [
    ...notEnoughMemory(account),
    ...unbalancedStart(account),
    ...contradiction(account),
    ...fractionMismatch(account),
    ...sharedCard(account),
    ...occupied(account),
    ...orElse(overAllocated(account), () => overClaimed(account)),
    ...spentSlack(account),
    ...rankImbalance(account),
    ...tinyPool(account),
    ...refusedRequests(account),
    ...idleMemory(account),
    ...adviceTooLow(account),
  ];
}

function orElse(known: readonly Problem[], other: () => readonly Problem[]): readonly Problem[] {
  return known.length > 0 ? known : other();
}

/** True for memory that lies idle where the problem of the pool beside it has said so. */
export function isRepeated({ message: { id } }: Problem): boolean {
  return id === 'problem.idle-memory-plain';
}

/** True for the problem that says what the verdict says: how the run ended. */
export function isVerdict({ code, message }: Problem): boolean {
  return (
    code === 'not-enough-memory' ||
    message.id === 'problem.not-enough-memory' ||
    message.id.startsWith('verdict.')
  );
}

/** The first line that shows the quantity, else the first of the run. */
export function placeOf(
  quantity: Quantity | undefined,
  { run }: Pick<RunAccount, 'run'>,
): Pick<Problem, 'line' | 'file'> {
  const [place] = quantity ? placesOf(quantity) : [];
  return place === undefined ? { line: run.lines[0] } : lineOf(place);
}

/** The line of a record, or of what else has a place. */
export function lineOf({ line, file }: PrintedPlace): Pick<Problem, 'line' | 'file'> {
  return { line, ...(file !== undefined && file > 0 && { file }) };
}
