/** The annotations of one function that has a role. */
import type { RaisedException } from '../../python/interpretFunction';
import type { CallRecord } from '../../python/machine';
import { sourceOf } from '../../python/machine';
import { formattedBounds, reprOf } from '../../python/formatted';
import { numberTerms } from '../../python/readFunction';
import { unitsByMaking } from '../../python/unitFlow';
import { nestedBlocks } from '../../python/sourceModule';
import { allStatements } from '../../python/statementExpressions';
import type { Block, Expression, Span } from '../../python/syntax';
import type { TextGap, Value } from '../../python/value';
import { scaleNamedBy } from '../../sglang/source/nameHint';
import type { Quantity } from '../../units/quantity';
import type { Unit } from '../../units/unit';
import { units } from '../../units/unit';
import type { AnnotatedFunction, FunctionRole, PythonAnnotation, SourceRange } from './annotation';
import type { FunctionValues } from './functionValues';
import { scaleChangeOf } from './scaleChange';

/** What is shown of one function. */
export interface FunctionAnnotations {
  readonly summary: AnnotatedFunction;
  readonly annotations: readonly PythonAnnotation[];
}

export function rangeOf({ row, column, endRow, endColumn }: Span): SourceRange {
  return { row, column, endRow, endColumn };
}

export function annotateFunction(values: FunctionValues, role: FunctionRole): FunctionAnnotations {
  const { run } = values.reading;
  const { definition } = run;
  const brokenFrom = firstBroken(definition.body);
  if (values.reading.isUncalled) {
    return uncalled(values, role, brokenFrom);
  }
  const head: PythonAnnotation = {
    range: rangeOf(definition.nameSpan),
    kind: 'function',
    name: definition.name,
    function: definition.qualifiedName,
    unit: run.returns && values.unitOf(run.returns),
    quantity: run.returns && values.quantityOf(run.returns),
    note: { id: 'function', role },
  };
  return {
    summary: summaryOf(values, role, brokenFrom),
    annotations: [
      head,
      ...parameterNotes(values),
      ...assignmentNotes(values),
      ...exitNotes(values, definition.body),
      ...callNotes(values),
      ...problemNotes(values),
    ],
  };
}

/** A function that the usual case never calls: the units that are certain, and no values. */
function uncalled(
  values: FunctionValues,
  role: FunctionRole,
  brokenFrom: number | undefined,
): FunctionAnnotations {
  const nothing = new Map<string, Quantity>();
  return {
    summary: {
      ...summaryOf(values, role, brokenFrom),
      locals: nothing,
      attributes: nothing,
      returns: undefined,
      raises: undefined,
      missing: [],
    },
    annotations: plainAnnotations(values),
  };
}

/**
 * What is certain of a function that is for nothing that we know: amounts of memory whose unit flows
 * from what libraries give, and scales that mix. No values, nothing that only a name or a use tells.
 */
export function plainAnnotations(values: FunctionValues): readonly PythonAnnotation[] {
  const { run } = values.reading;
  if (run.stopped !== undefined) {
    return [];
  }
  const made = unitsByMaking(numberTerms(run));
  const certainUnit = (value: Value): Unit | undefined => {
    if (value.kind !== 'number' || value.isBoolean || value.term.kind === 'constant') {
      return undefined;
    }
    const unit = made.unitOf(value.term);
    return unit?.isMemory === true || unit === units.bytesPerToken ? unit : undefined;
  };
  const assigned = [...run.trace.assigned].flatMap(([target, value]): PythonAnnotation[] => {
    const isNamed = target.kind === 'attribute' || (target.kind === 'name' && target.name !== '_');
    const unit = isNamed ? certainUnit(value) : undefined;
    return unit === undefined
      ? []
      : [
          {
            range: rangeOf(target.span),
            kind: 'unit',
            name: sourceOf(run.module, target),
            function: run.definition.qualifiedName,
            unit,
            quantity: undefined,
            note: { id: 'unit' },
          },
        ];
  });
  return [...assigned, ...problemNotes(values)];
}

/** The row of the first statement that does not parse; undefined where all do. */
export function firstBroken(block: Block): number | undefined {
  for (const statement of block) {
    const inner = nestedBlocks(statement)
      .map(firstBroken)
      .find(row => row !== undefined);
    if (statement.kind === 'broken' || inner !== undefined) {
      return inner ?? statement.span.row;
    }
  }
  return undefined;
}

