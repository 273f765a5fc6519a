/**
 * `node:assert/strict` where there is no Node: the build puts the package of the same shape in its
 * place for the worker suite. Suites import the default.
 */
import assert from 'assert/';

export default assert.strict;
