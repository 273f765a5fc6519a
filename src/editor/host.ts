/**
 * What the two hosts give the editor part: files that are read by ranges, because the editor hands
 * large ones to nobody. Leaves out documents, which the editor holds itself.
 */
import type { Uri } from 'vscode';
import type { ByteFinder, ByteSource } from '../core/log/byteSource';

/** An open file. Close it when done. */
export interface HostFile extends ByteSource {
  readonly sizeBytes: number;
  close(): Promise<void>;
}

/** Why a file cannot be read. */
export type UnreadableReason = 'missing' | 'folder' | 'empty' | 'denied' | 'damaged' | 'too-large';

/** A file that cannot be read; the command that wanted it says so to the user. */
export class UnreadableFile extends Error {
  readonly reason: UnreadableReason;
  readonly sizeBytes: number;
  /** Undefined where the size is not the reason. */
  readonly limitBytes: number | undefined;

  constructor(reason: UnreadableReason, sizeBytes = 0, limitBytes?: number) {
    super(reason);
    this.reason = reason;
    this.sizeBytes = sizeBytes;
    this.limitBytes = limitBytes;
  }
}

/** The file access of a host. */
export interface EditorHost {
  /** Opens a file; throws UnreadableFile. */
  openFile(uri: Uri): Promise<HostFile>;
  /** A fast search for a byte, where the host has one. */
  readonly findByte?: ByteFinder;
}
