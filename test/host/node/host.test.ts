/** The Node suite runs where it says it does. */
import assert from 'node:assert/strict';
import process from 'node:process';

describe('The Node host', () => {
  it('gives the extension a Node of the editor', () => {
    assert.match(process.versions.node, /^2\d\./);
  });
});
