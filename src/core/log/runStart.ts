/**
 * Decides where one run ends and the next begins, and where a rank goes over to a draft worker.
 * Leaves out everything else about runs.
 */
import type { FormEvent, FormPhase } from '../sglang/form/lineForm';
import type { LogRecord, RankKey } from './record';
import { freeMemory, RankCourse } from './rankCourse';

const phasesAfterLoad: ReadonlySet<FormPhase> = new Set(['sizing', 'pools', 'capture', 'serving']);

const startEvents: ReadonlySet<FormEvent> = new Set([
  'init-begin',
  'load-begin',
  'load-end',
  'pool',
]);

/** A run while its records come in. */
export class OpenRun {
  readonly records: LogRecord[] = [];
  readonly courses = new Map<RankKey, RankCourse>();
  /** Set where several servers wrote the lines side by side (mixedServers.ts). */
  isMixed = false;
  /** How often each line of a rank stands there, where ranks without names print the same. */
  copies: number | undefined;
  readonly #argumentStreams = new Set<string>();
  /** Parts of the ranks that have begun to start. */
  readonly #started = new Set<string>();
  #hasServed = false;
  #hasFailed = false;
  /** A rank died after its weights were loaded: by then every rank had begun. */
  #hasFailedLoaded = false;

  /** True where any rank has begun to start. */
  get hasStarted(): boolean {
    return this.#started.size > 0;
  }

  /** True after the ready line or a batch line. */
  get hasServed(): boolean {
    return this.#hasServed;
  }

  /** True after a line that ends a process, unless it served again afterwards. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  add(record: LogRecord): void {
    const { event } = record.form;
    if (event === 'server-arguments') {
      this.#argumentStreams.add(record.stream);
    }
    if (isFatal(record) || event === 'cascade') {
      this.#hasFailed = true;
      this.#hasFailedLoaded ||= phasesAfterLoad.has(record.form.phase);
    } else if (event === 'ready' || event === 'serving') {
      this.#hasServed = true;
      this.#hasFailed = this.#hasFailed && event !== 'ready';
    }
    let course = this.courses.get(record.rank);
    if (course === undefined) {
      course = new RankCourse();
      this.courses.set(record.rank, course);
    }
    course.add(record);
    if (course.hasStarted) {
      this.#started.add(partsOf(record.rank));
    }
    this.records.push(record);
  }

  /**
   * Whether the record begins another run.
   * @param following the records after it, of all ranks.
   */
  isEndedBy(record: LogRecord, following: Iterable<LogRecord>): boolean {
    const isOver = this.#hasServed || this.#hasFailed;
    const course = this.courses.get(record.rank);
    if (this.#isOfOtherServer(record)) {
      return true;
    }
    switch (record.form.event) {
      case 'server-arguments':
        return (
          isOver ||
          (this.hasStarted &&
            (this.#argumentStreams.size === 0 || this.#argumentStreams.has(record.stream)))
        );
      case 'foreign-start':
        return this.records.length > 0;
      case 'init-begin':
        if (course?.hasStarted !== true) {
          return (
            this.#hasServed ||
            this.#hasFailedLoaded ||
            (this.#hasFailed && this.records.at(-1)?.form.event === 'cascade')
          );
        }
        if (
          isOver ||
          record.words['process'] !== undefined ||
          !course.isDraftStart(firstFree(record, following))
        ) {
          return true;
        }
        course.startDraft();
        return false;
      case 'load-begin':
      case 'load-end':
        return course === undefined ? this.#hasServed : this.#isEndedByLoad(record, course, isOver);
      case 'pool':
        return course?.hasTargetPool === true && this.#isEndedByPool(record, course, following);
      default:
        return false;
    }
  }

  #isEndedByLoad(record: LogRecord, course: RankCourse, isOver: boolean): boolean {
    const last = course.records.findLast(
      each =>
        each.form.event === 'load-begin' ||
        each.form.event === 'load-end' ||
        each.form.event === 'init-begin',
    );
    const isNext =
      last === undefined
        ? course.hasTargetPool || this.#hasServed
        : last.form.event === 'load-end' ||
          (last.form.event === 'load-begin' && record.form.event === 'load-begin');
    if (!isNext) {
      return false;
    }
    if (isOver || !course.isDraftStart(freeMemory(record))) {
      return true;
    }
    course.startDraft();
    return false;
  }

  /** All workers of a server are named alike: after `TP0` the load of `PP0 TP0` is another's. */
  #isOfOtherServer({ form, rank }: LogRecord): boolean {
    if (rank === '' || !startEvents.has(form.event)) {
      return false;
    }
    const parts = [...this.#started].filter(own => own !== '');
    return parts.length > 0 && !parts.includes(partsOf(rank));
  }

  /** Pool lines without lines of a start, as people select them: a restart frees memory. */
  #isEndedByPool(record: LogRecord, course: RankCourse, following: Iterable<LogRecord>): boolean {
    if (record.form.id === 'post-capture-pool' || this.#hasServed) {
      return false;
    }
    const free = firstFree(record, following, 'pool-end');
    return free !== undefined && !course.isDraftStart(free);
  }
}

/** The parts of a rank without their numbers: `DP TP`. */
function partsOf(rank: RankKey): string {
  return rank.replaceAll(/\d+/gu, '');
}

/** True where the record says that its process dies. */
export function isFatal(record: LogRecord): boolean {
  const { event } = record.form;
  return (
    event === 'fatal' ||
    event === 'traceback' ||
    (event === 'fatal-if-raised' && record.exception !== undefined)
  );
}

/** The first free memory that the rank of `record` prints after it, before its next start. */
function firstFree(
  record: LogRecord,
  following: Iterable<LogRecord>,
  event?: 'pool-end',
): number | undefined {
  for (const next of following) {
    if (next.rank !== record.rank || next.stream !== record.stream) {
      continue;
    }
    if (next.form.event === 'init-begin' || next.form.event === 'server-arguments') {
      return undefined;
    }
    const free = freeMemory(next);
    if (free !== undefined && (event === undefined || next.form.event === event)) {
      return free;
    }
  }
  return undefined;
}
