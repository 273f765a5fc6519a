/**
 * A value that is set for an expression which is an input by another name is a value of the input:
 * setting `self.mem_fraction_static` must not hide that it is a memory fraction.
 */
import { sourceKey, sourceOf, unitNamed } from '../../python/machine';
import type { FunctionReading, ReadingOptions } from '../../python/readFunction';
import { inInputUnit } from './pythonBindings';
import { sglangFacts } from './sourceFacts';

/** `reading` was made without the values of expressions. */
export function withExpressionInputs(
  options: ReadingOptions,
  { run }: FunctionReading,
): ReadingOptions {
  const inputs = new Map(options.inputs);
  const expressions = new Map(options.expressions);
  for (const [expression, value] of run.trace.values) {
    const key = sourceKey(sourceOf(run.module, expression));
    const given = options.expressions.get(key);
    const term = value.kind === 'number' ? value.term : undefined;
    const fact = term?.kind === 'input' ? sglangFacts.input(term.name) : undefined;
    if (given !== undefined && given.kind !== 'input' && fact !== undefined) {
      inputs.set(fact.id, inInputUnit(given, unitNamed(fact.unit)));
      expressions.delete(key);
    }
  }
  return { ...options, inputs, expressions };
}
