/** Byte sources in memory for tests. */
import type { ByteSource } from '../../../src/core/log/byteSource';
import { encodeUtf8 } from '../../../src/core/log/utf8';

/** A source of fixed bytes. */
export function sourceOf(bytes: Uint8Array | string): ByteSource {
  const all = typeof bytes === 'string' ? encodeUtf8(bytes) : bytes;
  return {
    read: (offset, length) => Promise.resolve(all.subarray(offset, offset + length)),
  };
}

/** A source that grows. */
export class GrowingSource implements ByteSource {
  #bytes = new Uint8Array(0);
  /** Offsets at which reads started. */
  readonly reads: number[] = [];

  append(text: string): void {
    const added = encodeUtf8(text);
    const joined = new Uint8Array(this.#bytes.length + added.length);
    joined.set(this.#bytes);
    joined.set(added, this.#bytes.length);
    this.#bytes = joined;
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    this.reads.push(offset);
    return Promise.resolve(this.#bytes.subarray(offset, offset + length));
  }
}
