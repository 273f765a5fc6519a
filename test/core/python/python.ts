/** Parser and files for tests of Python. Files are kept in memory unless a test reads real ones. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FactIndex } from '../../../src/core/python/factIndex';
import type { SourceFacts } from '../../../src/core/python/facts';
import type { FunctionRun } from '../../../src/core/python/interpretFunction';
import { interpretFunction } from '../../../src/core/python/interpretFunction';
import type { GivenValue } from '../../../src/core/python/machine';
import { Machine, usualLimits } from '../../../src/core/python/machine';
import type { SourceFiles } from '../../../src/core/python/moduleStore';
import { ModuleStore } from '../../../src/core/python/moduleStore';
import { PythonParser } from '../../../src/core/python/parser';
import { Valuation } from '../../../src/core/python/valuation';
import type { Value } from '../../../src/core/python/value';
import { point } from '../../../src/core/units/interval';
import type { PythonNumber } from '../../../src/core/units/pythonNumber';
import type { Quantity } from '../../../src/core/units/quantity';
import type { Unit } from '../../../src/core/units/unit';
import { units } from '../../../src/core/units/unit';

const packages = join(import.meta.dirname, '..', '..', '..', 'node_modules');

function bytes(path: string): Uint8Array {
  return new Uint8Array(readFileSync(join(packages, path)));
}

let parser: Promise<PythonParser> | undefined;

/** One parser for all tests of a file. */
export function testParser(): Promise<PythonParser> {
  parser ??= PythonParser.load(() =>
    Promise.resolve({
      runtime: bytes('web-tree-sitter/web-tree-sitter.wasm'),
      grammar: bytes('tree-sitter-python/tree-sitter-python.wasm'),
    }),
  );
  return parser;
}

/** Files by path. */
export function memoryFiles(files: Readonly<Record<string, string>>): SourceFiles {
  return { read: path => Promise.resolve(files[path]) };
}

/** Files of the disk. */
export const diskFiles: SourceFiles = {
  read: path => readFile(path, 'utf8').catch(() => undefined),
};

/** Tables that say nothing, for tests of the language alone. */
export const noFacts: SourceFacts = {
  inputs: [],
  defaults: [],
  library: [],
  measurement: { id: 'free', unit: 'GiB', measures: 'free-memory', unfollowed: [], assumption: '' },
  scaledParameter: { id: 'total', unit: 'GiB' },
};

/** An exact value that somebody gives. */
export function exactly(value: PythonNumber, unit: Unit = units.one): Quantity {
  return {
    interval: point(Number(value)),
    unit,
    basis: 'proved',
    assumptions: [],
    provenance: [{ kind: 'given', name: 'test' }],
    exact: value,
  };
}

export function quantityValue(quantity: Quantity): GivenValue {
  return { kind: 'quantity', quantity };
}

/** How to run a function of a text. */
export interface RunOptions {
  readonly facts?: SourceFacts;
  readonly files?: Readonly<Record<string, string>>;
  readonly inputs?: ReadonlyMap<string, GivenValue>;
  readonly expressions?: ReadonlyMap<string, GivenValue>;
  readonly parameters?: ReadonlyMap<string, Value>;
}

/** Runs the function `name` of a text that stands in `pkg/main.py`. */
export async function runPython(
  text: string,
  name: string,
  options: RunOptions = {},
): Promise<FunctionRun> {
  const { facts = noFacts, files = {}, inputs, expressions, parameters } = options;
  const store = new ModuleStore(await testParser(), memoryFiles(files));
  const module = store.open('pkg/main.py', text);
  const target = module.functions().find(one => one.definition.qualifiedName === name);
  if (target === undefined) {
    throw new Error(`no function ${name}`);
  }
  for (;;) {
    const machine = new Machine({
      store,
      facts: new FactIndex(facts),
      valuation: new Valuation(),
      inputs: inputs ?? new Map(),
      expressions: expressions ?? new Map(),
      limits: usualLimits,
      usesDefaults: true,
    });
    const run = interpretFunction(machine, { module, ...target }, parameters);
    if (!(await store.loadWanted())) {
      return run;
    }
  }
}
