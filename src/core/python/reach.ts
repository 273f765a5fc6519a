/** Matches paths of unknown values with the reaches of fact tables. */
import type { Value, ValuePath } from './value';

/** One way to reach something, ready to match. */
interface ReachPattern<Row> {
  readonly steps: readonly string[];
  /** True when a step of any kind must stand before (`.name`). */
  readonly needsOwner: boolean;
  readonly argument: readonly string[] | undefined;
  readonly form: 'value' | 'length' | 'parameter';
  /** The right side of `==`. */
  readonly equals: readonly string[] | undefined;
  readonly isNegated: boolean;
  readonly row: Row;
}

/** A row that matched. `isNegated`: the row's value is the opposite of the expression's. */
export interface ReachMatch<Row> {
  readonly row: Row;
  readonly isNegated: boolean;
}

function readSteps(text: string): string[] {
  return text.split('.').filter(step => step !== '');
}

function readPattern<Row>(reach: string, row: Row): ReachPattern<Row> {
  const isNegated = reach.startsWith('not ');
  const [left = '', right] = (isNegated ? reach.slice(4) : reach).split(' == ');
  const parameter = /^parameter (\w+)$/.exec(left);
  const length = /^len\((.*)\)$/.exec(left);
  const call = /^(.*)\((\.[\w.]+)\)$/.exec(left);
  const body = parameter?.[1] ?? length?.[1] ?? (call === null ? left : `${call[1] ?? ''}()`);
  return {
    steps: readSteps(body),
    needsOwner: body.startsWith('.'),
    argument: length === null && call?.[2] !== undefined ? readSteps(call[2]) : undefined,
    form: parameter ? 'parameter' : length ? 'length' : 'value',
    equals: right === undefined ? undefined : readSteps(right),
    isNegated,
    row,
  };
}

/** Rows by the last step of their reaches. The first row that matches wins. */
export class ReachIndex<Row> {
  readonly #patterns = new Map<string, ReachPattern<Row>[]>();

  add(reach: string, row: Row): void {
    const pattern = readPattern(reach, row);
    const last = pattern.steps.at(-1) ?? '';
    this.#patterns.set(last, [...(this.#patterns.get(last) ?? []), pattern]);
  }

  /** The row that an attribute or a call reaches. */
  value(path: ValuePath): ReachMatch<Row> | undefined {
    return this.#find(
      path,
      pattern =>
        pattern.form === 'value' &&
        pattern.equals === undefined &&
        hasArgument(path.arguments, pattern.argument),
    );
  }

  length(path: ValuePath): ReachMatch<Row> | undefined {
    return this.#find(path, pattern => pattern.form === 'length');
  }

  parameter(name: string): ReachMatch<Row> | undefined {
    return this.#find({ text: name, steps: [name] }, pattern => pattern.form === 'parameter');
  }

  comparison(path: ValuePath, other: ValuePath): ReachMatch<Row> | undefined {
    return this.#find(
      path,
      pattern => pattern.equals !== undefined && endsWith(other.steps, pattern.equals),
    );
  }

  #find(
    path: ValuePath,
    accepts: (pattern: ReachPattern<Row>) => boolean,
  ): ReachMatch<Row> | undefined {
    const last = path.steps.at(-1) ?? '';
    const own = this.#patterns.get(last);
    const wide = this.#patterns.get(last.endsWith('()') ? '*()' : '*');
    // Nearly every path ends here.
    if (own === undefined && wide === undefined) {
      return undefined;
    }
    const matches = (pattern: ReachPattern<Row>): boolean =>
      endsWith(path.steps, pattern.steps) &&
      (!pattern.needsOwner || path.steps.length > pattern.steps.length) &&
      accepts(pattern);
    const found = own?.find(matches) ?? wide?.find(matches);
    return found && { row: found.row, isNegated: found.isNegated };
  }
}

function endsWith(steps: readonly string[], pattern: readonly string[]): boolean {
  const offset = steps.length - pattern.length;
  return offset >= 0 && pattern.every((step, at) => isStep(steps[offset + at], step));
}

function hasArgument(
  values: readonly Value[] | undefined,
  pattern: readonly string[] | undefined,
): boolean {
  if (pattern === undefined) {
    return true;
  }
  const [first] = values ?? [];
  return first?.kind === 'opaque' && endsWith(first.path.steps, pattern);
}

/** `*` is any step that is no call, `*()` any call. */
function isStep(step: string | undefined, pattern: string): boolean {
  switch (pattern) {
    case '*':
      return step?.endsWith('()') === false;
    case '*()':
      return step?.endsWith('()') === true;
    default:
      return step === pattern;
  }
}
