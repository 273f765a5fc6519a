/** Small config.json texts for tests, and the usual questions about them. */
import type { ModelLayout } from '../../../src/core/model/modelLayout';
import { readModelLayout } from '../../../src/core/model/modelLayout';
import type { Refusal } from '../../../src/core/model/refusal';
import type { LayoutOptions, TokenBytes } from '../../../src/core/model/tokenBytes';
import { tokenBytes } from '../../../src/core/model/tokenBytes';
import { exactRelease } from '../../../src/core/sglang/layout/eraTable';
import type { Term } from '../../../src/core/terms/term';
import type { Quantity } from '../../../src/core/units/quantity';

/** The keys of a config. */
export type Config = Readonly<Record<string, unknown>>;

/** The layout; throws with the refusal where there is none. */
export function layoutOf(config: Config): ModelLayout {
  const read = readModelLayout(JSON.stringify(config, undefined, 2));
  if (read.kind === 'refused') {
    throw new Error(JSON.stringify(read.refusal));
  }
  return read.value;
}

/** Why a config text is refused; undefined where it is not. */
export function refusalOf(text: string): Refusal | undefined {
  const read = readModelLayout(text);
  return read.kind === 'refused' ? read.refusal : undefined;
}

/** Options of tests: a release by its number, and what differs from one rank in bfloat16. */
export type Options = Partial<Omit<LayoutOptions, 'release'>> & { readonly release?: string };

/** Bytes per token; throws with the refusal where there are none. */
export function bytesOf(config: Config, options: Options = {}): TokenBytes {
  const { release = '0.5.9', ...others } = options;
  const bytes = tokenBytes(layoutOf(config), {
    parallel: { tp: 1 },
    ...others,
    release: exactRelease(release),
  });
  if (bytes.kind === 'refused') {
    throw new Error(JSON.stringify(bytes.refusal));
  }
  return bytes.value;
}

/** The quantity of a term of it. */
export function quantityOf(bytes: TokenBytes, term: Term): Quantity {
  const quantity = bytes.solution.quantityOf(term);
  if (quantity === undefined) {
    throw new Error('no value');
  }
  return quantity;
}

/** Both cells as exact numbers. */
export function cellsOf(config: Config, options: Options = {}) {
  const bytes = bytesOf(config, options);
  return {
    budgeted: Number(quantityOf(bytes, bytes.budgeted).exact),
    allocated: Number(quantityOf(bytes, bytes.allocated).exact),
  };
}
