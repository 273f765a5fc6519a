/**
 * Samples in order, in a bounded number of buckets: when there are too many, neighbours are merged
 * and each bucket takes twice as many samples, so that memory stays constant, no sample is lost and
 * the result depends on the samples only. Leaves out what is measured.
 */

/** Numbers kept of each measure in a bucket: count, smallest, largest, sum. */
const stride = 4;

/** One measure over all samples. */
export interface WholeMeasure extends BucketMeasure {
  /** Line of the first sample with the largest value. */
  readonly maxLine: number;
}

/** One measure in one bucket; undefined where no sample of it has the measure. */
export interface BucketMeasure {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly sum: number;
}

/** A growing list of buckets. */
export class SampleBuckets {
  #capacity: number;
  #perBucket = 1;
  #length = 0;
  #counts = new Float64Array(16);
  #lines = new Float64Array(16);
  #seconds = new Float64Array(16);
  #measures: (Float64Array | undefined)[] = [];
  #largest: ({ value: number; line: number } | undefined)[] = [];
  #sampleCount = 0;
  #lastLine = 0;

  /** @param capacity buckets at most; 2 or more. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Buckets so far. */
  get length(): number {
    return this.#length;
  }

  get sampleCount(): number {
    return this.#sampleCount;
  }

  get firstLine(): number {
    return this.#lines[0] ?? 0;
  }

  get lastLine(): number {
    return this.#lastLine;
  }

  /** Measures that any sample has. */
  get measureCount(): number {
    return this.#measures.length;
  }

  /** Merges until the buckets fit the new capacity. */
  limit(capacity: number): void {
    this.#capacity = Math.min(this.#capacity, capacity);
    while (this.#length > this.#capacity) {
      this.#merge();
    }
  }

