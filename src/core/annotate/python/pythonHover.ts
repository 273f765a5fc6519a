/** What a hover over an expression of a function tells: its derivation, value, unit and sources. */
import { reprOf } from '../../python/formatted';
import type { CallRecord } from '../../python/machine';
import { sourceOf } from '../../python/machine';
import { nestedBlocks } from '../../python/sourceModule';
import { statementExpressions } from '../../python/statementExpressions';
import type { Block, Expression, Span } from '../../python/syntax';
import { childrenOf } from '../../python/syntaxNames';
import type { Value } from '../../python/value';
import type { InputTerm } from '../../terms/term';
import type { Quantity } from '../../units/quantity';
import type { Unit } from '../../units/unit';
import { units } from '../../units/unit';
import type { SourcePlace, SourceRange } from './annotation';
import type { CodePiece } from './codePieces';
import { sourcePieces, valuedPieces } from './codePieces';
import type { FunctionValues } from './functionValues';
import { scaleChangeOf } from './scaleChange';

/** An input that the value rests on. */
export interface HoverInput {
  /** Input id, or the expression that is missing. */
  readonly name: string;
  /** The expression of this function that reaches it, where there is one. */
  readonly source: string | undefined;
  readonly range: SourceRange | undefined;
  readonly unit: Unit | undefined;
  /** Undefined where no value is given. Its provenance says where the value came from. */
  readonly quantity: Quantity | undefined;
}

/** What is told of a call. */
export interface HoverCall {
  readonly callee: string;
  /** Where the callee is defined. */
  readonly definition: SourcePlace | undefined;
  /** The line that gives the result its scale, with its code where it is the callee's own. */
  readonly scale: (SourcePlace & { readonly code: string | undefined }) | undefined;
  /** True where the callee measures free memory, so that the value is an input. */
  readonly isMeasurement: boolean;
}

export interface PythonHover {
  readonly range: SourceRange;
  /** Qualified name of the function around it. */
  readonly function: string;
  /** The expression with every operation in parentheses; for a target, of what it is set to. */
  readonly source: string;
  /** The name that is assigned, where the hover is on a target or a parameter. */
  readonly target: string | undefined;
  /** The same with values; equal to the source where nothing is known. */
  readonly valued: readonly CodePiece[];
  readonly quantity: Quantity | undefined;
  readonly unit: Unit | undefined;
  /** True where only the use of the value tells its unit. */
  readonly isUnitByUse: boolean;
  /** Python's text of a value that is no amount: `True`, `None`, `'auto'`. */
  readonly text: string | undefined;
  readonly inputs: readonly HoverInput[];
  readonly missing: readonly string[];
  readonly call: HoverCall | undefined;
  /** True in a part that the given values rule out. */
  readonly isSkipped: boolean;
  /** The parameter that is hovered over, where the memory fraction scales it: its call chain tells more. */
  readonly scaledParameter: string | undefined;
}

/** The hover at a place; undefined where there is nothing to say. */
export function hoverOf(
  values: FunctionValues,
  row: number,
  column: number,
): PythonHover | undefined {
  const { definition } = values.reading.run;
  const parameter = definition.parameters.find(({ span }) => contains(span, row, column));
  if (parameter !== undefined) {
    const value = values.parameterValue(parameter.name);
    return value && parameterHover(values, parameter.span, parameter.name, value);
  }
  for (const found of expressionsAt(values, definition.body, row, column)) {
    const hover = expressionHover(values, found);
    if (hover !== undefined) {
      return hover;
    }
  }
  return undefined;
}

interface FoundExpression {
  readonly expression: Expression;
  /** Set where the expression is assigned to. */
  readonly assignedFrom: Expression | undefined;
}

function contains(span: Span, row: number, column: number): boolean {
  const isBehind = row > span.row || (row === span.row && column >= span.column);
  return isBehind && (row < span.endRow || (row === span.endRow && column <= span.endColumn));
}

/** The expressions around a place, innermost first. */
function expressionsAt(
  values: FunctionValues,
  body: Block,
  row: number,
  column: number,
): FoundExpression[] {
  const found: FoundExpression[] = [];
  const visit = (expression: Expression, assignedFrom?: Expression): void => {
    if (contains(expression.span, row, column)) {
      childrenOf(expression).forEach(child => visit(child));
      found.push({ expression, assignedFrom });
    }
  };
  const search = (block: Block): void => {
    for (const statement of block) {
      if (contains(statement.span, row, column)) {
        nestedBlocks(statement).forEach(search);
        statementExpressions(statement).forEach(([expression, from]) => visit(expression, from));
      }
    }
  };
  search(body);
  return found;
}

