/**
 * Core never makes sentences. A message is an id with typed arguments; the edge renders it in the
 * user's language with the user's choice of number formats. Each layer declares its ids in a file
 * of its own here, and `MessageArguments` collects them.
 */
import type { Quantity } from '../units/quantity';
import type { AccountMessages } from './accountMessage';
import type { AnnotationMessages } from './annotationMessage';
import type { ModelMessages } from './modelMessage';
import type { PageMessages } from './pageMessage';
import type { SolveMessages } from './solveMessage';

/** A word or a path that comes from a log, a source or a config: escaped where it is rendered. */
export interface ForeignText {
  readonly foreign: string;
}

/** An amount that is shown with an explicit sign and no interval, such as a difference. */
export interface Ratio {
  /** 0..1, shown in percent. */
  readonly share: number;
}

/** What a message may carry. A number is a plain count; amounts with units are quantities. */
export type MessageArgument =
  Quantity | ForeignText | Ratio | number | string | Message | readonly Message[];

export type MessageArguments = AccountMessages &
  AnnotationMessages &
  ModelMessages &
  PageMessages &
  SolveMessages;

export type MessageId = keyof MessageArguments;

/** One message: its id and what belongs in its gaps. */
export interface Message<Id extends MessageId = MessageId> {
  readonly id: Id;
  readonly arguments: Readonly<Record<string, MessageArgument>>;
}

/** Makes a message; the arguments are checked against its id. */
export function message<Id extends MessageId>(id: Id, values: MessageArguments[Id]): Message<Id> {
  return { id, arguments: values };
}

/** Marks text from outside. */
export function foreign(text: string): ForeignText {
  return { foreign: text };
}
