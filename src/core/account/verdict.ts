/**
 * What became of a run: one kind, the phase, the lines. The first cause wins; what other ranks say
 * afterwards is its cascade. Leaves out wording and cures.
 */
import type { LogRecord } from '../log/record';
import type { Run } from '../log/run';
import { printedInterval } from '../units/printed';
import { fullestPool } from './servingLoad';

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
  'unified-pool-too-small': 'not-enough-memory',
  'pool-too-small': 'not-enough-memory',
  'rank-imbalance': 'rank-imbalance',
  'host-killed': 'host-oom',
  'host-pool-refused': 'host-oom',
  'host-pool-too-small': 'host-oom',
  'host-memory-refused': 'host-oom',
  'host-allocation-failed': 'host-oom',
  // A buffer of fixed size, which more free memory does not help.
  'workspace-too-small': 'not-memory',
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

/** An error of the device's allocator, alone or as the reason that a failed capture gives. */
function isDeviceError({ form, words }: LogRecord): boolean {
  return (
    deviceErrors.has(form.id) ||
    (form.id === 'graph-failed' &&
      (words['device'] !== undefined || /out of memory|ALLOC_FAILED/i.test(words['cause'] ?? '')))
  );
}

const kindOfDeviceError: Readonly<Record<VerdictPhase, VerdictKind>> = {
  init: 'load-oom',
  weights: 'load-oom',
  sizing: 'pool-oom',
  pools: 'pool-oom',
  capture: 'graph-oom',
  'warm-up': 'runtime-oom',
  serving: 'runtime-oom',
};

const forMemory: ReadonlySet<VerdictKind> = new Set([
  'not-enough-memory',
  'load-oom',
  'pool-oom',
  'graph-oom',
  'runtime-oom',
  'host-oom',
]);

/** True where memory ran out, of the device or of the host: nobody is to give the pool more then. */
export function isForMemory({ kind }: Outcome): boolean {
  return forMemory.has(kind);
}

/** The outcome of a run, from its records in order. */
export function outcomeOf(run: Run): Outcome {
  const cause = firstCause(run);
  if (cause === undefined) {
    return outcomeWithoutCause(run);
  }
  const own = kindOfForm[cause.form.id];
  const phase = phaseOfCause(run, cause);
  if (own !== undefined) {
    return { kind: own, phase: own === 'not-enough-memory' ? 'sizing' : phase, cause };
  }
  if (isDeviceError(cause)) {
    return { kind: kindOfDeviceError[phase], phase, cause };
  }
  return {
    kind: cause.form.id === 'exit-code' ? exitKind(run, cause) : 'not-memory',
    phase,
    cause,
  };
}

function outcomeWithoutCause(run: Run): Outcome {
  const exhausted = run.records.find(({ form }) => form.id === 'retraction-failed');
  if (exhausted) {
    return { kind: 'pool-exhausted', phase: 'serving', cause: exhausted };
  }
  const phase = phaseBefore(run, undefined);
  if (run.outcome === 'failed') {
    return { kind: diedSilently(run) ? 'incomplete' : 'not-memory', phase, cause: undefined };
  }
  const killed = run.records.findLast(({ form }) => form.id === 'process-killed');
  if (killed && run.outcome === 'open') {
    return { kind: 'host-oom', phase, cause: killed };
  }
  const full = run.records.find(record => retracts(record)) ?? lastFull(run);
  return full === undefined
    ? { kind: run.outcome === 'ready' ? 'ok' : 'incomplete', phase, cause: undefined }
    : { kind: exhaustedKind(run, full), phase: 'serving', cause: full };
}

/** Slots of state are no tokens: the batch line, or the last one before a retraction, tells. */
function exhaustedKind(run: Run, cause: LogRecord): VerdictKind {
  const before = run.records.slice(0, run.records.indexOf(cause) + 1);
  const line = before.findLast(
    record =>
      (record.rank === cause.rank || cause.rank === '') && fullestPool(record) !== undefined,
  );
  return line && fullestPool(line)?.pool === 'state' ? 'slots-exhausted' : 'pool-exhausted';
}

/** True where the log stops at the head of a traceback, so that nobody can say what it was. */
function diedSilently(run: Run): boolean {
  const head = run.records.findLast(({ form }) => form.event === 'traceback');
  // Where the head is abridged, the line below it is already the exception.
  const least = head?.words['stack'] === undefined ? 1 : 2;
  return head !== undefined && run.lines[1] - head.endLine < least;
}

