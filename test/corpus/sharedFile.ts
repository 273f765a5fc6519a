/**
 * Files of the material beside the repository (`../shared`). Where it is missing, tests that need it
 * are skipped with a reason, except in CI, where they fail.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..', 'shared');

/** True where the material is there. */
export const hasShared = existsSync(join(root, 'logs'));

/** Absolute path of a file of the material. */
export function sharedPath(path: string): string {
  return join(root, path);
}

/** Text of a file of the material. */
export function sharedFile(path: string): string {
  return readFileSync(sharedPath(path), 'utf8');
}

/** Declares tests that need the material. */
export function withShared(declare: () => void): void {
  if (hasShared || process.env['CI'] === 'true') {
    declare();
  } else {
    describe.skip('needs ../shared, which is not there', () => {
      test('skipped', () => undefined);
    });
  }
}
