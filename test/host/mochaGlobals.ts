/**
 * Defines mocha's `describe` and `it` before any test file is evaluated. The browser build of
 * mocha runs in both extension hosts; results are told by runSuite.ts.
 */
import 'mocha/mocha.js';

mocha.setup({ ui: 'bdd', timeout: 60_000, reporter: 'base' });
