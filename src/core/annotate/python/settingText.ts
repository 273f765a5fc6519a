/**
 * Reads a value that somebody sets for an input or an expression, as text: `0.88`, `94 GiB`, `true`,
 * `None`, `'auto'`; and the whole setting `name=value`.
 */
import type { GivenValue } from '../../python/machine';
import { givenQuantity } from '../../units/givenQuantity';
import { readAmount } from '../../units/readAmount';
import { Unit, units } from '../../units/unit';
import { inputNamed } from './runBindings';
import { sglangFacts } from './sourceFacts';

/** A setting as typed: `name` is an input id, a quantity id or an expression. */
export interface SettingText {
  readonly name: string;
  readonly value: string;
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Splits at the last `=` outside brackets and quotes that is no comparison; else undefined. */
export function splitSetting(text: string): SettingText | undefined {
  const open: string[] = [];
  let quote: string | undefined;
  let found: number | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (quote !== undefined) {
      quote = character === quote ? undefined : quote;
    } else if (character === '"' || character === "'") {
      quote = character;
    } else if (character in closing) {
      open.push(closing[character] ?? '');
    } else if (character === open.at(-1)) {
      open.pop();
    } else if (character === '=' && open.length === 0 && !isComparison(text, at)) {
      found = at;
    }
  }
  const name = text.slice(0, found).trim();
  const value = found === undefined ? '' : text.slice(found + 1).trim();
  return name === '' || value === '' ? undefined : { name, value };
}

function isComparison(text: string, at: number): boolean {
  return /[=<>!:]/.test(text[at - 1] ?? '') || text[at + 1] === '=';
}

/** The unit in which a value of this name is asked for; undefined for no input. */
export function unitOfInput(name: string): Unit | undefined {
  const fact = sglangFacts.input(inputNamed(name) ?? '');
  return fact && Unit.parse(fact.unit);
}

/** True for an input that is true or false. */
export function isBooleanInput(name: string): boolean {
  return sglangFacts.input(name)?.isBoolean === true;
}

const words: Readonly<Record<string, boolean | null>> = {
  true: true,
  false: false,
  none: null,
  null: null,
};

/**
 * The value of a text for a name; `unit` is what the name is counted in, where it is known. Undefined
 * for a text that is no value of that unit.
 */
export function readGivenValue(
  name: string,
  text: string,
  unit: Unit | undefined,
): GivenValue | undefined {
  const word = words[text.toLowerCase()];
  if (word !== undefined) {
    return { kind: 'literal', value: word };
  }
  const quoted = /^(['"])(.*)\1$/.exec(text)?.[2];
  if (quoted !== undefined) {
    return { kind: 'literal', value: quoted };
  }
  if (isBooleanInput(name)) {
    return undefined;
  }
  const typed = Unit.parse(/[A-Za-z/]+$/.exec(text)?.[0].replace(/^(token|request)s$/, '$1') ?? '');
  const wanted = unit ?? typed ?? units.one;
  const value = readAmount(text, wanted);
  return value === undefined || !Number.isFinite(Number(value))
    ? undefined
    : { kind: 'quantity', quantity: givenQuantity(value, wanted, name) };
}

/** Every input id, for the list that a refused name is answered with. */
export const inputIds: readonly string[] = sglangFacts.inputIds;
