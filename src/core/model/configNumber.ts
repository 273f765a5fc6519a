/**
 * Numbers, words and lists of a config, checked as they are read: whole, positive and of a size that
 * a model can have. Anything else is refused by the name of its key.
 */
import type { ConfigObject, ConfigPlace, ConfigValue } from './configTree';
import { RefusedError } from './refusal';

/** A whole number of the config and where it stands. */
export interface ConfigNumber {
  readonly value: number;
  readonly path: string;
  readonly place: ConfigPlace;
}

/** Above this nothing is a dimension or a count. */
const largest = 2 ** 31 - 1;

/** Refuses a value by its key. */
export function refuseValue({ path, place, text }: ConfigValue): never {
  const found = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  throw new RefusedError({ kind: 'unusable-value', key: path, found, place });
}

/** Refuses for want of one of these keys of the object. */
export function refuseMissing(object: ConfigObject, keys: readonly string[]): never {
  const [key = '', ...alternatives] = keys.map(name => object.pathOf(name));
  throw new RefusedError({ kind: 'missing-key', key, alternatives });
}

/** A value as a whole number of at least `least`; Python would take no float and no string here. */
function wholeNumber(value: ConfigValue, least = 1, most = largest): ConfigNumber {
  const number = typeof value.value === 'number' ? value.value : NaN;
  if (!/^\d+$/.test(value.text) || !(number >= least && number <= most)) {
    return refuseValue(value);
  }
  return { value: number, path: value.path, place: value.place };
}

/** The first of the keys that the object has, as a whole number; undefined for none. */
export function optionalNumber(
  object: ConfigObject,
  keys: readonly string[],
  least = 1,
  most = largest,
): ConfigNumber | undefined {
  const found = keys.flatMap(key => object.get(key) ?? [])[0];
  return found && wholeNumber(found, least, most);
}

/** As optionalNumber, refused where no key is there. */
export function neededNumber(
  object: ConfigObject,
  keys: readonly string[],
  most = largest,
): ConfigNumber {
  return optionalNumber(object, keys, 1, most) ?? refuseMissing(object, keys);
}

/** The list of a key; undefined where it is absent. */
export function optionalList(
  object: ConfigObject,
  key: string,
): readonly ConfigValue[] | undefined {
  const found = object.get(key);
  if (found === undefined) {
    return undefined;
  }
  return Array.isArray(found.value) ? (found.value as readonly ConfigValue[]) : refuseValue(found);
}

/** A word; undefined where the key is absent or no string. */
export function optionalWord(object: ConfigObject, key: string): string | undefined {
  const value = object.get(key)?.value;
  return typeof value === 'string' ? value : undefined;
}