  /** Begins a sample: the next measures belong to it. `seconds` is NaN where there is no time. */
  begin(line: number, seconds: number): void {
    this.#sampleCount += 1;
    this.#lastLine = line;
    const last = this.#length - 1;
    if (last >= 0 && (this.#counts[last] ?? 0) < this.#perBucket) {
      this.#counts[last] = (this.#counts[last] ?? 0) + 1;
      return;
    }
    if (this.#length === this.#capacity) {
      this.#merge();
      this.#sampleCount -= 1;
      this.begin(line, seconds);
      return;
    }
    if (this.#length === this.#counts.length) {
      this.#counts = grown(this.#counts);
      this.#lines = grown(this.#lines);
      this.#seconds = grown(this.#seconds);
      this.#measures = this.#measures.map(each => each && grown(each));
    }
    this.#counts[this.#length] = 1;
    this.#lines[this.#length] = line;
    this.#seconds[this.#length] = seconds;
    this.#length += 1;
  }

  /** Adds a measure of the present sample, once each. */
  put(measure: number, value: number): void {
    const row = this.#measures[measure] ?? this.#openMeasure(measure);
    const at = (this.#length - 1) * stride;
    const before = row[at] ?? 0;
    row[at] = before + 1;
    if (before === 0 || value < (row[at + 1] ?? 0)) {
      row[at + 1] = value;
    }
    if (before === 0 || value > (row[at + 2] ?? 0)) {
      row[at + 2] = value;
      // What is largest of all is largest in its bucket.
      this.#noteLargest(measure, value);
    }
    row[at + 3] = (row[at + 3] ?? 0) + value;
  }

  #openMeasure(measure: number): Float64Array {
    const row = new Float64Array(this.#counts.length * stride);
    this.#measures[measure] = row;
    this.#largest[measure] = { value: -Infinity, line: 0 };
    return row;
  }

  #noteLargest(measure: number, value: number): void {
    const largest = this.#largest[measure];
    if (largest !== undefined && value > largest.value) {
      largest.value = value;
      largest.line = this.#lastLine;
    }
  }

  /** The samples of another list after those of this one; the other may hold other bucket sizes. */
  append(other: SampleBuckets): void {
    for (let index = 0; index < other.#length; index += 1) {
      if (this.#length === this.#capacity) {
        this.#merge();
      }
      // A bucket of its own, whatever the last one still has room for.
      this.#perBucket = 0;
      this.begin(other.#lines[index] ?? 0, other.#seconds[index] ?? NaN);
      const at = this.#length - 1;
      this.#counts[at] = other.#counts[index] ?? 0;
      for (const [measure, row] of other.#measures.entries()) {
        if (row !== undefined) {
          const own = (this.#measures[measure] ??= new Float64Array(this.#counts.length * stride));
          const from = index * stride;
          add(own, at, row[from] ?? 0, row[from + 1] ?? 0, row[from + 2] ?? 0, row[from + 3] ?? 0);
        }
      }
    }
    this.#sampleCount += other.#sampleCount - other.#length;
    this.#lastLine = Math.max(this.#lastLine, other.#lastLine);
    for (const [measure, largest] of other.#largest.entries()) {
      const own = this.#largest[measure];
      if (largest !== undefined && (own === undefined || largest.value > own.value)) {
        this.#largest[measure] = { ...largest };
      }
    }
  }

  /** A copy that further samples do not reach. */
  clone(): SampleBuckets {
    const copy = new SampleBuckets(this.#capacity);
    copy.#perBucket = this.#perBucket;
    copy.#length = this.#length;
    copy.#counts = this.#counts.slice();
    copy.#lines = this.#lines.slice();
    copy.#seconds = this.#seconds.slice();
    copy.#measures = this.#measures.map(each => each?.slice());
    copy.#largest = this.#largest.map(each => each && { ...each });
    copy.#sampleCount = this.#sampleCount;
    copy.#lastLine = this.#lastLine;
    return copy;
  }

  /** Samples in a bucket. */
  countAt(bucket: number): number {
    return this.#counts[bucket] ?? 0;
  }

  /** Line of a bucket's first sample. */
  lineAt(bucket: number): number {
    return this.#lines[bucket] ?? 0;
  }

  /** Time of a bucket's first sample. */
  secondsAt(bucket: number): number {
    return this.#seconds[bucket] ?? NaN;
  }

  measureAt(measure: number, bucket: number): BucketMeasure | undefined {
    const row = this.#measures[measure];
    const at = bucket * stride;
    const count = row?.[at] ?? 0;
    return row === undefined || count === 0
      ? undefined
      : { count, min: row[at + 1] ?? 0, max: row[at + 2] ?? 0, sum: row[at + 3] ?? 0 };
  }

  whole(measure: number): WholeMeasure | undefined {
    let all: BucketMeasure | undefined;
    for (let bucket = 0; bucket < this.#length; bucket += 1) {
      const next = this.measureAt(measure, bucket);
      if (next !== undefined) {
        all = all === undefined ? next : joined(all, next);
      }
    }
    return all && { ...all, maxLine: this.#largest[measure]?.line ?? 0 };
  }

  /** Joins each two neighbours; an odd last bucket stays alone and goes on filling. */
  #merge(): void {
    const half = Math.ceil(this.#length / 2);
    for (let index = 0; index < half; index += 1) {
      const left = index * 2;
      const hasRight = left + 1 < this.#length;
      this.#counts[index] =
        (this.#counts[left] ?? 0) + (hasRight ? (this.#counts[left + 1] ?? 0) : 0);
      this.#lines[index] = this.#lines[left] ?? 0;
      this.#seconds[index] = this.#seconds[left] ?? NaN;
    }
    for (const row of this.#measures) {
      if (row === undefined) {
        continue;
      }
      for (let index = 0; index < half; index += 1) {
        const from = index * 2 * stride;
        row.copyWithin(index * stride, from, from + stride);
        if (index * 2 + 1 < this.#length) {
          const next = from + stride;
          add(
            row,
            index,
            row[next] ?? 0,
            row[next + 1] ?? 0,
            row[next + 2] ?? 0,
            row[next + 3] ?? 0,
          );
        }
      }
      row.fill(0, half * stride);
    }
    this.#length = half;
    this.#perBucket *= 2;
  }
}

function joined(left: BucketMeasure, right: BucketMeasure): BucketMeasure {
  return {
    count: left.count + right.count,
    min: Math.min(left.min, right.min),
    max: Math.max(left.max, right.max),
    sum: left.sum + right.sum,
  };
}

function add(
  row: Float64Array,
  bucket: number,
  count: number,
  min: number,
  max: number,
  sum: number,
): void {
  if (count === 0) {
    return;
  }
  const at = bucket * stride;
  const before = row[at] ?? 0;
  row[at] = before + count;
  row[at + 1] = before === 0 ? min : Math.min(row[at + 1] ?? 0, min);
  row[at + 2] = before === 0 ? max : Math.max(row[at + 2] ?? 0, max);
  row[at + 3] = (row[at + 3] ?? 0) + sum;
}

function grown(values: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(values.length * 2);
  larger.set(values);
  return larger;
}
