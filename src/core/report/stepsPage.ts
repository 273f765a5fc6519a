/** The derivation as the page shows it: fully bracketed, with values, each linked to its lines. */
import { linesOf } from '../account/ledger';
import { message } from '../message/message';
import { formulaOf, nameOf } from '../terms/explain';
import type { FormulaPart } from '../terms/explain';
import type { Solution } from '../terms/solve';
import type { Term } from '../terms/term';
import type { Provenance } from '../units/quantity';
import type { QuantityId } from '../sglang/quantityId';
import { isQuantityId } from '../sglang/quantityId';
import type { PagePart, PageStep } from './pageModel';
import type { PageWriter } from './pageWriter';
import { stepValue } from './stepValue';

/** Steps whose values are all known, in the order given. */
export function derivationSteps(
  solution: Solution,
  order: readonly Term[],
  write: PageWriter,
): PageStep[] {
  const valueOf = stepValue.bind(undefined, solution);
  const isZero = (term: Term): boolean => Number(valueOf(term)?.exact ?? 1) === 0;
  return order.flatMap((term): PageStep[] => {
    const result = valueOf(term);
    const formula = formulaOf(term, isZero, 'all');
    const leaves = formula.flatMap(part => (typeof part === 'string' ? [] : [part.term]));
    if (term.kind === 'input' || !result || leaves.some(leaf => valueOf(leaf) === undefined)) {
      return [];
    }
    const parts = (show: (leaf: Term) => string): PagePart[] =>
      formula.map(part => pagePart(part, show, solution));
    return [
      {
        symbol: write.symbol(term),
        name: nameOfStep(term, write),
        formula: parts(write.symbol),
        values: parts(leaf => {
          const quantity = valueOf(leaf);
          return quantity === undefined ? '?' : write.short(quantity);
        }),
        result: write.quantity(result),
        sources: [
          ...new Map(
            [
              ...result.provenance.flatMap(sourcePart),
              ...assumptionParts(result.assumptions, write),
            ].map(part => [part.text + String(part.lines), part]),
          ).values(),
        ],
      },
    ];
  });
}

/** Steps whose results are quantities by another name than the formula gives them. */
const quantityOfStep: Readonly<Record<string, QuantityId>> = {
  rest: 'restMemory',
  profiled: 'profiledTokens',
};

function nameOfStep(term: Term, write: PageWriter): string {
  const name = nameOf(term) ?? '';
  const id = quantityOfStep[name] ?? name;
  if (name === 'minimum') {
    return write.message(message('name.fraction', { which: name }));
  }
  return isQuantityId(id) ? write.message(message('page.short-name', { short: id })) : '';
}

function pagePart(part: FormulaPart, show: (term: Term) => string, solution: Solution): PagePart {
  if (typeof part === 'string') {
    return { text: part, lines: [] };
  }
  const quantity = solution.quantityOf(part.term);
  const isPrinted = part.term.kind === 'input' || quantity?.printed !== undefined;
  return { text: show(part.term), lines: isPrinted && quantity ? linesOf(quantity) : [] };
}

/** Empty text: the lines say it. */
function sourcePart(source: Provenance): PagePart[] {
  switch (source.kind) {
    case 'printed':
      return [{ text: '', lines: [source.line] }];
    case 'given':
      return [{ text: source.name, lines: [] }];
    case 'config':
      return [{ text: source.key, lines: [] }];
    case 'source':
      return [{ text: `${source.file}:${source.line}`, lines: [] }];
    case 'equation':
      return [{ text: source.name, lines: [] }];
  }
}

function assumptionParts(assumptions: readonly string[], write: PageWriter): PagePart[] {
  return assumptions.map(assumed => ({
    text: write.message(message('page.assumed', { assumed })),
    lines: [],
  }));
}
