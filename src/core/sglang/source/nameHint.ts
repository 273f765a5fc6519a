/**
 * What the endings of names say of a scale. Weak evidence: `_gb` is written for GiB and for GB, so that
 * no unit follows from it; it is told only where the flow of units says nothing.
 */

/** What an ending stands for: one of two scales, or bytes. */
export type NamedScale = 'gigabytes' | 'megabytes' | 'bytes';

const endings: readonly (readonly [ending: RegExp, scale: NamedScale])[] = [
  [/(?:^|_)gi?b$/i, 'gigabytes'],
  [/(?:^|_)mi?b$/i, 'megabytes'],
  [/(?:^|_)n?bytes$/i, 'bytes'],
];

/** The scale that a name ends in; undefined for other names. */
export function scaleNamedBy(name: string): NamedScale | undefined {
  return endings.find(([ending]) => ending.test(name))?.[1];
}
