/**
 * Writes an expression with every operation in parentheses, either as the source has it or with
 * values in place of what the source reads. Only code comes out, no sentences.
 */
import { reprOf } from '../../python/formatted';
import { sourceOf } from '../../python/machine';
import type { Expression } from '../../python/syntax';
import type { Value } from '../../python/value';
import type { Quantity } from '../../units/quantity';
import { units } from '../../units/unit';
import type { FunctionValues } from './functionValues';

/** A piece of code, or an amount that has no exact number to write. */
export type CodePiece = string | Quantity;

/** Built-ins whose call is part of the arithmetic: their arguments are shown, not only the result. */
const transparentCalls: ReadonlySet<string> = new Set([
  'int',
  'float',
  'round',
  'abs',
  'min',
  'max',
  'sum',
  'len',
  'bool',
]);

type Write = (expression: Expression, isInner: boolean) => CodePiece[];

/** The source, every inner operation in parentheses. */
export function sourcePieces(values: FunctionValues, expression: Expression): string {
  const { module } = values.reading.run;
  const write: Write = (one, isInner) => structure(one, isInner, write) ?? [sourceOf(module, one)];
  return write(expression, false)
    .map(piece => (typeof piece === 'string' ? piece : ''))
    .join('');
}

/** The same with values. What has no value keeps its source. */
export function valuedPieces(values: FunctionValues, expression: Expression): CodePiece[] {
  const { module, trace } = values.reading.run;
  const write: Write = (one, isInner) => {
    const inside = structure(one, isInner, write);
    if (inside !== undefined) {
      return inside;
    }
    const value = trace.values.get(one);
    return [valuePiece(values, value) ?? sourceOf(module, one)];
  };
  return joined(write(expression, false));
}

/** An amount with its unit; a plain value as Python writes it, or within bounds. */
export function valuePiece(
  values: FunctionValues,
  value: Value | undefined,
): CodePiece | undefined {
  if (value === undefined) {
    return undefined;
  }
  const { machine } = values.reading.run;
  const amount = values.quantityOf(value);
  if (amount !== undefined && amount.unit !== units.one) {
    return amount;
  }
  const isShown = value.kind === 'number' || value.kind === 'text' || value.kind === 'none';
  return (isShown ? reprOf(machine, value) : undefined) ?? amount;
}

/** The parts of an operation; undefined for what is read as a whole. */
function structure(
  expression: Expression,
  isInner: boolean,
  write: Write,
): CodePiece[] | undefined {
  const wrap = (...pieces: CodePiece[]): CodePiece[] => (isInner ? ['(', ...pieces, ')'] : pieces);
  switch (expression.kind) {
    case 'binary':
    case 'boolean':
      return wrap(
        ...write(expression.left, true),
        ` ${expression.operator} `,
        ...write(expression.right, true),
      );
    case 'unary': {
      const sign = expression.operator === 'not' ? 'not ' : expression.operator;
      return wrap(sign, ...write(expression.operand, true));
    }
    case 'compare':
      return wrap(
        ...write(expression.first, true),
        ...expression.rest.flatMap(({ operator, operand }) => [
          ` ${operator} `,
          ...write(operand, true),
        ]),
      );
    case 'conditional':
      return wrap(
        ...write(expression.whenTrue, true),
        ' if ',
        ...write(expression.test, true),
        ' else ',
        ...write(expression.whenFalse, true),
      );
    case 'call': {
      const { callee, positional, keywords } = expression;
      const name = callee.kind === 'name' || callee.kind === 'attribute' ? callee.name : undefined;
      const isTransparent =
        name !== undefined &&
        (transparentCalls.has(name) || (callee.kind === 'attribute' && isMath(callee.object)));
      if (!isTransparent || keywords.length > 0) {
        return undefined;
      }
      const inside = positional.flatMap((argument, at) => [
        ...(at === 0 ? [] : [', ']),
        ...write(argument, false),
      ]);
      return [`${callee.kind === 'attribute' ? 'math.' : ''}${name}(`, ...inside, ')'];
    }
    default:
      return undefined;
  }
}

function isMath(object: Expression): boolean {
  return object.kind === 'name' && object.name === 'math';
}

function joined(pieces: readonly CodePiece[]): CodePiece[] {
  const result: CodePiece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') {
      result[result.length - 1] = last + piece;
    } else {
      result.push(piece);
    }
  }
  return result;
}
