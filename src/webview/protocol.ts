/**
 * What editor and page say to each other. Both sides check what comes in: a page restored by the
 * editor, or a message from anything else in the window, is not trusted.
 */
import type { PageModel } from '../core/report/pageModel';
import { isPageModel } from './modelShape';

/** What a page is of; the editor keeps it to make the page again after a reload. */
export type PageSubject =
  | { readonly kind: 'log'; readonly log: string; readonly run: number | null }
  | { readonly kind: 'comparison'; readonly logs: readonly [a: string | null, b: string | null] }
  | { readonly kind: 'kept' };

/** What the page keeps over a reload. */
export interface PageState {
  readonly subject: PageSubject;
  /** Absent where the log was not read to its end, and where another build kept another shape. */
  readonly model?: PageModel;
  readonly tried: TriedValues;
}

/** What a person changed on the page; texts as typed. */
export interface TriedValues {
  /** Absent: where the slider stood at first. */
  readonly fraction?: number;
  readonly texts: Readonly<Record<string, string>>;
}

/** From the editor. */
export interface ShowMessage {
  readonly type: 'show';
  readonly subject: PageSubject;
  readonly model: PageModel;
}

/** From the editor, while a long log is read: what is read, and how much of it is. */
export interface ReadingMessage {
  readonly type: 'reading';
  readonly text: string;
  /** What the button that ends the reading says. */
  readonly stop: string;
  /** 0..1 */
  readonly share: number;
}

/** From the page. */
export type PageMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'reveal'; readonly lines: readonly number[]; readonly log?: 0 | 1 }
  | { readonly type: 'copyMarkdown' }
  | { readonly type: 'copyFlag'; readonly flag: string }
  | { readonly type: 'saveHtml' }
  | { readonly type: 'openLog' }
  | { readonly type: 'compare' }
  | { readonly type: 'chooseConfig' }
  | { readonly type: 'stop' }
  | { readonly type: 'readOn' }
  | { readonly type: 'showRun'; readonly run: number };

const plainTypes: ReadonlySet<string> = new Set([
  'ready',
  'copyMarkdown',
  'saveHtml',
  'openLog',
  'compare',
  'chooseConfig',
  'stop',
  'readOn',
]);

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** A flag with one number: nothing that a shell would take for more. */
const plainFlag = /^--[a-z][a-z-]{0,60} [\w.]{1,40}$/;

const mostLines = 1000;

/** A message of the page, or undefined for anything else. */
export function pageMessageFrom(value: unknown): PageMessage | undefined {
  if (!isRecord(value) || typeof value['type'] !== 'string') {
    return undefined;
  }
  const { type, lines, flag, run, log } = value;
  if (plainTypes.has(type)) {
    return { type } as PageMessage;
  }
  if (type === 'reveal' && Array.isArray(lines) && lines.length <= mostLines) {
    const which: { log?: 0 | 1 } = log === 0 || log === 1 ? { log } : {};
    return lines.every(isIndex) ? { type, lines, ...which } : undefined;
  }
  if (type === 'copyFlag' && typeof flag === 'string' && plainFlag.test(flag)) {
    return { type, flag };
  }
  return type === 'showRun' && isIndex(run) ? { type, run } : undefined;
}

/** A message of the editor, or undefined for anything else. */
export function showMessageFrom(value: unknown): ShowMessage | undefined {
  return isRecord(value) &&
    value['type'] === 'show' &&
    isSubject(value['subject']) &&
    isPageModel(value['model'])
    ? { type: 'show', subject: value['subject'], model: value['model'] }
    : undefined;
}

/** A message of the editor about a reading, or undefined for anything else. */
export function readingMessageFrom(value: unknown): ReadingMessage | undefined {
  if (!isRecord(value) || value['type'] !== 'reading') {
    return undefined;
  }
  const { text, stop, share } = value;
  return typeof text === 'string' && typeof stop === 'string' && typeof share === 'number'
    ? { type: 'reading', text, stop, share }
    : undefined;
}

/** What a page kept, or undefined for anything else. */
export function pageStateFrom(value: unknown): PageState | undefined {
  if (!isRecord(value) || !isSubject(value['subject'])) {
    return undefined;
  }
  const { subject, model } = value;
  return {
    subject,
    ...(isPageModel(model) && { model }),
    tried: triedFrom(value['tried']),
  };
}

function triedFrom(value: unknown): TriedValues {
  const { fraction, texts } = isRecord(value) ? value : {};
  const known = isRecord(texts)
    ? Object.entries(texts).flatMap(([id, text]) =>
        typeof text === 'string' ? [[id, text] as const] : [],
      )
    : [];
  return {
    ...(typeof fraction === 'number' && fraction > 0 && fraction < 1 && { fraction }),
    texts: Object.fromEntries(known),
  };
}

function isSubject(value: unknown): value is PageSubject {
  if (!isRecord(value)) {
    return false;
  }
  const { kind, log, logs, run } = value;
  switch (kind) {
    case 'log':
      return typeof log === 'string' && (run === null || isIndex(run));
    case 'comparison':
      return isPair(logs) && logs.every(each => each === null || typeof each === 'string');
    default:
      return kind === 'kept';
  }
}

function isPair(value: unknown): value is readonly [unknown, unknown] {
  return Array.isArray(value) && value.length === 2;
}
