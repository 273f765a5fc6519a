/**
 * Gathers samples of serving lines while a log is read: by origin, by rank, and apart for each start
 * of the server, in memory that does not grow with the log. Leaves out the lines and the runs.
 */
import type { RankKey } from '../record';
import { maximumBuckets } from './rankSeries';
import { SampleBuckets } from './sampleBuckets';

/** Buckets of all ranks together at most; about 20 MB with the usual measures. */
const maximumBucketsOfAll = 1 << 16;
const fewestBuckets = 16;
/** Ranks and starts at most; further ones are not gathered. */
const maximumCourses = maximumBucketsOfAll / fewestBuckets;
/** Numbers at the end of longer lines are not taken: they could have been cut. */
const widestLine = 4096;
const secondsOfDay = 86_400;

/** The samples of one rank between two starts of its server. */
export interface SeriesCourse {
  readonly stream: string;
  readonly rank: RankKey;
  /** Counts the starts of the stream. */
  readonly epoch: number;
  /** True where every time carried its date. */
  isDated: boolean;
  buckets: SampleBuckets;
  lastSeconds: number;
}

/** The present start of the servers of one origin. */
interface Epoch {
  readonly number: number;
  readonly ranks: Map<RankKey, SeriesCourse>;
  lastClock: number;
  days: number;
}

/** What has been gathered. */
export interface GatheredSeries {
  readonly courses: readonly SeriesCourse[];
  /** By measure: widths of lines that ended in a number of it. */
  readonly endWidths: ReadonlyMap<number, ReadonlySet<number>>;
  /** Widths at which lines were seen to be cut. */
  readonly cutWidths: ReadonlySet<number>;
}

/** Takes samples in the order of the lines. */
export class SeriesCollector {
  #courses: SeriesCourse[] = [];
  #epochs = new Map<string, Epoch>();
  #endWidths = new Map<number, Set<number>>();
  #cutWidths = new Set<number>();
  #generation = 0;
  /** Courses of the collector that this one is a copy of. */
  #shared: ReadonlySet<SeriesCourse> = new Set();

  /** Changes whenever courses that `courseOf` returned earlier may no longer be the present ones. */
  get generation(): number {
    return this.#generation;
  }

  /** A copy that takes samples for itself, as long as this one takes none. */
  fork(): SeriesCollector {
    const copy = new SeriesCollector();
    copy.#shared = new Set(this.#courses);
    copy.#courses = [...this.#courses];
    copy.#epochs = new Map(
      [...this.#epochs].map(([stream, epoch]) => [
        stream,
        { ...epoch, ranks: new Map(epoch.ranks) },
      ]),
    );
    copy.#endWidths = new Map([...this.#endWidths].map(([metric, set]) => [metric, new Set(set)]));
    copy.#cutWidths = new Set(this.#cutWidths);
    return copy;
  }

  /** A server of this origin starts: samples after this are not of the run before. */
  restart(stream: string): void {
    const epoch = this.#epochs.get(stream);
    if (epoch !== undefined && epoch.ranks.size > 0) {
      this.#epochs.set(stream, newEpoch(epoch.number + 1));
      this.#generation += 1;
    }
  }

  /** Where samples of the rank go; undefined where there are too many ranks. */
  courseOf(stream: string, rank: RankKey): SeriesCourse | undefined {
    let epoch = this.#epochs.get(stream);
    if (epoch === undefined) {
      epoch = newEpoch(0);
      this.#epochs.set(stream, epoch);
    }
    let course = epoch.ranks.get(rank);
    if (course === undefined) {
      if (this.#courses.length >= maximumCourses) {
        return undefined;
      }
      course = {
        stream,
        rank,
        epoch: epoch.number,
        isDated: true,
        buckets: new SampleBuckets(maximumBuckets),
        lastSeconds: -Infinity,
      };
      epoch.ranks.set(rank, course);
      this.#courses.push(course);
      this.#share();
    } else if (this.#shared.has(course)) {
      const own = { ...course, buckets: course.buckets.clone() };
      this.#courses[this.#courses.indexOf(course)] = own;
      epoch.ranks.set(rank, own);
      course = own;
    }
    return course;
  }

  /** Begins a sample; measures follow by `course.buckets.put`. */
  begin(course: SeriesCourse, line: number, seconds: number, hasDate: boolean): void {
    let time = seconds;
    if (Number.isNaN(time)) {
      course.isDated = false;
    } else {
      if (!hasDate) {
        course.isDated = false;
        time = this.#acrossMidnight(course.stream, time);
      }
      // The clock of a machine can be set back; the order of the lines cannot.
      time = Math.max(time, course.lastSeconds);
      course.lastSeconds = time;
    }
    course.buckets.begin(line, time);
  }

  /** Notes that a number ended its line, so that it may turn out to be cut; false: do not take it. */
  endsLine(metric: number, width: number): boolean {
    if (width > widestLine) {
      return false;
    }
    let widths = this.#endWidths.get(metric);
    if (widths === undefined) {
      widths = new Set();
      this.#endWidths.set(metric, widths);
    }
    widths.add(width);
    return true;
  }

  /** Notes that a line of this width was cut. */
  cutAt(width: number): void {
    if (width <= widestLine) {
      this.#cutWidths.add(width);
    }
  }

  gathered(): GatheredSeries {
    return {
      courses: this.#courses,
      endWidths: this.#endWidths,
      cutWidths: this.#cutWidths,
    };
  }

  /** A clock without a date goes on after midnight. */
  #acrossMidnight(stream: string, clock: number): number {
    const epoch = this.#epochs.get(stream);
    if (epoch === undefined) {
      return clock;
    }
    const step = clock - epoch.lastClock;
    if (step > secondsOfDay / 2 && epoch.days > 0) {
      // A line from before midnight that comes late.
      return clock + (epoch.days - 1) * secondsOfDay;
    }
    if (step < -secondsOfDay / 2) {
      epoch.days += 1;
    }
    epoch.lastClock = clock;
    return clock + epoch.days * secondsOfDay;
  }

  /** Keeps all ranks together within bounds. */
  #share(): void {
    const each = Math.floor(maximumBucketsOfAll / this.#courses.length);
    if (each < maximumBuckets && this.#shared.size === 0) {
      for (const course of this.#courses) {
        course.buckets.limit(Math.max(fewestBuckets, each));
      }
    }
  }
}

function newEpoch(number: number): Epoch {
  return { number, ranks: new Map(), lastClock: NaN, days: 0 };
}
