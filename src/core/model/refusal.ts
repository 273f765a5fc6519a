/** Why a config gives no layout: the key that is missing or odd, by its name. Never a guess. */
import type { ConfigPlace } from './configTree';

/** A reason not to answer. */
export type Refusal =
  /** No JSON object, or one that is too large or too deep to be a model's config. */
  | { readonly kind: 'not-a-config' }
  /** Paths of keys of which one is needed. */
  | { readonly kind: 'missing-key'; readonly key: string; readonly alternatives: readonly string[] }
  | {
      readonly kind: 'unusable-value';
      readonly key: string;
      readonly found: string;
      readonly place: ConfigPlace;
    }
  /** A kind of attention whose memory is not known, by the key that announces it. */
  | { readonly kind: 'unknown-attention'; readonly key: string; readonly place: ConfigPlace }
  /** A flag that changes this layout in a way that is not known. */
  | { readonly kind: 'open-flag'; readonly flag: string }
  /** Ranks that the engine cannot spread such a count over. */
  | {
      readonly kind: 'indivisible';
      readonly key: string;
      readonly count: number;
      readonly ranks: number;
    }
  /** Two flags, or one and the model's attention, with which the release does not start. */
  | { readonly kind: 'not-together'; readonly flag: string; readonly other: string }
  /** The release has no such layout, or no such dtype for it. */
  | { readonly kind: 'not-in-release'; readonly what: string };

/** Carries a refusal through the reader; never leaves this folder. */
export class RefusedError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

/** A result or the reason why there is none. */
export type Answer<T> =
  | { readonly kind: 'known'; readonly value: T }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Runs a reader; a refusal inside becomes the answer. */
export function answer<T>(read: () => T): Answer<T> {
  try {
    return { kind: 'known', value: read() };
  } catch (error) {
    if (error instanceof RefusedError) {
      return { kind: 'refused', refusal: error.refusal };
    }
    throw error;
  }
}
