/**
 * Samples in order, in a bounded number of buckets: when there are too many, neighbours are merged
 * and each bucket takes twice as many samples, so that memory stays constant, no sample is lost and
 * the result depends on the samples only. Leaves out what is measured.
 */

/** Numbers kept of each measure in a bucket: count, smallest, largest, sum. */
const stride = 4;

/** One measure over all samples. */
export interface WholeMeasure {
  count: number;
  min: number;
  max: number;
  sum: number;
  maxLine: number;
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
  #wholes: (WholeMeasure | undefined)[] = [];
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
    let row = this.#measures[measure];
    let whole = this.#wholes[measure];
    if (row === undefined || whole === undefined) {
      row = new Float64Array(this.#counts.length * stride);
      whole = { count: 0, min: Infinity, max: -Infinity, sum: 0, maxLine: 0 };
      this.#measures[measure] = row;
      this.#wholes[measure] = whole;
    }
    add(row, this.#length - 1, 1, value, value, value);
    whole.count += 1;
    whole.sum += value;
    if (value < whole.min) {
      whole.min = value;
    }
    if (value > whole.max) {
      whole.max = value;
      whole.maxLine = this.#lastLine;
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
    for (const [measure, whole] of other.#wholes.entries()) {
      if (whole !== undefined) {
        const own = this.#wholes[measure];
        this.#wholes[measure] =
          own === undefined
            ? { ...whole }
            : {
                count: own.count + whole.count,
                min: Math.min(own.min, whole.min),
                max: Math.max(own.max, whole.max),
                sum: own.sum + whole.sum,
                maxLine: whole.max > own.max ? whole.maxLine : own.maxLine,
              };
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
    copy.#wholes = this.#wholes.map(each => each && { ...each });
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

  whole(measure: number): Readonly<WholeMeasure> | undefined {
    return this.#wholes[measure];
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
