/**
 * Reads our own formula text: assignments in the arithmetic subset of Python, one a line, lowered
 * to terms. The equations of the budget and the release tables are written in it. Opened source is
 * never read here: that is the work of core/python.
 */
import { apply, choose, constant } from './build';
import type { OperatorName } from './operator';
import type { Term } from './term';

/** A formula text that cannot be read: a mistake of ours, found by the first test that loads it. */
export class FormulaError extends Error {}

const token =
  /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|\/\/|<<|>>|<=|>=|==|!=|[-+*/%()<>,]))/y;

const comparisonBinding = 1;

/** How strongly binary operators bind, as in Python; a unary minus stands between `*` and `**`. */
const binding: ReadonlyMap<string, number> = new Map([
  ...['<', '<=', '>', '>=', '==', '!='].map(name => [name, comparisonBinding] as const),
  ...['<<', '>>'].map(name => [name, 2] as const),
  ...['+', '-'].map(name => [name, 3] as const),
  ...['*', '/', '//', '%'].map(name => [name, 4] as const),
  ['**', 6],
]);

const unaryBinding = 5;

/** Fewest and most arguments of the functions, as in Python for numbers. */
const functions: ReadonlyMap<string, readonly [fewest: number, most: number]> = new Map<
  OperatorName,
  readonly [number, number]
>([
  ['abs', [1, 1]],
  ['int', [1, 1]],
  ['float', [1, 1]],
  ['round', [1, 2]],
  ['floor', [1, 1]],
  ['ceil', [1, 1]],
  ['min', [2, Infinity]],
  ['max', [2, Infinity]],
]);

/**
 * The terms that the assignments of `text` name, in order; later lines see earlier names.
 * `#` begins a comment. Throws FormulaError for anything outside the subset or an unknown name.
 */
export function readFormulas(
  text: string,
  inputs: Readonly<Record<string, Term>>,
): ReadonlyMap<string, Term> {
  const names = new Map<string, Term>(Object.entries(inputs));
  const results = new Map<string, Term>();
  for (const line of text.split('\n')) {
    const code = line.replace(/#.*/, '').trim();
    if (code === '') {
      continue;
    }
    const match = /^([A-Za-z_]\w*)\s*=\s*([^=].*)$/.exec(code);
    if (match?.[1] === undefined || match[2] === undefined) {
      throw new FormulaError(`not an assignment: ${code}`);
    }
    const term = named(new Reader(match[2], names).expression(), match[1]);
    names.set(match[1], term);
    results.set(match[1], term);
  }
  return results;
}

/** Names a new term; an input, a constant or a term that has a name is what it is. */
function named(term: Term, name: string): Term {
  const isNew = (term.kind === 'operator' || term.kind === 'choice') && term.name === undefined;
  return isNew ? { ...term, name } : term;
}

class Reader {
  readonly #text: string;
  readonly #names: ReadonlyMap<string, Term>;
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string, names: ReadonlyMap<string, Term>) {
    this.#text = text;
    this.#names = names;
    token.lastIndex = 0;
    while (token.lastIndex < text.trimEnd().length) {
      const match = token.exec(text);
      if (match === null) {
        throw new FormulaError(`cannot read: ${text}`);
      }
      this.#tokens.push(match[0].trim());
    }
  }

  expression(): Term {
    const term = this.#conditional();
    if (this.#at < this.#tokens.length) {
      throw new FormulaError(`left over in: ${this.#text}`);
    }
    return term;
  }

  #conditional(): Term {
    const whenTrue = this.#negation();
    if (!this.#take('if')) {
      return whenTrue;
    }
    const condition = this.#negation();
    this.#expect('else');
    return choose(condition, whenTrue, this.#conditional());
  }

  #negation(): Term {
    return this.#take('not') ? apply('not', [this.#negation()]) : this.#binary(0);
  }

  #binary(minimum: number): Term {
    let left = this.#prefix();
    let isCompared = false;
    for (;;) {
      const operator = this.#tokens[this.#at] ?? '';
      const strength = binding.get(operator);
      if (strength === undefined || strength <= minimum) {
        return left;
      }
      if (strength === comparisonBinding && isCompared) {
        throw new FormulaError(`a chain of comparisons in: ${this.#text}`);
      }
      isCompared ||= strength === comparisonBinding;
      this.#at++;
      const right = this.#binary(operator === '**' ? unaryBinding - 1 : strength);
      left =
        operator === '>' || operator === '>='
          ? apply(operator === '>' ? '<' : '<=', [right, left])
          : apply(operator as OperatorName, [left, right]);
    }
  }

  #prefix(): Term {
    if (this.#take('-')) {
      return apply('neg', [this.#binary(unaryBinding)]);
    }
    if (this.#take('(')) {
      const inner = this.#conditional();
      this.#expect(')');
      return inner;
    }
    const text = this.#tokens[this.#at++];
    if (text === undefined) {
      throw new FormulaError(`ends too early: ${this.#text}`);
    }
    if (/^\d/.test(text)) {
      return constant(/^\d+$/.test(text) ? BigInt(text) : Number(text));
    }
    const arity = functions.get(text);
    if (arity !== undefined && this.#take('(')) {
      const list = this.#argumentList();
      if (list.length < arity[0] || list.length > arity[1]) {
        throw new FormulaError(`wrong number of arguments of ${text} in: ${this.#text}`);
      }
      return apply(text as OperatorName, list);
    }
    const known = this.#names.get(text);
    if (known === undefined) {
      throw new FormulaError(`unknown name ${text} in: ${this.#text}`);
    }
    return known;
  }

  #argumentList(): Term[] {
    const list = [this.#conditional()];
    while (this.#take(',')) {
      list.push(this.#conditional());
    }
    this.#expect(')');
    return list;
  }

  #take(text: string): boolean {
    const found = this.#tokens[this.#at] === text;
    if (found) {
      this.#at++;
    }
    return found;
  }

  #expect(text: string): void {
    if (!this.#take(text)) {
      throw new FormulaError(`${text} is missing in: ${this.#text}`);
    }
  }
}
