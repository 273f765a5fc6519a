/** What a plan is made from: flags, measurements, and which release is meant. */
import type { Quantity } from '../units/quantity';
import type { FractionOptions } from './autoFraction';
import type { SizingOptions } from './poolSizer';

/** Flags and measurements of a plan. */
export interface PlanOptions extends SizingOptions {
  /** True where nobody said which release it is. */
  readonly isReleaseSupposed?: boolean;
  /** The newer release that was asked for, and is taken to be like this one. */
  readonly askedRelease?: string;
  /** GiB free before loading, minimum over ranks. */
  readonly total?: Quantity;
  /** GiB that the weights take of it on the rank that holds most. */
  readonly weights?: Quantity;
  readonly draftWeights?: Quantity;
  /** What decides the automatic fraction beside release and parallel sizes. */
  readonly automatic?: Omit<FractionOptions, 'release' | 'parallel'>;
  /** Fractions of the table; without them steps above the minimum. */
  readonly fractions?: readonly number[];
  /** Tokens; else what the config says. */
  readonly contextLength?: number;
  /** Flags of a pasted launch line that are not understood here. */
  readonly leftOut?: LeftOutFlags;
}

/** Flags by what they do to memory, with their dashes. */
export interface LeftOutFlags {
  /** They may change what the pools get: the plan does not follow them. */
  readonly budget: readonly string[];
  /** They change the weights, whose size is given. */
  readonly weights: readonly string[];
  readonly none: readonly string[];
}