function expressionHover(
  values: FunctionValues,
  { expression, assignedFrom }: FoundExpression,
): PythonHover | undefined {
  const { run } = values.reading;
  const assigned = run.trace.assigned.get(expression);
  const record = run.trace.calls.get(expression);
  const value = assigned ?? run.trace.values.get(expression);
  const isSkipped = run.trace.skipped.some(({ start, end }) => {
    const { span } = expression;
    return span.start >= start && span.end <= end;
  });
  if (value === undefined && !isSkipped) {
    return undefined;
  }
  const shown = assignedFrom ?? expression;
  const target = assignedFrom === undefined ? undefined : sourceOf(run.module, expression);
  const about = value && describe(values, value);
  if (about === undefined && !isSkipped) {
    return undefined;
  }
  return {
    range: rangeOf(expression.span),
    function: run.definition.qualifiedName,
    source: sourcePieces(values, shown),
    target,
    valued: isSkipped ? [] : valuedPieces(values, shown),
    ...(about ?? nothingKnown),
    call: record && callOf(values, expression, record),
    isSkipped,
    scaledParameter: expression.kind === 'name' ? scaledNamed(values, expression.name) : undefined,
  };
}

function scaledNamed({ reading }: FunctionValues, name: string): string | undefined {
  return reading.scaledParameter?.name === name ? name : undefined;
}

function parameterHover(
  values: FunctionValues,
  span: Span,
  name: string,
  value: Value,
): PythonHover | undefined {
  const about = describe(values, value);
  return (
    about && {
      range: rangeOf(span),
      function: values.reading.run.definition.qualifiedName,
      source: name,
      target: name,
      valued: [],
      ...about,
      call: undefined,
      isSkipped: false,
      scaledParameter: scaledNamed(values, name),
    }
  );
}

type Description = Pick<
  PythonHover,
  'quantity' | 'unit' | 'isUnitByUse' | 'text' | 'inputs' | 'missing'
>;

const nothingKnown: Description = {
  quantity: undefined,
  unit: undefined,
  isUnitByUse: false,
  text: undefined,
  inputs: [],
  missing: [],
};

/** Undefined for a value of which neither amount, text nor unit is known, and nothing is missing. */
function describe(values: FunctionValues, value: Value): Description | undefined {
  const { machine, trace, module } = values.reading.run;
  const unit = values.unitOf(value);
  const quantity = values.quantityOf(value);
  const missing = values.missingFor(value);
  const text = quantity === undefined ? plainRepr(values, value) : undefined;
  const tells = unit !== undefined && unit !== units.one;
  if (quantity === undefined && text === undefined && !tells) {
    return value.kind === 'number' && missing.length > 0 ? { ...nothingKnown, missing } : undefined;
  }
  const reach = (term: InputTerm): Expression | undefined =>
    [...trace.values].find(([, one]) => one.kind === 'number' && one.term === term)?.[0];
  const inputs = values.inputsBelow(value).map((term): HoverInput => {
    const expression = reach(term);
    return {
      name: term.name,
      source: expression && sourceOf(module, expression),
      range: expression && rangeOf(expression.span),
      unit: values.unitOf({ kind: 'number', term, isBoolean: false }),
      quantity: values.given(term),
    };
  });
  const isUnitByUse = value.kind === 'number' && tells && values.reading.units.isByUse(value.term);
  return {
    quantity,
    unit,
    isUnitByUse,
    text: text ?? (value.kind === 'number' ? reprOf(machine, value) : undefined),
    inputs,
    missing,
  };
}

function plainRepr(values: FunctionValues, value: Value): string | undefined {
  const isPlain =
    value.kind === 'none' || value.kind === 'text' || (value.kind === 'number' && value.isBoolean);
  return isPlain ? reprOf(values.reading.run.machine, value) : undefined;
}

function callOf(
  values: FunctionValues,
  expression: Expression,
  record: CallRecord,
): HoverCall | undefined {
  const { run } = values.reading;
  const { callee } = record;
  const name =
    callee?.kind === 'function'
      ? callee.name
      : expression.kind === 'call'
        ? sourceOf(run.module, expression.callee)
        : '';
  const place = scaleChangeOf(record);
  const inCallee = place !== undefined && callee?.module.path === place.path;
  const code = inCallee ? callee.module.text.split('\n')[place.line - 1]?.trim() : undefined;
  const nameSpan =
    callee === undefined || !('nameSpan' in callee.definition)
      ? undefined
      : callee.definition.nameSpan;
  return {
    callee: name,
    definition:
      nameSpan && callee
        ? { path: callee.module.path, line: nameSpan.row + 1, column: nameSpan.column }
        : undefined,
    scale: place && { ...place, code },
    isMeasurement: record.followed !== undefined,
  };
}

function rangeOf({ row, column, endRow, endColumn }: Span): SourceRange {
  return { row, column, endRow, endColumn };
}
