/**
 * `kvlens annotate FILE.py`: what every line of the memory arithmetic in a Python file is worth, with
 * values from a log or set by hand. The file is read, never run.
 */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { annotateJson } from '../core/annotate/python/annotateJson';
import type { AnnotatedFunction, PythonAnnotation } from '../core/annotate/python/annotation';
import type { FileAnnotations } from '../core/annotate/python/fileAnnotations';
import { PythonAnnotator } from '../core/annotate/python/pythonAnnotator';
import type { GivenValue, PythonBindings } from '../core/annotate/python/pythonBindings';
import { bytesPerTokenOf, inputNamed, runBindings } from '../core/annotate/python/runBindings';
import {
  inputIds,
  readGivenValue,
  splitSetting,
  unitOfInput,
} from '../core/annotate/python/settingText';
import { PythonParser, PythonUnavailableError } from '../core/python/parser';
import { quantityJson } from '../core/report/quantityJson';
import type { UnfollowedImport } from '../core/python/unfollowedImport';
import { runBytesPerToken } from '../core/sglang/source/runInput';
import type { Quantity } from '../core/units/quantity';
import type { Unit } from '../core/units/unit';
import { units } from '../core/units/unit';
import { diskFiles, wasmFilesIn } from '../node/pythonFiles';
import { amountText, annotationText, assumptionText, pythonWord } from '../wording/pythonText';
import { roleNames } from '../wording/pythonWords';
import { collect } from './argument';
import { namedRun } from './compare';
import { printJson, printText, terminalOptions, UsageError } from './output';

interface AnnotateOptions {
  readonly function?: string;
  readonly root?: string;
  readonly log?: string;
  readonly set: readonly string[];
  readonly json?: boolean;
}

/** Registers the command. */
export function registerAnnotate(program: Command): void {
  program
    .command('annotate')
    .description('what every line of the memory arithmetic in a Python file is worth')
    .argument('<file>', 'Python source, such as a model runner of SGLang')
    .option('--function <name>', 'only this function')
    .option('--root <folder>', 'the folder that holds the package, when it is not above the file')
    .option('--log <log>', 'take values from a run: of several the last, or LOG#2 for the second')
    .option('--set <name=value>', 'a value of an input or an expression (repeatable)', collect, [])
    .option('--json', 'JSON as in media/schema/annotate.schema.json')
    .action(annotateCommand);
}

async function annotateCommand(file: string, options: AnnotateOptions): Promise<void> {
  const text = await readPython(file);
  const annotator = await loadAnnotator(options.root);
  const path = forwardSlashes(resolve(file));
  const run = options.log === undefined ? undefined : await namedRun(options.log);
  const request = {
    path,
    text,
    inputs: run === undefined ? new Map() : runBindings(run),
    ...(options.function !== undefined && { function: options.function }),
  };
  const ofTokens = options.set.flatMap(readBytesPerToken);
  const bytesPerToken = ofTokens.at(-1) ?? (run && bytesPerTokenOf(run));
  const others = options.set.filter(text => readBytesPerToken(text).length === 0);
  const settings = await readSettings(others, () => annotator.annotate(request));
  const found = await annotator.annotate({
    ...request,
    settings,
    ...(bytesPerToken !== undefined && { bytesPerToken }),
  });
  if (found === undefined) {
    throw new UsageError(`${file}: could not be read to its end`);
  }
  refuseUnknown(found.unknownNames);
  if (options.function !== undefined && found.functions.length === 0) {
    const all = await annotator.annotate({ path, text });
    const names = all?.functions.map(({ name }) => name).join(', ');
    throw new UsageError(
      `${options.function}: no function with memory arithmetic; ${names ? `one of ${names}` : 'the file has none'}`,
    );
  }
  if (options.json === true) {
    const json = annotateJson(found, {
      text: annotation => annotationText(annotation, terminalOptions),
      assumption: id => assumptionText(id, terminalOptions),
      quantity: quantityJson,
    });
    printJson({ ...json, file });
  } else {
    const mayMiss = PythonAnnotator.mayHaveMemoryArithmetic(text);
    printText(tableOf(found, mayMiss ? annotator.unfollowedImports(path) : []));
  }
}

