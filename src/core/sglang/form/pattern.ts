/**
 * Writes the regular expressions of line forms shorter: `<name>` is a number with that group name,
 * `<name#>` an integer. Everything else is regular expression source. Leaves out units and meaning.
 */

const decimal = String.raw`-?\d+(?:\.\d+)?(?:e[-+]?\d+)?`;
const integer = String.raw`-?\d+`;

/** The regular expression of a line form; use with a tagged template: no escapes are processed. */
export function pattern(parts: TemplateStringsArray, ...inserts: readonly string[]): RegExp {
  const source = String.raw(parts, ...inserts);
  return new RegExp(
    source.replace(
      /(?<!\?)<(\w+)(#?)>/g,
      (_whole, name: string, hash: string) => `(?<${name}>${hash === '' ? decimal : integer})`,
    ),
  );
}

/**
 * Source of an optional item of a comma list, wherever it stands in the rest of the line:
 * order-insensitive, so that an item between two known ones does not hide the second.
 */
export function anywhere(source: string): string {
  return `(?=(?:.*?${source})?)`;
}
