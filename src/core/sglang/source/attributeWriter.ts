/**
 * Calls of SGLang that change a resolved option of the server: later reads of the option give what was
 * set here. Options are set on the arguments of the server (0.5.16), or on a context that hands out
 * groups of them (0.5.17 on).
 */

/** See core/python/facts.ts for the notation of a reach. */
export interface AttributeWriter {
  readonly reach: readonly string[];
  readonly to?: string;
}

export const attributeWriters: readonly AttributeWriter[] = [
  { reach: ['get_context().override()', '_CONTEXT.override()'], to: 'get_schedule()' },
  { reach: ['.server_args.override()'] },
];