async function readPython(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory() === true) {
    throw new UsageError(`${file}: is a folder; name the Python file in it`);
  }
  const text = found && (await diskFiles.read(file));
  if (text === undefined) {
    throw new UsageError(`${file}: ${found ? 'cannot be opened' : 'no such file'}`);
  }
  if (text.includes('\0')) {
    throw new UsageError(`${file}: is no Python source (it holds null bytes, as UTF-16 does)`);
  }
  return text;
}

async function loadAnnotator(root: string | undefined): Promise<PythonAnnotator> {
  try {
    const parser = await PythonParser.load(() => wasmFilesIn(__dirname));
    const roots = root === undefined ? [] : [forwardSlashes(resolve(root))];
    return new PythonAnnotator(parser, diskFiles, roots);
  } catch (error) {
    if (error instanceof PythonUnavailableError) {
      throw new UsageError(
        `Python files cannot be read here: the ${error.part} of the parser does not load (${error.message}). Logs can.`,
      );
    }
    throw error;
  }
}

function forwardSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}

/**
 * Bytes per token are what a sizing function divides by where it gets them from elsewhere, so a value
 * of them is no input with a name: it is what the log of a run would give.
 */
function readBytesPerToken(text: string): Quantity[] {
  const setting = splitSetting(text);
  if (setting === undefined || !runBytesPerToken.some(id => id === setting.name)) {
    return [];
  }
  const value = readGivenValue(setting.name, setting.value, units.bytesPerToken);
  const quantity = value?.kind === 'quantity' ? value.quantity : undefined;
  if (quantity === undefined || !(quantity.interval.lo > 0)) {
    throw new UsageError(`${text}: needs bytes per token, such as ${setting.name}=131072`);
  }
  return [quantity];
}

/** The unit of a name or an expression of a file, for a value that is set without one. */
function unitIn(found: FileAnnotations | undefined, name: string): Unit | undefined {
  const note = found?.annotations.find(
    one => one.name === name && one.kind !== 'function' && one.unit !== undefined,
  );
  return note?.unit ?? found?.unitOf(name);
}

/** `--set name=value`, by input id or expression. Units of expressions are asked for at need. */
async function readSettings(
  texts: readonly string[],
  withoutSettings: () => Promise<FileAnnotations | undefined>,
): Promise<PythonBindings> {
  const settings = new Map<string, GivenValue>();
  for (const text of texts) {
    const setting = splitSetting(text);
    if (setting === undefined) {
      throw new UsageError(`${text}: is no name=value, such as memFractionStatic=0.88`);
    }
    const name = inputNamed(setting.name) ?? setting.name;
    const unit = unitOfInput(name) ?? unitIn(await withoutSettings(), name);
    const value = readGivenValue(name, setting.value, unit);
    if (value === undefined) {
      const isPlain = unit === undefined || unit === units.one;
      const expected = isPlain ? 'number' : `value in ${unit.name}`;
      throw new UsageError(`${text}: needs a ${expected}, or true, false or None`);
    }
    refuseImpossible(text, name, value);
    settings.set(name, value);
  }
  return settings;
}

/** Inputs that are below zero where nothing fits. */
const mayBeNegative: ReadonlySet<string> = new Set(['profiled_tokens', 'available_bytes']);

function refuseImpossible(text: string, name: string, given: GivenValue): void {
  const value = given.kind === 'quantity' ? given.quantity.interval.lo : undefined;
  if (value === undefined || unitOfInput(name) === undefined) {
    return;
  }
  if (name === 'memFractionStatic' && !(value > 0 && value <= 1)) {
    throw new UsageError(`${text}: a fraction lies above 0 and is at most 1, such as ${name}=0.88`);
  }
  if (value < 0 && !mayBeNegative.has(name)) {
    throw new UsageError(`${text}: cannot be negative`);
  }
}

