/**
 * Skipping a test for a reason that the runner can show. Mocha's own `skip` has no reason, and a
 * test that is skipped silently is a test that nobody misses.
 */
const reasons = new WeakMap<object, string>();

/** Ends the running test, or every test of the suite when called in `before`, as skipped. */
export function skipBecause(context: Mocha.Context, reason: string): never {
  const runnable: Mocha.Runnable & { readonly type?: string } = context.runnable();
  reasons.set(runnable.type === 'hook' && runnable.parent ? runnable.parent : runnable, reason);
  return context.skip();
}

/** Why a pending test was skipped: the nearest reason, or that nobody gave one. */
export function skipReasonOf(test: Mocha.Test): string {
  for (let at: Mocha.Test | Mocha.Suite | undefined = test; at; at = at.parent) {
    const reason = reasons.get(at);
    if (reason !== undefined) return reason;
  }
  return 'no reason given';
}
