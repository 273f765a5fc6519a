/**
 * A layout against what a log prints of a pool: whether the sizes fit, which dtype fits where none is
 * printed, and what the sizes say of bytes per token and heads. Leaves out where the figures stand
 * in the log: the account hands them over.
 */
import { printedKeys, printedPool, printedValues } from '../sglang/layout/poolFormula';
import { printedCell } from '../sglang/printedCell';
import { factOf, sum } from '../terms/derive';
import type { Fact } from '../terms/fact';
import { solve } from '../terms/solve';
import type { Term } from '../terms/term';
import type { Quantity } from '../units/quantity';
import type { ModelLayout } from './modelLayout';
import type { LayoutOptions, TokenBytes } from './tokenBytes';
import { tokenBytes } from './tokenBytes';

/** A pool as a log prints it: keys and values apart, or one size. */
export interface PrintedPool {
  readonly tokens: Quantity;
  /** GiB. */
  readonly size?: Quantity;
  readonly keys?: Quantity;
  readonly values?: Quantity;
  /** `window` for the pool of sliding-window layers. */
  readonly which?: 'full' | 'window';
  /** Largest page that the tokens allow; 1 where it is not known to be more. */
  readonly page?: number;
}

/** Dtypes that are told apart by their bytes; E5M2 has those of E4M3 but for sparse attention. */
const candidates = ['bfloat16', 'fp8_e4m3', 'fp8_e5m2', 'fp4_e2m1', 'mxfp8', 'float32'] as const;

/** A dtype that the sizes allow, or do not. */
export interface DtypeFit {
  readonly dtype: (typeof candidates)[number];
  readonly fits: boolean;
}

/** What printed sizes say of a layout. */
export interface PoolCheck {
  /** Whether layout, dtype and sizes go together; undefined where the layout has no such pool. */
  readonly agrees: boolean | undefined;
  /** Bytes per token of the pool as the layout has them. */
  readonly expected: Quantity | undefined;
}

/** Whether the layout, with these options, gives the printed sizes. */
export function checkPool(bytes: TokenBytes, printed: PrintedPool): PoolCheck {
  const equations = poolEquations(bytes, printed);
  const solution = equations && solve(equations.roots, equations.facts, { explain: false });
  return {
    agrees: solution && solution.contradiction === undefined,
    expected: equations && bytes.solution.quantityOf(equations.cell),
  };
}

/** Which dtypes give the printed sizes; a release or layout without a dtype leaves it out. */
export function fittingDtypes(
  layout: ModelLayout,
  options: LayoutOptions,
  printed: PrintedPool,
): readonly DtypeFit[] {
  return candidates.flatMap(dtype => {
    const bytes = tokenBytes(layout, { ...options, kvDtype: dtype });
    const agrees = bytes.kind === 'known' ? checkPool(bytes.value, printed).agrees : undefined;
    return agrees === undefined ? [] : [{ dtype, fits: agrees }];
  });
}

/** Bytes per token that the printed sizes alone imply, without any layout. */
export function impliedBytesPerToken({
  tokens,
  size,
  keys,
  values,
  page = 1,
}: PrintedPool): Quantity | undefined {
  return printedCell(size ?? totalOf(keys, values), tokens, page);
}

/** Undefined unless both are printed. */
function totalOf(keys: Quantity | undefined, values: Quantity | undefined): Quantity | undefined {
  return keys && values && sum([keys, values]);
}

/** Heads of keys and values on one rank that the printed sizes imply, with the layout's other dimensions. */
export function impliedHeads(
  layout: ModelLayout,
  options: LayoutOptions,
  printed: PrintedPool,
): Quantity | undefined {
  const bytes = tokenBytes(layout, { ...options, leavesHeadsOpen: true });
  if (bytes.kind === 'refused' || layout.attention.kind !== 'heads') {
    return undefined;
  }
  const equations = poolEquations(bytes.value, printed);
  const heads = bytes.value.scope.term('kv_heads');
  const solution =
    equations && solve([...equations.roots, heads], equations.facts, { explain: false });
  return solution?.quantityOf(heads);
}

interface Equations {
  readonly roots: readonly Term[];
  readonly facts: readonly Fact[];
  readonly cell: Term;
}

/** The sizes as equations over the layout; undefined where it has no such pool. */
function poolEquations(bytes: TokenBytes, printed: PrintedPool): Equations | undefined {
  const pool = printed.which === 'window' ? bytes.windowPool : bytes.pool;
  if (pool === undefined) {
    return undefined;
  }
  const scope = bytes.scope.fork();
  scope.take('pool_tokens', printed.tokens);
  scope.bound('padding_rows', { lo: 1, hi: printed.page ?? 1 }, { provenance: [] });
  scope.define('pool_cell', pool.cell);
  scope.read(printedPool);
  const total = printed.size ?? totalOf(printed.keys, printed.values);
  const sizes: (readonly [string, Quantity | undefined])[] = [['printed_pool', total]];
  if (pool.keys !== undefined) {
    scope.define('pool_key_cell', pool.keys);
    scope.read(printedKeys);
    scope.read(printedValues);
    sizes.push(['printed_keys', printed.keys], ['printed_values', printed.values]);
  }
  const known = sizes.flatMap(([name, size]) =>
    size ? [{ term: scope.term(name), quantity: size }] : [],
  );
  return known.length === 0
    ? undefined
    : {
        roots: known.map(({ term }) => term),
        facts: [...scope.facts, ...known.map(({ term, quantity }) => factOf(term, quantity))],
        cell: scope.term('pool_cell'),
      };
}