function summaryOf(
  values: FunctionValues,
  role: FunctionRole,
  brokenFrom: number | undefined,
): AnnotatedFunction {
  const { run } = values.reading;
  const { definition, machine } = run;
  const certain = run.raises.find(raise => raise.isCertain);
  const isWhole = brokenFrom === undefined && run.stopped === undefined;
  return {
    name: definition.qualifiedName,
    line: definition.nameSpan.row + 1,
    range: rangeOf(definition.span),
    role,
    locals: quantitiesOf(values, run.names),
    attributes: attributesOf(values),
    returns: run.returns && isWhole ? values.resultOf(run.returns) : undefined,
    returnUnit: run.returns && isWhole ? values.unitOf(run.returns) : undefined,
    raises: certain && raiseText(values, certain),
    // What comes behind a certain raise is not computed.
    missing: certain === undefined ? missingOf(values) : [],
    inputs: [...machine.inputTerms.keys()],
    skipped: run.trace.skipped.map(rangeOf),
    brokenFrom,
  };
}

function quantitiesOf(
  values: FunctionValues,
  names: Iterable<readonly [string, Value]>,
): Map<string, Quantity> {
  const found = new Map<string, Quantity>();
  for (const [name, value] of names) {
    const quantity = values.quantityOf(value);
    if (quantity !== undefined) {
      found.set(name, quantity);
    }
  }
  return found;
}

/** Attributes that the function wrote, and those of a returned object that it made. */
function attributesOf(values: FunctionValues): Map<string, Quantity> {
  const { machine, returns } = values.reading.run;
  const all: [string, Value][] = [];
  for (const [key, content] of machine.heap.entries) {
    if (content.kind === 'attributes') {
      const isReturned = returns?.kind === 'instance' && returns.id === key;
      // An object that is known by what made it only has no name to write in front.
      const isNamed = typeof key === 'string' && !/[\s,]/.test(key);
      const owner = isNamed ? `${key}.` : isReturned ? '' : undefined;
      if (owner !== undefined) {
        all.push(
          ...[...content.attributes].map(
            ([name, value]) => [owner + name, value] as [string, Value],
          ),
        );
      }
    }
  }
  return quantitiesOf(values, all);
}

/**
 * What is missing for what the function is about: the number that it returns, else the amounts that it
 * leaves in attributes, else those that it assigns. What only a step on the way lacks is not missing
 * where the result is known.
 */
function missingOf(values: FunctionValues): string[] {
  const { returns, machine, trace } = values.reading.run;
  const isAmount = (value: Value): boolean => {
    const unit = values.unitOf(value);
    return value.kind === 'number' && unit !== undefined && unit !== units.one;
  };
  const left = [...machine.heap.entries.values()].flatMap(content =>
    content.kind === 'attributes' ? [...content.attributes.values()].filter(isAmount) : [],
  );
  const wanted =
    returns?.kind === 'number'
      ? [returns]
      : left.length > 0
        ? left
        : [...trace.assigned.values()].filter(isAmount);
  return [...new Set(wanted.flatMap(value => values.missingFor(value)))];
}

/** `ValueError: message` with gaps as their source in braces. */
export function raiseText(
  values: FunctionValues,
  { name, message }: Pick<RaisedException, 'name' | 'message'>,
): string {
  const { machine } = values.reading.run;
  const written = message
    .map((part: string | TextGap) =>
      typeof part === 'string'
        ? part
        : (reprOf(machine, part.value) ??
          formattedBounds(machine, part.value, part.format ?? '')?.join('…') ??
          `{${part.source}}`),
    )
    .join('');
  return written === '' ? name : `${name}: ${written}`;
}

function noteFor(
  values: FunctionValues,
  span: Span,
  name: string,
  value: Value,
): PythonAnnotation[] {
  const { run } = values.reading;
  const unit = values.unitOf(value);
  const quantity = name === 'return' ? values.resultOf(value) : values.quantityOf(value);
  const base = {
    range: rangeOf(span),
    name,
    function: run.definition.qualifiedName,
    unit,
    quantity,
  };
  if (quantity !== undefined) {
    return [{ ...base, kind: 'value', note: { id: 'value' } }];
  }
  if (unit !== undefined && unit !== units.one) {
    const missing = values.missingFor(value);
    return [
      {
        ...base,
        kind: 'unit',
        note: missing.length > 0 ? { id: 'missing', missing } : { id: 'unit' },
      },
    ];
  }
  const scale = unit === undefined && mayBeAmount(value) ? scaleNamedBy(name) : undefined;
  return scale === undefined ? [] : [{ ...base, kind: 'unit', note: { id: 'by-name', scale } }];
}

