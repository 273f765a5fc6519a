/** Checks of plain data by its shape: each is a function that says whether a value has it. */

/** A check; a type that it proves is stated by whoever combines checks. */
export type Shape = (value: unknown) => boolean;

export const text: Shape = value => typeof value === 'string';
export const flag: Shape = value => typeof value === 'boolean';
export const number: Shape = value => typeof value === 'number' && Number.isFinite(value);
export const numberOrNull: Shape = value => value === null || number(value);

/** One of these texts. */
export function oneOf(...known: readonly string[]): Shape {
  return value => typeof value === 'string' && known.includes(value);
}

/** One of these shapes. */
export function either(...shapes: readonly Shape[]): Shape {
  return value => shapes.some(shape => shape(value));
}

export function list(item: Shape): Shape {
  return value => Array.isArray(value) && value.every(item);
}

/** A list of this many items, each of its own shape. */
export function tuple(...items: readonly Shape[]): Shape {
  return value =>
    Array.isArray(value) &&
    value.length === items.length &&
    items.every((item, at) => item(value[at]));
}

/** An object whose keys are names. */
export function dictionary(item: Shape): Shape {
  return value => isObject(value) && Object.values(value).every(item);
}

/** An object with these members and, if they are there, those; other members are refused. */
export function object(
  members: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape {
  return value =>
    isObject(value) &&
    Object.entries(members).every(([name, shape]) => shape(value[name])) &&
    Object.entries(value).every(
      ([name, member]) =>
        Object.hasOwn(members, name) || (optional[name]?.(member) ?? member === undefined),
    );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
