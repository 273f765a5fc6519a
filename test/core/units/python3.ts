/**
 * CPython as the judge: one process gets a program and JSON on stdin, and answers with JSON. Where
 * there is no python3 the tests that need it are skipped, except in CI.
 */
import { spawnSync } from 'node:child_process';

const isInstalled = spawnSync('python3', ['--version']).status === 0;

/** True where tests that ask CPython must be left out; never in CI, where they have to fail. */
export const isPythonMissing = !isInstalled && process.env['CI'] !== 'true';

/** What the program prints as JSON when it reads `input` as JSON from stdin. */
export function runPython(program: string, input: unknown): unknown {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) {
    throw new Error(`python3 failed: ${stderr}`);
  }
  return JSON.parse(stdout);
}
