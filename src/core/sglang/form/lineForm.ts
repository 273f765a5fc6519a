/**
 * The shape of one entry of the table of line forms: what a log line looks like, which unit each of
 * its numbers has and what it tells. Leaves out the entries (files by phase beside this one) and
 * everything about reading.
 */

/**
 * Unit of a field, spelled as `Unit.parse` reads it. `GB` is decimal (10^9); a line that prints
 * "GB" for a number divided by 2^30 has `GiB` here. Slots, rows and ranks are plain counts (`1`).
 */
export type FieldUnit =
  'B' | 'KiB' | 'MiB' | 'GiB' | 'GB' | 'token' | 'B/token' | 'request' | 's' | '1' | 'token/s';

/** Quantity ids of the JSON contract that a line can inform. */
export type FormQuantity =
  | 'totalBeforeLoad'
  | 'availableAfterLoad'
  | 'loadBeginAvailable'
  | 'loadEndAvailable'
  | 'memFractionStatic'
  | 'memFractionEffective'
  | 'slack'
  | 'restMemory'
  | 'budgetedBytesPerToken'
  | 'allocatedBytesPerToken'
  | 'profiledTokens'
  | 'maxTotalTokens'
  | 'fullTokens'
  | 'swaTokens'
  | 'maxRequestTokens'
  | 'kvPool'
  | 'swaPool'
  | 'draftPool'
  | 'statePool'
  | 'stateSlots'
  | 'bytesPerSlot'
  | 'slotsPerRequest'
  | 'weights'
  | 'draftWeights'
  | 'loraPool'
  | 'contextAndComm'
  | 'requestToTokenPool'
  | 'graphMemory'
  | 'symmetricMemory'
  | 'multimodalReservation'
  | 'hostKvPool'
  | 'poolEndAvailable'
  | 'finalAvailable'
  | 'contextLength'
  | 'maxRunningRequests'
  | 'cardCapacity';

/** A number of a line form. */
export interface NumberField {
  /** A unit, or `printed` where the line itself names the scale after the number (torch errors). */
  readonly unit: FieldUnit | 'printed';
  /** `printed`: rounded to the decimals shown. `exact`: an integer or a full-precision float. */
  readonly rounding: 'printed' | 'exact';
  /** Decimals that are always printed, at least; where it is not said, 2 of a rounded number. */
  readonly decimals?: number;
  /** The quantity that the value is, for the rank and the worker that printed it. */
  readonly quantity?: FormQuantity;
  /** Named groups that can hold it, where its place differs between spellings; else its own name. */
  readonly groups?: readonly string[];
}

/** A word of a line form: a model class, a dtype, a device kind. Never a secret. */
export interface TextField {
  readonly unit: 'text';
  readonly groups?: readonly string[];
}

export type FormField = NumberField | TextField;

/** Releases that print a spelling, both ends inclusive; `to` absent: still printed today. */
export interface ReleaseRange {
  readonly from: string;
  readonly to?: string;
}

/** Where a line is printed: a file below `python/sglang/srt/` and the qualified name in it. */
export type Emitter = `${string}.py::${string}`;

/**
 * One historical spelling of a form, told apart by which named groups matched. Only a line that
 * ends where the form ends is assigned a spelling: a cut line lacks groups for another reason.
 */
export interface Spelling {
  readonly has?: readonly string[];
  readonly lacks?: readonly string[];
  /** Empty where no released version prints it (forks, torch, other engines). */
  readonly releases: readonly ReleaseRange[];
  readonly emitters?: readonly Emitter[];
}

/** Stage of a server's life that a line belongs to. */
export type FormPhase =
  | 'arguments'
  | 'init'
  | 'weights'
  | 'sizing'
  | 'pools'
  | 'capture'
  | 'summary'
  | 'ready'
  | 'serving'
  | 'host'
  | 'end';

/** What a line means for the course of a run. */
export type FormEvent =
  | 'server-arguments'
  | 'init-begin'
  | 'init-end'
  | 'load-begin'
  | 'load-end'
  | 'sizing'
  | 'pool'
  | 'pool-end'
  | 'capture-begin'
  | 'capture-progress'
  | 'capture-end'
  | 'summary'
  | 'ready'
  /** A batch line, a retraction or a rejected request: the server serves. */
  | 'serving'
  /** Head of a traceback that a process of the server prints for itself. */
  | 'traceback'
  /** The process that prints it dies. */
  | 'fatal'
  /** Fatal only where it is raised as an exception; a warning otherwise. */
  | 'fatal-if-raised'
  /** The end of a server because another process of it died; never a cause. */
  | 'cascade'
  /** A frame of a traceback that says what its process was doing. */
  | 'frame'
  /** First line of another engine. */
  | 'foreign-start'
  | 'note';

/** Whose line it is. Only lines of `sglang` tell the release of a run. */
export type FormOwner =
  | 'sglang'
  | 'patch'
  | 'torch'
  | 'system'
  | 'fork'
  | 'kvcached'
  | 'ktransformers'
  | 'sglang-omni'
  | 'sglang-diffusion'
  | 'sglang-jax'
  | 'mlx'
  | 'vllm';

/** One line form. */
export interface LineForm {
  readonly id: string;
  readonly phase: FormPhase;
  readonly event: FormEvent;
  readonly owner: FormOwner;
  readonly level: 'debug' | 'info' | 'warning' | 'error' | 'progress';
  /** Literal substrings of which every line of the form holds at least one; ASCII, 9 or longer. */
  readonly anchors: readonly string[];
  /** A line without an anchor that the form can match ends with this word. */
  readonly soleWord?: string;
  /** Matches the message without prefixes, not necessarily from its start; linear in its length. */
  readonly pattern: RegExp;
  readonly fields: Readonly<Record<string, FormField>>;
  /** Quantities that the line informs without printing them, beside those of its fields. */
  readonly informs?: readonly FormQuantity[];
  readonly spellings: readonly Spelling[];
  /**
   * Fields that can be the last of the line. Any other number that touches the end of its line was
   * cut there and is dropped.
   */
  readonly ends?: readonly string[];
  /**
   * Labels that the form can print after its fields. A line that stops inside one of them was cut,
   * and a number that touches the cut of another line of the same width is dropped.
   */
  readonly labels?: readonly string[];
  /** Start of a next physical line (trimmed) that continues a wrapped line of this form. */
  readonly wraps?: RegExp;
  /** The pattern finds fields behind its end, so that a line may go on wherever it stops. */
  readonly looksAhead?: boolean;
  /** Fields of which one shows that the line is whole, so that nothing is waited for. */
  readonly closes?: readonly string[];
}
