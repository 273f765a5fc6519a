/**
 * What deserves a place in the Problems panel: one per run, never one per rank. Each carries the
 * line it is about and, where one is safe, the flag that cures it. The first sentence of a message
 * holds the cure.
 */
import type { Message } from '../message/message';
import type { Quantity } from '../units/quantity';
import type { RunAccount } from './account';
import { occupied, rankImbalance, sharedCard, unbalancedStart } from './cardProblem';
import { linesOf } from './ledger';
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

/** The first line that shows the quantity, else the first of the run. */
export function lineOf(quantity: Quantity | undefined, { run }: JudgedAccount): number {
  return (quantity && linesOf(quantity)[0]) ?? run.lines[0];
}
