/**
 * Follows one rank through a run: how far it came, and whether a line belongs to the target model's
 * worker or to a draft worker (speculative decoding). Leaves out the other ranks.
 */
import type { FieldValue, LogRecord } from './record';

/** The course of one rank so far. */
export class RankCourse {
  #initCount = 0;
  #hasLoadBegun = false;
  #loadEndCount = 0;
  #poolEndCount = 0;
  #captureCount = 0;
  #isDraft = false;
  #firstBegin: number | undefined;
  #lastFree: number | undefined;
  readonly records: LogRecord[] = [];
  readonly target: LogRecord[] = [];
  readonly draft: LogRecord[] = [];

  /** True where the rank printed a line that only a starting worker prints. */
  get hasStarted(): boolean {
    return this.#initCount > 0 || this.#hasLoadBegun || this.#hasWorked;
  }

  /**
   * Whether a further initialisation or model load of this rank is that of a draft worker, not of a
   * restarted server. Drafts start with what the target left free; restarts start with all of it.
   * @param free free GiB that the new worker prints first; undefined where it prints none.
   */
  isDraftStart(free: number | undefined): boolean {
    if (!this.#hasWorked) {
      return false;
    }
    if (free === undefined || this.#lastFree === undefined) {
      return true;
    }
    return this.#firstBegin === undefined
      ? free <= this.#lastFree + 0.5
      : Math.abs(free - this.#lastFree) <= Math.abs(free - this.#firstBegin);
  }

  /** True where the target's pools are complete. */
  get hasTargetPool(): boolean {
    return this.#poolEndCount > 0;
  }

  add(record: LogRecord): void {
    const { event } = record.form;
    const isDraft = this.#belongsToDraft(record);
    const free = freeMemory(record);
    switch (event) {
      case 'init-begin':
        this.#initCount += 1;
        break;
      case 'load-begin':
        this.#hasLoadBegun = true;
        this.#firstBegin ??= free;
        break;
      case 'load-end':
        this.#loadEndCount += 1;
        break;
      case 'pool-end':
        this.#poolEndCount += 1;
        break;
      case 'capture-end':
        this.#captureCount += 1;
        break;
      default:
    }
    if (free !== undefined && event !== 'summary') {
      this.#lastFree = free;
    }
    this.records.push(record);
    (isDraft ? this.draft : this.target).push(record);
  }

  /** The next worker of this rank is a draft's. */
  startDraft(): void {
    this.#isDraft = true;
  }

  /** True where a model was loaded, a pool made or a graph captured. */
  get #hasWorked(): boolean {
    return this.#loadEndCount > 0 || this.#poolEndCount > 0 || this.#captureCount > 0;
  }

  #belongsToDraft(record: LogRecord): boolean {
    const { form, words } = record;
    switch (form.event) {
      case 'capture-begin':
      case 'capture-end':
        if (words['kind'] !== undefined) {
          return words['kind'].startsWith('draft');
        }
        return words['draft'] !== undefined || form.id === 'graph-single-extend' || this.#isDraft;
      case 'pool':
      case 'pool-end':
      case 'sizing':
        // Since 0.5.14 all weights come first and the target's pool is sized before the draft's.
        return form.id !== 'post-capture-pool' && this.#poolEndCount > 0;
      case 'summary':
      case 'ready':
      case 'serving':
        return false;
      default:
        return form.id === 'draft-loaded' || (this.#isDraft && form.phase !== 'serving');
    }
  }
}

/** Free memory in GiB that the record prints, where it prints one. */
export function freeMemory(record: LogRecord): number | undefined {
  const field: FieldValue | undefined = record.fields['avail'];
  return field === undefined ? undefined : Number(field.value);
}
