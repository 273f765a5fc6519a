/**
 * What VS Code calls to run a suite inside an extension host: runs mocha and writes what happened
 * into the `results.json` that the runner has laid beside the workspace folder, after every test, so
 * that a crash still leaves the tests that ran. Counting and printing is the runner's part
 * (scripts/test.mjs); started by hand, the suite only says on the console what it did.
 */
import * as vscode from 'vscode';
import { skipReasonOf } from './skip';

interface TestResult {
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly durationMs: number;
  /** Why it was skipped, or the error with its stack. */
  readonly detail?: string;
}

/** Resolves when every test passed or was skipped, rejects when one failed or none ran. */
export async function run(): Promise<void> {
  const results: TestResult[] = [];
  let writing = Promise.resolve();
  const write = (finished: boolean): void => {
    const snapshot = JSON.stringify({ finished, editor: vscode.version, results });
    writing = writing.then(() => writeResults(snapshot));
  };
  const record = (result: TestResult): void => {
    results.push(result);
    console.log(`${result.state}: ${result.name}${result.detail ? `\n${result.detail}` : ''}`);
    write(false);
  };

  await new Promise<void>(resolve => {
    const runner = startMocha(resolve);
    runner.on('pass', test => {
      record({ name: nameOf(test), state: 'passed', durationMs: test.duration ?? 0 });
    });
    // A hook that failed arrives here too, as a runnable of its own.
    runner.on('fail', (test, error: unknown) => {
      record({
        name: nameOf(test),
        state: 'failed',
        durationMs: test.duration ?? 0,
        detail: describeError(error),
      });
    });
    runner.on('pending', test => {
      record({ name: nameOf(test), state: 'skipped', durationMs: 0, detail: skipReasonOf(test) });
    });
  });
  write(true);
  await writing;

  const failed = results.filter(result => result.state === 'failed').length;
  if (failed > 0) throw new Error(`${failed} of ${results.length} tests failed`);
  if (!results.some(result => result.state === 'passed')) throw new Error('no test ran');
}

// The instance's own `run` of the browser build reads the address bar and the page, which an
// extension host lacks; the class's does not.
function startMocha(done: () => void): Mocha.Runner {
  const ofTheClass = Object.getPrototypeOf(mocha) as {
    run(this: BrowserMocha, done: () => void): Mocha.Runner;
  };
  return ofTheClass.run.call(mocha, done);
}

const nameOf = (test: Mocha.Runnable): string => test.titlePath().join(' › ');

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function writeResults(text: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) return;
  const file = vscode.Uri.joinPath(folder.uri, '..', 'results.json');
  const isAskedFor = await vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  if (isAskedFor) await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
}