function refuseUnknown([name]: readonly string[]): void {
  if (name !== undefined) {
    throw new UsageError(
      `${name}: is no expression of the file and no input; inputs are ${inputIds.join(', ')}`,
    );
  }
}

function tableOf(found: FileAnnotations, unfollowed: readonly UnfollowedImport[]): string {
  const functions = found.functions.map(one => functionTable(one, found.annotations));
  const others = otherTables(found);
  const assumptions = found.assumptions.map(id => `  ${assumptionText(id, terminalOptions)}`);
  const lost = unfollowed.filter(one => functions.length === 0 || isMissed(found, one));
  const parts = [
    ...functions,
    ...others,
    ...(assumptions.length > 0
      ? [[pythonWord('table.assumptions', {}, terminalOptions), ...assumptions].join('\n')]
      : []),
  ];
  return [
    ...(parts.length > 0 ? parts : [pythonWord('table.none', {}, terminalOptions)]),
    ...lost.map(({ module, names }) =>
      pythonWord(
        module.startsWith('.') ? 'table.unfollowed-near' : 'table.unfollowed',
        { module, names: names.join(', ') },
        terminalOptions,
      ),
    ),
  ].join('\n\n');
}

/** True where a value of the file is missing for want of what the module gives. */
function isMissed({ functions }: FileAnnotations, { names }: UnfollowedImport): boolean {
  return functions.some(({ missing }) =>
    missing.some(text =>
      names.some(name => text.startsWith(`${name}(`) || text.startsWith(`${name}.`)),
    ),
  );
}

/** Functions without a role: only what is certain of them. */
function otherTables({ functions, annotations }: FileAnnotations): string[] {
  const known = new Set(functions.map(({ name }) => name));
  const names = new Set(annotations.map(one => one.function).filter(name => !known.has(name)));
  return [...names].map(name =>
    [
      pythonWord('table.other', { name }, terminalOptions),
      ...aligned(annotations.filter(one => one.function === name).map(rowOf)),
    ].join('\n'),
  );
}

function rowOf(annotation: PythonAnnotation): readonly string[] {
  return [
    String(annotation.range.row + 1),
    annotation.name,
    annotationText(annotation, terminalOptions).replace(/^: /, ''),
  ];
}

function functionTable(found: AnnotatedFunction, annotations: readonly PythonAnnotation[]): string {
  const { name, line, role } = found;
  const header = pythonWord(
    'table.header',
    { name, line: String(line), role: terminalOptions.translate(roleNames[role], {}) },
    terminalOptions,
  );
  const rows = annotations
    .filter(one => one.function === name && one.kind !== 'function' && one.kind !== 'call')
    .map(rowOf);
  const attributes = [...found.attributes].map(([key, quantity]) => [
    '',
    key,
    amountText(quantity, terminalOptions),
  ]);
  const word = (id: 'table.returns' | 'table.raises' | 'table.missing'): string =>
    pythonWord(id, {}, terminalOptions);
  const ends = [
    ...(found.returns
      ? [['', word('table.returns'), amountText(found.returns, terminalOptions)]]
      : []),
    ...(found.raises === undefined ? [] : [['', word('table.raises'), found.raises]]),
    ...(found.missing.length > 0 ? [['', word('table.missing'), found.missing.join(', ')]] : []),
  ];
  const broken =
    found.brokenFrom === undefined
      ? []
      : [pythonWord('table.broken', { line: String(found.brokenFrom + 1) }, terminalOptions)];
  return [header, ...aligned([...rows, ...attributes, ...ends]), ...broken].join('\n');
}

/** Lines to the right, names to the left, in columns. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number): number =>
    Math.max(0, ...rows.map(row => (row[column] ?? '').length));
  const [lines, names] = [width(0), width(1)];
  return rows.map(
    ([line = '', name = '', value = '']) =>
      `  ${line.padStart(lines)}  ${name.padEnd(names)}  ${value}`,
  );
}
