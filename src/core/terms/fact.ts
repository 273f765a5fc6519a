/** What is known before solving: that a term's value lies in a quantity's interval. */
import type { Interval } from '../units/interval';
import type { Basis, Provenance } from '../units/quantity';
import type { PythonNumber } from '../units/pythonNumber';
import type { Term } from './term';

/**
 * One piece of knowledge of a term, in the term's own unit. A printed figure is proved; a link such
 * as "P = begin" is assumed and names its assumption.
 */
export interface Fact {
  readonly term: Term;
  readonly interval: Interval;
  readonly basis: Basis;
  /** Ids of the assumptions, for an assumed fact. */
  readonly assumptions?: readonly string[];
  readonly provenance: readonly Provenance[];
  /** The number as printed or typed, for display and for nominal evaluation. */
  readonly nominal?: PythonNumber;
}
