/**
 * Finds what a function is for by the shape of its arithmetic, never by its name or file: it sizes
 * memory by a fraction, makes bytes per token, measures free memory, or splits an amount into pools
 * (which those that only call a sizing function do with its result).
 */
import type { FactIndex } from '../../python/factIndex';
import { computesWithFraction } from '../../python/fractionUse';
import type { FunctionReading } from '../../python/readFunction';
import { numberTerms } from '../../python/readFunction';
import { returnsValue } from '../../python/sizingTrace';
import type { Value } from '../../python/value';
import type { Term } from '../../terms/term';
import { topologicalOrder } from '../../terms/term';
import type { Unit } from '../../units/unit';
import { units } from '../../units/unit';
import type { FunctionRole } from './annotation';

/** Undefined for a function that is none of them. */
export function roleOf(facts: FactIndex, reading: FunctionReading): FunctionRole | undefined {
  const { run, units: flow, usesFraction } = reading;
  const { machine, returns } = run;
  const returned = returns?.kind === 'number' ? returns.term : undefined;
  const first = returns?.kind === 'tuple' ? returns.items[0] : returns;
  const measured = first?.kind === 'number' ? first.term : undefined;
  const isMemory = measured !== undefined && flow.unitOf(measured)?.isMemory === true;
  if (isMemory && !usesFraction && machine.isMeasurement(measured)) {
    return 'available-memory';
  }
  const terms = topologicalOrder(numberTerms(run));
  if (usesFraction) {
    const sizes = terms.some(term => changesScale(reading, term)) && leavesAmount(reading);
    const isOwn =
      reading.owners.has(run.definition) ||
      computesWithFraction(run.definition, facts.fractionNames);
    return sizes ? (isOwn ? 'sizing' : 'pool-split') : undefined;
  }
  if (
    terms.some(term => splits(reading, term)) ||
    readsSplit(facts, reading, terms) ||
    sharesTokens(reading)
  ) {
    return leavesAmount(reading) ? 'pool-split' : undefined;
  }
  const results = returned ? [returned] : attributeTerms(reading);
  return results.some(term => flow.unitOf(term) === units.bytesPerToken) ? 'cell-size' : undefined;
}

/**
 * The role of a function as its values are read, with what its callers give it. Where a caller measures
 * what this function goes on with, and gives back the result, the caller is the one that sizes.
 */
export function settledRole(
  facts: FactIndex,
  usual: FunctionRole | undefined,
  reading: FunctionReading,
): FunctionRole | undefined {
  const { owners, run } = reading;
  const isOwner = owners.has(run.definition);
  if (usual === undefined || (usual === 'pool-split' && isOwner)) {
    return roleOf(facts, reading) ?? usual;
  }
  const measured = run.machine.inputTerms.get(facts.measurement.id);
  const isPart =
    usual === 'sizing' &&
    !isOwner &&
    [...owners].some(returnsValue) &&
    topologicalOrder(numberTerms(run)).some(term => term === measured);
  return isPart ? 'pool-split' : usual;
}

/** Numbers that a constructor leaves in attributes. */
function attributeTerms({ run }: FunctionReading): Term[] {
  return run.definition.name !== '__init__'
    ? []
    : [...run.trace.assigned].flatMap(([target, value]) =>
        target.kind === 'attribute' && value.kind === 'number' ? [value.term] : [],
      );
}

/** Numbers that the function assigns, to names or attributes. */
function assignedTerms({ run }: FunctionReading): Term[] {
  return [...run.trace.assigned.values()].flatMap(value =>
    value.kind === 'number' ? [value.term] : [],
  );
}

/** GiB to bytes or back: the result has another scale than an operand, or one that has no name. */
function changesScale({ units: flow }: FunctionReading, term: Term): boolean {
  if (term.kind !== 'operator' || !['*', '/', '//', '<<', '>>'].includes(term.operator)) {
    return false;
  }
  const [operand, other] = term.operands;
  const scales = [term, operand].map(one => one && flow.unitOf(one)?.byteScale);
  const isRaised = term.operator === '*' || term.operator === '<<';
  if (isRaised && scales[1] !== undefined && flow.unitOf(term) === undefined) {
    // To a scale that has no name: 2^29, 1000^3 of GiB.
    return other !== undefined && flow.unitOf(other) === units.one;
  }
  return scales[0] !== undefined && scales[1] !== undefined && scales[0] !== scales[1];
}

function isAmount(unit: Unit | undefined): boolean {
  return unit?.isMemory === true || unit === units.token || unit === units.request;
}

/** True where the function returns or stores an amount of memory, tokens or requests. */
function leavesAmount(reading: FunctionReading): boolean {
  const { run, units: flow } = reading;
  const values: Value[] = run.returns === undefined ? [] : [run.returns];
  for (const content of run.machine.heap.entries.values()) {
    if (content.kind === 'attributes') {
      values.push(...content.attributes.values());
    }
  }
  const terms = values.flatMap(value => (value.kind === 'number' ? [value.term] : []));
  return [...terms, ...assignedTerms(reading)].some(term => isAmount(flow.unitOf(term)));
}

/**
 * Memory divided by memory per token or per request, or by a literal that is no change of scale: a
 * count of tokens, requests or whatever takes so many bytes.
 */
function splits({ units: flow }: FunctionReading, term: Term): boolean {
  if (term.kind !== 'operator' || (term.operator !== '/' && term.operator !== '//')) {
    return false;
  }
  const unit = flow.unitOf(term);
  const [above, below] = term.operands;
  if (above === undefined || flow.unitOf(above)?.isMemory !== true) {
    return false;
  }
  const isOfLiteral =
    term.operator === '//' && below?.kind === 'constant' && !/^10*$/.test(String(below.value));
  return unit === units.token || unit === units.request || (unit === undefined && isOfLiteral);
}

/** Two attributes that are left with different amounts of tokens, each computed from tokens. */
function sharesTokens({ run, units: flow }: FunctionReading): boolean {
  const shares = new Set<Term>();
  for (const [target, value] of run.trace.assigned) {
    const isShare =
      target.kind === 'attribute' &&
      value.kind === 'number' &&
      value.term.kind === 'operator' &&
      flow.unitOf(value.term) === units.token &&
      topologicalOrder([value.term]).some(
        ({ kind, ...node }) =>
          kind === 'input' && 'name' in node && run.machine.inputTerms.has(node.name),
      );
    if (isShare) {
      shares.add(value.term);
    }
  }
  return shares.size > 1;
}

function readsSplit(facts: FactIndex, { run }: FunctionReading, terms: readonly Term[]): boolean {
  const wanted = new Set<Term>(
    [...run.machine.inputTerms].flatMap(([id, term]) =>
      facts.input(id)?.tag === 'split' ? [term] : [],
    ),
  );
  return terms.some(term => wanted.has(term));
}