/** A batch that gave requests back because the pool was full; tests of it do not count. */
function retracts({ form, words }: LogRecord): boolean {
  return form.id === 'retraction' && words['testing'] === undefined;
}

/** Below this share of a pool it is not called full, however large its requests are. */
const fullShare = 0.97;

/**
 * The last batch line, where it shows requests that wait and a pool without room for another one of
 * the size of those that run.
 */
function lastFull(run: Run): LogRecord | undefined {
  const last = run.records.findLast(({ form }) => form.event === 'serving');
  const countOf = (name: string): number => Number(last?.fields[name]?.value ?? 0);
  const limit = run.records.findLast(({ form }) => form.id === 'summary')?.fields['running'];
  const running = countOf('running');
  const isAtLimit = limit !== undefined && running >= Number(limit.value);
  const isFull = ['usage', 'fullUsage', 'swaUsage', 'stateUsage'].some(name => {
    const usage = last?.fields[name];
    const least = usage && printedInterval(usage.text)?.lo;
    return (
      countOf(name) >= 1 ||
      (!isAtLimit && least !== undefined && least > fullShare && (1 - least) * running < least)
    );
  });
  return isFull && countOf('queue') > 0 ? last : undefined;
}

/**
 * -9 is the kernel's: the host ran out of memory. But a server that fails for another reason also
 * kills its processes, so a traceback before it says that the memory was not the cause.
 */
function exitKind(run: Run, record: LogRecord): VerdictKind {
  const failed = run.records.find(
    ({ form }) => form.event === 'traceback' || form.event === 'cascade',
  );
  const isFirst = failed?.form.event !== 'traceback' || failed.line > record.line;
  const code = record.words['code'] ?? '';
  return isFirst && (code === '-9' || code === '137') ? 'host-oom' : 'not-memory';
}

function firstCause(run: Run): LogRecord | undefined {
  const failures = run.records.filter(
    ({ form }) =>
      form.event === 'fatal' || (form.event === 'fatal-if-raised' && run.outcome === 'failed'),
  );
  const named = failures.find(
    record => kindOfForm[record.form.id] !== undefined || isDeviceError(record),
  );
  return named ?? failures[0];
}

/** A line that one phase alone prints says it even where the log starts with it. */
function phaseOfCause(run: Run, cause: LogRecord): VerdictPhase {
  const phase = phaseBefore(run, cause);
  if (cause.form.phase === 'serving' || cause.form.phase === 'capture') {
    return cause.form.phase;
  }
  const shown = phaseOfFrames(framesBefore(run, cause));
  if (shown !== undefined) {
    // A request of the warm-up runs through the same functions.
    return shown === 'serving' && phase === 'warm-up' ? phase : shown;
  }
  return cause.form.phase === 'host' && (phase === 'init' || phase === 'weights') ? 'pools' : phase;
}

/** The frames of the traceback that the failing rank's error ends, outermost first. */
export function framesBefore(run: Run, cause: LogRecord): readonly LogRecord[] {
  const frames: LogRecord[] = [];
  for (let index = run.records.indexOf(cause) - 1; index >= 0; index -= 1) {
    const record = run.records[index];
    if (record?.rank !== cause.rank || record.stream !== cause.stream) {
      continue;
    }
    if (record.form.event !== 'frame') {
      break;
    }
    frames.unshift(record);
  }
  return frames;
}

const phaseOfFrame: readonly (readonly [word: string, phase: VerdictPhase])[] = [
  ['model', 'weights'],
  ['weights', 'weights'],
  ['pools', 'pools'],
  ['capture', 'capture'],
  ['serving', 'serving'],
];

/** What the outermost frame that tells was doing. */
export function phaseOfFrames(frames: readonly LogRecord[]): VerdictPhase | undefined {
  const told = frames.flatMap(({ words }) =>
    phaseOfFrame.flatMap(([word, phase]) => (words[word] === undefined ? [] : [phase])),
  );
  return told[0];
}

const phaseOfEvent: Readonly<Partial<Record<LogRecord['form']['event'], VerdictPhase>>> = {
  'init-begin': 'init',
  'load-begin': 'weights',
  'load-end': 'sizing',
  sizing: 'sizing',
  pool: 'pools',
  'pool-end': 'pools',
  'capture-begin': 'capture',
  'capture-progress': 'capture',
  'capture-end': 'capture',
  summary: 'warm-up',
  ready: 'serving',
  serving: 'serving',
};

/**
 * How far the failing rank (or, without one, the run) had come before the record. A draft worker
 * starts over from its initialisation.
 */
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
