/**
 * Runs distinct bodies of memory functions under CPython and in the interpreter with the same inputs,
 * and says of each whether they agree. Shown values that CPython contradicts are told apart from
 * values that are not shown.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { AnnotatedFunction } from '../../../src/core/annotate/python/annotation';
import type { Quantity } from '../../../src/core/units/quantity';
import { annotateRelease, givenValues } from '../release';
import type { TruthInput } from '../release';
import type { Body, Scenario } from './scenario';
import { scenariosOf } from './scenario';

/** One body of one release; `text` stands in for the file of the release. */
export interface Trial {
  readonly body: Body;
  readonly release: string;
  readonly folder: string;
}

/** What one scenario showed. */
export interface Outcome {
  readonly scenario: string;
  /** Differences that matter for "evaluates to the number": results that are wrong or not shown. */
  readonly missing: readonly string[];
  /** Shown numbers that CPython contradicts. */
  readonly wrong: readonly string[];
  /** Why CPython could not run it. */
  readonly gap: string | undefined;
}

export interface TrialResult extends Trial {
  readonly outcomes: readonly Outcome[];
  /** Every scenario ran, and every result is shown and right. */
  readonly isRight: boolean;
}

/** What CPython makes of a request. */
interface Expected {
  readonly gap?: string;
  readonly returns: number | null;
  readonly object: Readonly<Record<string, number>>;
  readonly tuple: Readonly<Record<string, number>>;
  readonly written: Readonly<Record<string, number>>;
  readonly raises: string | null;
  /** What it wrote to standard output. */
  readonly printed: string;
  readonly locals: Readonly<Record<string, number>>;
}

/** The same of a changed text. */
interface Changed extends Expected {
  readonly text: string;
}

const script = join(import.meta.dirname, 'releaseBodies.py');

/** Lists the distinct bodies of releases, by folder. */
export function listBodies(folders: ReadonlyMap<string, string>): readonly Body[] {
  const releases = [...folders].map(([version, folder]) => `${folder}=${version}`);
  return JSON.parse(python(['list', ...releases], '')) as readonly Body[];
}

/** A function that measures free memory, and the unit that its own arithmetic gives it. */
export interface Measure {
  readonly function: string;
  readonly file: string;
  readonly release: string;
  /** Null for one that only says that it is not implemented. */
  readonly unit: 'GiB' | 'B' | null;
}

/** The distinct functions that measure free memory. */
export function listMeasures(folders: ReadonlyMap<string, string>): readonly Measure[] {
  const releases = [...folders].map(([version, folder]) => `${folder}=${version}`);
  return JSON.parse(python(['measures', ...releases], '')) as readonly Measure[];
}

/** Inputs in the units of the releases: memory in GiB, everything else plain. */
function plain(
  inputs: Readonly<Record<string, TruthInput>>,
): Record<string, number | boolean | null> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      name,
      typeof value === 'string' ? Number(value.split(' ')[0]) : value,
    ]),
  );
}

/** Up to 0.1.16 the sizing function takes bytes. */
function takesBytes(release: string): boolean {
  const [major = 0, minor = 0, patch = 0] = release.split('.').map(Number);
  return major === 0 && minor === 1 && patch < 17;
}

function requestOf({ body, release, folder }: Trial, { inputs, python: more }: Scenario) {
  return {
    root: folder,
    file: body.file,
    function: body.function,
    inputs: { ...plain(inputs), ...more },
    bytes: takesBytes(release),
  };
}

/** What CPython makes of one scenario with other texts in place of the release's. */
export function runTexts(
  trials: readonly (readonly [Trial, Scenario, Readonly<Record<string, string>>])[],
): readonly Expected[] {
  const requests = trials.map(([trial, scenario, texts]) => ({
    ...requestOf(trial, scenario),
    texts,
  }));
  return JSON.parse(python(['run'], JSON.stringify(requests))) as Expected[];
}

export function expectedOf(trials: readonly Trial[]): readonly (readonly Expected[])[] {
  const requests = trials.flatMap(trial =>
    scenariosOf(trial.body).map(scenario => requestOf(trial, scenario)),
  );
  const answers = JSON.parse(python(['run'], JSON.stringify(requests))) as Expected[];
  return trials.map(({ body }) => answers.splice(0, scenariosOf(body).length));
}

/** What CPython makes of each body with other names and another number, in its first scenario. */
export function changedOf(trials: readonly Trial[]): readonly Changed[] {
  const requests = trials.map(trial => ({
    ...requestOf(trial, firstScenario(trial.body)),
    withParameters: hasScaledParameter(trial.body),
  }));
  return JSON.parse(python(['change'], JSON.stringify(requests))) as Changed[];
}

