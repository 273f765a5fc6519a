/**
 * The print that people add to a sizing function to see its inputs (design section 5), for whatever
 * names the function has: what goes into it is found by its role in the arithmetic. Leaves out how a
 * host inserts it; the line that it prints is read back by the line forms.
 */
import { allExpressions, allStatements } from '../../python/statementExpressions';
import { sourceOf } from '../../python/machine';
import { nestedBlocks } from '../../python/sourceModule';
import type { Expression, Statement } from '../../python/syntax';
import type { Value } from '../../python/value';
import type { Unit } from '../../units/unit';
import { units } from '../../units/unit';
import type { FunctionValues } from './functionValues';

/** A line to insert in front of a row. */
export interface DebugLine {
  /** 0-based. */
  readonly row: number;
  /** With its indent, without the end of the line. */
  readonly text: string;
}

/** An expression of the function with what it is worth. */
interface Found {
  readonly code: string;
  readonly unit: Unit;
}

/** Undefined where one of the amounts has no name in the function, or the text does not parse. */
export function debugLineOf(values: FunctionValues): DebugLine | undefined {
  const { run, scaledParameter } = values.reading;
  const { definition, module } = run;
  const result = resultOf(values);
  const rest = result && restOf(values, result.expression);
  const available = assignedAmount(values, ['availableAfterLoad']);
  const fraction = fractionOf(values);
  if (!result || !rest || !available || fraction === undefined || scaledParameter === undefined) {
    return undefined;
  }
  const total = { code: scaledParameter.name, unit: scaledParameter.unit };
  const cellSize = namedWithUnit(values, result.expression, units.bytesPerToken);
  const tokens =
    result.unit === units.token && cellSize !== undefined
      ? `, cell_size={${cellSize}}, max_tokens={${oneLine(sourceOf(module, result.expression))}}`
      : '';
  const needed = [rest.code, available.code, ...(cellSize === undefined ? [] : [cellSize])];
  const before = definition.body.findLast(statement => bindsOneOf(statement, needed));
  const after = before && definition.body[definition.body.indexOf(before) + 1];
  const reserved = `${inGib(total)} * (1 - ${fraction})`;
  const printed =
    `avail={${inGib(available)}:.3f} GiB, total={${inGib(total)}:.3f} GiB, ` +
    `fraction={${fraction}}, reserved={${reserved}:.3f} GiB, rest={${inGib(rest)}:.3f} GiB${tokens}`;
  // Quotes and backslashes inside an f-string are for newer interpreters only.
  if (after === undefined || /["\\]/.test(printed)) {
    return undefined;
  }
  const indent = ' '.repeat(after.span.column);
  const text = `${indent}print(f"DEBUG profile_max_num_token: ${printed}", flush=True)`;
  return { row: after.span.row, text };
}

/** What the function makes of the memory that is left: tokens where it divides, else bytes. */
function resultOf(values: FunctionValues): { expression: Expression; unit: Unit } | undefined {
  const { trace, definition } = values.reading.run;
  const found = allStatements(definition.body).flatMap(statement => {
    const expression =
      statement.kind === 'return' || statement.kind === 'assign' ? statement.value : undefined;
    const value = expression && trace.values.get(expression);
    const unit = value && values.unitOf(value);
    const isMade = expression !== undefined && expression.kind !== 'name';
    return isMade && unit !== undefined ? [{ expression, unit, kind: statement.kind }] : [];
  });
  return (
    found.findLast(({ unit }) => unit === units.token) ??
    found.findLast(({ unit, kind }) => kind === 'return' && unit.isMemory)
  );
}

/** The name of memory in the result: what is left of the measurement by the fraction. */
function restOf(values: FunctionValues, expression: Expression): Found | undefined {
  const { trace, machine } = values.reading.run;
  const rests = (value: Value): boolean =>
    values.inputsBelow(value).some(({ name }) => machine.facts.input(name)?.tag === 'fraction');
  return inside(expression).flatMap(one => {
    const value = one.kind === 'name' ? trace.values.get(one) : undefined;
    const unit = value && values.unitOf(value);
    return one.kind === 'name' && value && unit?.isMemory === true && rests(value)
      ? [{ code: one.name, unit }]
      : [];
  })[0];
}

function inside(expression: Expression): readonly Expression[] {
  return allExpressions([{ kind: 'expression', value: expression, span: expression.span }]);
}

/** The name in the result that has this unit. */
function namedWithUnit(
  values: FunctionValues,
  expression: Expression,
  unit: Unit,
): string | undefined {
  const { trace } = values.reading.run;
  const found = inside(expression).find(one => {
    const value = one.kind === 'name' ? trace.values.get(one) : undefined;
    return value !== undefined && values.unitOf(value) === unit;
  });
  return found?.kind === 'name' ? found.name : undefined;
}

/** The first name that is set to an amount which rests on these inputs alone. */
function assignedAmount(values: FunctionValues, inputs: readonly string[]): Found | undefined {
  for (const [target, value] of values.reading.run.trace.assigned) {
    const unit = values.unitOf(value);
    const names = values.inputsBelow(value).map(({ name }) => name);
    const isSame = names.length === inputs.length && names.every(name => inputs.includes(name));
    if (target.kind === 'name' && unit?.isMemory === true && isSame) {
      return { code: target.name, unit };
    }
  }
  return undefined;
}

/** The source of the expression that is the memory fraction. */
function fractionOf({ reading }: FunctionValues): string | undefined {
  const { trace, machine, module } = reading.run;
  const isFraction = (value: Value): boolean =>
    value.kind === 'number' &&
    value.term.kind === 'input' &&
    machine.facts.input(value.term.name)?.tag === 'fraction';
  for (const [expression, value] of trace.values) {
    if (isFraction(value)) {
      return oneLine(sourceOf(module, expression));
    }
  }
  return undefined;
}

function bindsOneOf(statement: Statement, names: readonly string[]): boolean {
  const isBound =
    (statement.kind === 'assign' &&
      statement.targets.some(one => one.kind === 'name' && names.includes(one.name))) ||
    (statement.kind === 'augment' &&
      statement.target.kind === 'name' &&
      names.includes(statement.target.name));
  return (
    isBound || nestedBlocks(statement).some(block => block.some(one => bindsOneOf(one, names)))
  );
}

function inGib({ code, unit }: Found): string {
  return unit === units.B ? `${code} / (1 << 30)` : code;
}

function oneLine(code: string): string {
  return code
    .replace(/\s+/g, ' ')
    .replace(/([([]) /g, '$1')
    .replace(/,? ([)\]])/g, '$1');
}
