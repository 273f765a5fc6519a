/**
 * What became of a run: one kind, the phase, the lines. The first cause wins; what other ranks say
 * afterwards is its cascade. Leaves out wording and cures.
 */
import type { LogRecord } from '../log/record';
import type { Run } from '../log/run';

export type VerdictKind =
  | 'ok'
  | 'not-enough-memory'
  | 'load-oom'
  | 'pool-oom'
  | 'graph-oom'
  | 'runtime-oom'
  | 'pool-exhausted'
  | 'slots-exhausted'
  | 'host-oom'
  | 'rank-imbalance'
  | 'not-memory'
  | 'incomplete';

export type VerdictPhase =
  'init' | 'weights' | 'sizing' | 'pools' | 'capture' | 'warm-up' | 'serving';

/** Kind and phase of a run's end, and the record that shows the cause. */
export interface Outcome {
  readonly kind: VerdictKind;
  readonly phase: VerdictPhase;
  readonly cause: LogRecord | undefined;
}

/** Failures whose form alone says what they are. */
const kindOfForm: Readonly<Record<string, VerdictKind>> = {
  'not-enough-memory': 'not-enough-memory',
  'no-memory-left': 'not-enough-memory',
  'state-does-not-fit': 'not-enough-memory',
  'state-too-small': 'not-enough-memory',
  'swa-cap-too-large': 'not-enough-memory',
  'swa-too-small': 'not-enough-memory',
  'pool-too-small': 'not-enough-memory',
  'rank-imbalance': 'rank-imbalance',
  'host-killed': 'host-oom',
  'host-pool-refused': 'host-oom',
  'host-pool-too-small': 'host-oom',
  'token-slots-exhausted': 'pool-exhausted',
  'retraction-failed': 'pool-exhausted',
  'pool-estimate-wrong': 'pool-exhausted',
  'request-slots-exhausted': 'slots-exhausted',
  'state-slots-exhausted': 'slots-exhausted',
};

const deviceErrors: ReadonlySet<string> = new Set([
  'torch-out-of-memory',
  'device-allocation-failed',
]);

const kindOfDeviceError: Readonly<Record<VerdictPhase, VerdictKind>> = {
  init: 'load-oom',
  weights: 'load-oom',
  sizing: 'pool-oom',
  pools: 'pool-oom',
  capture: 'graph-oom',
  'warm-up': 'runtime-oom',
  serving: 'runtime-oom',
};

/** The outcome of a run, from its records in order. */
export function outcomeOf(run: Run): Outcome {
  const cause = firstCause(run);
  if (cause === undefined) {
    const exhausted = run.records.find(({ form }) => form.id === 'retraction-failed');
    if (exhausted) {
      return { kind: 'pool-exhausted', phase: 'serving', cause: exhausted };
    }
    const phase = phaseBefore(run, undefined);
    const isMemoryless = run.records.some(({ form }) => form.event === 'fatal');
    const kind = run.outcome === 'ready' ? 'ok' : isMemoryless ? 'not-memory' : 'incomplete';
    return { kind, phase, cause: undefined };
  }
  const own = kindOfForm[cause.form.id];
  const phase = phaseBefore(run, cause);
  if (own !== undefined) {
    return { kind: own, phase: own === 'not-enough-memory' ? 'sizing' : phase, cause };
  }
  if (deviceErrors.has(cause.form.id)) {
    return { kind: kindOfDeviceError[phase], phase, cause };
  }
  return { kind: cause.form.id === 'exit-code' ? exitKind(cause) : 'not-memory', phase, cause };
}

/** -9 is the kernel's: the host ran out of memory. Other codes say nothing of memory. */
function exitKind(record: LogRecord): VerdictKind {
  const codes = Object.values(record.fields).map(field => Number(field?.value));
  return codes.includes(-9) ? 'host-oom' : 'not-memory';
}

function firstCause(run: Run): LogRecord | undefined {
  const failures = run.records.filter(
    ({ form }) =>
      form.event === 'fatal' || (form.event === 'fatal-if-raised' && run.outcome === 'failed'),
  );
  const named = failures.find(
    record => kindOfForm[record.form.id] !== undefined || deviceErrors.has(record.form.id),
  );
  return named ?? failures[0];
}

const phaseOfEvent: Readonly<Partial<Record<LogRecord['form']['event'], VerdictPhase>>> = {
  'init-begin': 'init',
  'load-begin': 'weights',
  'load-end': 'sizing',
  pool: 'pools',
  'pool-end': 'pools',
  'capture-begin': 'capture',
  'capture-end': 'pools',
  summary: 'warm-up',
  ready: 'serving',
  serving: 'serving',
};

/** How far the failing rank (or, without one, the run) had come before the record. */
function phaseBefore(run: Run, cause: LogRecord | undefined): VerdictPhase {
  let phase: VerdictPhase = 'init';
  for (const record of run.records) {
    if (record === cause) {
      break;
    }
    const isOther =
      cause !== undefined && cause.rank !== '' && record.rank !== '' && record.rank !== cause.rank;
    if (!isOther) {
      phase = phaseOfEvent[record.form.event] ?? phase;
    }
  }
  return phase;
}
