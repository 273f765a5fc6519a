// Writes what each vitest test did, with the reason of a skipped one, to the file named by
// KVLENS_RESULTS, in the shape that the tiers inside VS Code use. Prints nothing.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const stateOf = { passed: 'passed', failed: 'failed', skipped: 'skipped', pending: 'failed' };

/** The reporter that scripts/test.mjs hands to vitest. */
export default class ResultsReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const results = [];
    for (const module of modules) {
      const file = path.relative(process.cwd(), module.moduleId);
      const fail = errors =>
        results.push({ file, name: file, state: 'failed', durationMs: 0, detail: tell(errors) });
      // A file that cannot be loaded, or a hook around all of it, has no test to put the error on.
      if (module.errors().length > 0) fail(module.errors());
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length > 0) fail(suite.errors());
      }
      for (const test of module.children.allTests()) {
        const { state, errors, note } = test.result();
        results.push({
          file,
          name: test.fullName,
          state: stateOf[state],
          durationMs: test.diagnostic()?.duration ?? 0,
          detail: state === 'skipped' ? (note ?? 'no reason given') : errors && tell(errors),
        });
      }
    }
    if (unhandledErrors.length > 0) {
      results.push({
        file: '',
        name: 'no error escapes the tests',
        state: 'failed',
        durationMs: 0,
        detail: tell(unhandledErrors),
      });
    }
    writeFileSync(process.env.KVLENS_RESULTS, JSON.stringify({ finished: true, results }));
  }
}

function tell(errors) {
  return errors
    .map(error => {
      const cause = error.cause ? `\ncaused by: ${tell([error.cause])}` : '';
      return `${error.stack ?? error.message}${error.diff ? `\n${error.diff}` : ''}${cause}`;
    })
    .join('\n');
}