function firstScenario(body: Body): Scenario {
  const [first] = scenariosOf(body);
  if (first === undefined) {
    throw new Error(`nothing to ask ${body.function}`);
  }
  return first;
}

/** Only the sizing function's parameter is found by its use; others are inputs by their names. */
function hasScaledParameter({ family, function: name }: Body): boolean {
  return family === 'sizing' && !name.endsWith('calculate_pool_sizes');
}

/** Compares what the interpreter shows of a changed body with what CPython computed. */
export async function tryChanged(trial: Trial, changed: Changed): Promise<TrialResult> {
  const scenario = firstScenario(trial.body);
  const outcome =
    changed.gap === undefined
      ? await compared(trial, scenario, changed, changed.text)
      : { scenario: scenario.name, missing: [], wrong: [], gap: changed.gap };
  const { missing, wrong, gap } = outcome;
  const isRight = missing.length === 0 && wrong.length === 0 && gap === undefined;
  return { ...trial, outcomes: [outcome], isRight };
}

function python(parameters: readonly string[], input: string): string {
  return execFileSync('python3', [script, ...parameters], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
}

/** Compares what the interpreter shows of one body with what CPython computed. */
export async function tryBody(trial: Trial, expected: readonly Expected[]): Promise<TrialResult> {
  const outcomes: Outcome[] = [];
  for (const [at, scenario] of scenariosOf(trial.body).entries()) {
    const wanted = expected[at];
    outcomes.push(
      wanted === undefined || wanted.gap !== undefined
        ? { scenario: scenario.name, missing: [], wrong: [], gap: wanted?.gap ?? 'not run' }
        : await compared(trial, scenario, wanted),
    );
  }
  const isRight = outcomes.every(
    ({ missing, wrong, gap }) => missing.length === 0 && wrong.length === 0 && gap === undefined,
  );
  return { ...trial, outcomes, isRight };
}

async function compared(
  { body, folder }: Trial,
  scenario: Scenario,
  wanted: Expected,
  text?: string,
): Promise<Outcome> {
  const file = await annotateRelease(folder, body.file, {
    settings: givenValues({ ...scenario.inputs, ...scenario.settings }),
    function: body.function,
    ...(text !== undefined && { text }),
  });
  const [found] = file.functions;
  const missing: string[] = [];
  const wrong: string[] = [];
  const compare = (name: string, shown: Quantity | undefined, value: number): void => {
    if (shown?.exact === undefined) {
      missing.push(`${name} = ${value}`);
    } else if (Number(shown.exact) !== value) {
      wrong.push(`${name} = ${shown.exact} for ${value}`);
    }
  };
  if (found === undefined) {
    return { scenario: scenario.name, missing: ['no role'], wrong, gap: undefined };
  }
  if (wanted.returns !== null) {
    compare('return', found.returns, wanted.returns);
  }
  for (const [name, value] of Object.entries({ ...wanted.object, ...wanted.written })) {
    compare(name, attributeOf(found, name), value);
  }
  for (const [name, value] of Object.entries(wanted.tuple)) {
    compare(name, found.locals.get(name), value);
  }
  if ((found.raises ?? null) !== wanted.raises) {
    const list = found.raises === undefined ? missing : wrong;
    list.push(`raises ${found.raises ?? 'nothing'} for ${wanted.raises ?? 'nothing'}`);
  }
  for (const [name, value] of Object.entries(wanted.locals)) {
    const shown = found.locals.get(name)?.exact;
    if (shown !== undefined && Number(shown) !== value) {
      wrong.push(`local ${name} = ${shown} for ${value}`);
    }
  }
  if (missing.length > 0 && found.missing.length > 0) {
    missing.push(`needs ${found.missing.join(', ')}`);
  }
  return { scenario: scenario.name, missing, wrong, gap: undefined };
}

/** An attribute that the function leaves, of self or of what it returns. */
function attributeOf({ attributes }: AnnotatedFunction, name: string): Quantity | undefined {
  return (
    attributes.get(name) ??
    [...attributes].find(([path]) => path.endsWith(`.${name}`) || path === name)?.[1]
  );
}

/** One line a body for a report. */
export function reportLine({ body, release, outcomes, isRight }: TrialResult): string {
  const trouble = outcomes.flatMap(({ scenario, missing, wrong, gap }) => [
    ...(gap === undefined ? [] : [`${scenario}: CPython: ${gap}`]),
    ...wrong.map(one => `${scenario}: WRONG ${one}`),
    ...(missing.length > 0 ? [`${scenario}: not shown: ${missing.join('; ')}`] : []),
  ]);
  const name = `${body.family} ${release} ${body.function} ${body.hash}`;
  return [`${isRight ? 'ok  ' : 'MISS'} ${name}`, ...trouble.map(one => `       ${one}`)].join(
    '\n',
  );
}
