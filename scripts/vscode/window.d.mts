import type { Page } from 'playwright-core';

/** What a window starts with. */
export interface WindowOptions {
  /** Folder settings, for example `{ 'sglangKvLens.hover.enabled': false }`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Files laid over the sample workspace: path in it -> text. */
  readonly files?: Readonly<Record<string, string>>;
  /** A file of the workspace that is shown at once. */
  readonly openFile?: string;
  /** False for a folder in Restricted Mode, until somebody trusts it. */
  readonly isTrusted?: boolean;
  readonly width?: number;
  readonly height?: number;
  /** Device pixels per pixel; 2 for pictures. */
  readonly scale?: number;
}

/** An open window: the page, its workspace folder on disk, and how to close it. */
export interface EditorPage {
  readonly page: Page;
  readonly workspace: string;
  close(): Promise<void>;
}

export function openEditorPage(options?: WindowOptions): Promise<EditorPage>;

export function closeEditor(): Promise<void>;
