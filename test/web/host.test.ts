/** The worker suite runs where it says it does. */
import assert from 'node:assert/strict';

describe('The worker host', () => {
  it('has no Node beneath the extension', () => {
    assert.equal(typeof (globalThis as { importScripts?: unknown }).importScripts, 'function');
  });
});