/** A value of which nothing is known but that it is no object of a known kind. */
function mayBeAmount(value: Value): boolean {
  return value.kind === 'number'
    ? !value.isBoolean
    : value.kind === 'opaque' && !value.isObject && value.type === undefined;
}

function parameterNotes(values: FunctionValues): PythonAnnotation[] {
  const { run } = values.reading;
  return run.definition.parameters.flatMap(({ name, span }) => {
    const value = values.parameterValue(name);
    return value === undefined ? [] : noteFor(values, span, name, value);
  });
}

function assignmentNotes(values: FunctionValues): PythonAnnotation[] {
  const { run } = values.reading;
  return [...run.trace.assigned].flatMap(([target, value]) =>
    (target.kind === 'name' || target.kind === 'attribute') && !isPlainNumber(values, value)
      ? noteFor(values, target.span, sourceOf(run.module, target), value)
      : [],
  );
}

/** A number that the source itself writes, which needs no note. */
function isPlainNumber(values: FunctionValues, value: Value): boolean {
  return (
    value.kind === 'number' &&
    value.term.kind === 'constant' &&
    (values.unitOf(value) === units.one || values.reading.units.isByUse(value.term))
  );
}

/** Values of `return`, and the exceptions of `raise`, where they can be reached. */
function exitNotes(values: FunctionValues, body: Block): PythonAnnotation[] {
  const { run } = values.reading;
  const returns = allStatements(body).flatMap(statement => {
    const value = statement.kind === 'return' && statement.value;
    const found = value && run.trace.values.get(value);
    return found ? noteFor(values, statement.span, 'return', found) : [];
  });
  const told = run.raises.filter(
    ({ isCertain, message, exit }) => isCertain || (message.length > 0 && exit.isRaiseStatement),
  );
  const raises = told.map((raise): PythonAnnotation => {
    const text = raiseText(values, raise);
    return {
      range: rangeOf(raise.exit.span),
      kind: 'value',
      name: 'raise',
      function: run.definition.qualifiedName,
      unit: undefined,
      quantity: undefined,
      note: { id: 'raises', text, isCertain: raise.isCertain },
    };
  });
  return [...returns, ...raises];
}

function callNotes(values: FunctionValues): PythonAnnotation[] {
  const { run } = values.reading;
  return [...run.trace.calls].flatMap(([expression, record]) =>
    expression.kind === 'call' ? callNote(values, expression, record) : [],
  );
}

function callNote(
  values: FunctionValues,
  expression: Expression & { kind: 'call' },
  record: CallRecord,
): PythonAnnotation[] {
  const { run } = values.reading;
  const unit = values.unitOf(record.result);
  if (record.callee?.kind !== 'function' || unit === undefined || unit === units.one) {
    return [];
  }
  const place = scaleChangeOf(record);
  return [
    {
      range: rangeOf(expression.span),
      kind: 'call',
      name: sourceOf(run.module, expression.callee),
      function: run.definition.qualifiedName,
      unit,
      quantity: values.quantityOf(record.result),
      note: { id: 'call', callee: record.callee.name, place },
    },
  ];
}

function problemNotes(values: FunctionValues): PythonAnnotation[] {
  const { reading } = values;
  const { run } = reading;
  const spans = new Map(
    [...run.trace.values].flatMap(([expression, value]) =>
      value.kind === 'number' ? [[value.term, expression.span] as const] : [],
    ),
  );
  return reading.units.mixedScales.flatMap(({ term, mismatch }): PythonAnnotation[] => {
    const span = spans.get(term);
    return span === undefined
      ? []
      : [
          {
            range: rangeOf(span),
            kind: 'problem',
            name: run.module.text.slice(span.start, span.end).replace(/\s+/g, ' '),
            function: run.definition.qualifiedName,
            unit: undefined,
            quantity: undefined,
            note: { id: 'mixed-scales', left: mismatch.left, right: mismatch.right },
          },
        ];
  });
}
