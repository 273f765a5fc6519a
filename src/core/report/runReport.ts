/** The report of one run: the answer first, then fractions, derivation, ledger, ranks and table. */
import type { RunAccount } from '../account/account';
import type { RankAccount } from '../account/rankAccount';
import { currentFraction } from '../account/currentFraction';
import { cureOf } from '../account/accountCure';
import { summaryMessage } from '../account/accountSummary';
import { derivationOrder } from '../account/derivationOrder';
import type { WhatIfRow } from '../account/whatIf';
import { automaticMessage } from '../account/layoutMessages';
import {
  availableAfterParts,
  availableAtReady,
  isSized,
  ledgerName,
  placesOf,
} from '../account/ledger';
import { isRepeated, isVerdict } from '../account/problem';
import type { Message } from '../message/message';
import { message } from '../message/message';
import type { FormulaPart } from '../terms/explain';
import { formulaOf } from '../terms/explain';
import type { Term } from '../terms/term';
import type { Quantity } from '../units/quantity';
import { receiptBlocks, receiptTable } from './receiptSection';
import { servingBlocks } from './servingSection';
import type { Block, Cell, Report, Section, TableRow } from './reportModel';
import { stepValue } from './stepValue';

/** Builds the report; sections without content are left out. */
export function runReport(account: RunAccount): Report {
  const sections: Section[] = [
    { id: 'run', blocks: headline(account) },
    { id: 'problems', blocks: problems(account) },
    { id: 'fractions', blocks: fractions(account) },
    { id: 'derivation', blocks: derivation(account) },
    { id: 'receipt', blocks: receiptBlocks(account) },
    { id: 'ledger', blocks: ledger(account) },
    { id: 'ranks', blocks: ranks(account) },
    { id: 'table', blocks: table(withOffer(account)) },
    { id: 'serving', blocks: servingBlocks(account.run) },
    { id: 'assumptions', blocks: assumptions(account) },
  ];
  return { sections: sections.filter(({ blocks }) => blocks.length > 0) };
}

/** An offer is marked in the table only where a sentence above makes it. */
function withOffer({ table: rows, fraction, quantities, advice, outcome }: RunAccount) {
  return outcome.kind === 'not-enough-memory'
    ? { table: rows, fraction, quantities, advice }
    : { table: rows, fraction, quantities };
}

/** What the values of the report rest on besides printed figures. */
function assumptions({ fraction, solution, table: rows }: RunAccount): Block[] {
  const steps = derivation({ solution }).flatMap(block =>
    block.kind === 'derivation' ? [block.term, ...leavesOf(block.formula)] : [],
  );
  const shown = [
    ...Object.values(fraction).map(value => value as Quantity | undefined),
    ...steps.map(term => solution.quantityOf(term)),
    ...rows.flatMap(({ pool, tokens, left }) => [pool, tokens, left]),
  ];
  const ids = new Set(shown.flatMap(quantity => quantity?.assumptions ?? []));
  const sentence = (text: Message): Block => ({
    kind: 'sentence',
    message: text,
    isHeadline: false,
  });
  return ids.size === 0
    ? []
    : [
        sentence(message('report.assumed', {})),
        ...[...ids].map(id => sentence(message('report.assumption', { assumed: id }))),
      ];
}

function headline(account: RunAccount): Block[] {
  const { host, launch, retry } = account;
  const cure = cureOf(account);
  const sentence = (text: Message, isHeadline = false): Block => ({
    kind: 'sentence',
    message: text,
    isHeadline,
  });
  const blocks: Block[] = [sentence(summaryMessage(account), true)];
  if (cure !== undefined) {
    blocks.push(sentence(cure.message));
    if (cure.flag !== undefined) {
      blocks.push({ kind: 'flag', flag: cure.flag });
    }
  }
  if (cure?.flag !== undefined && launch !== undefined) {
    blocks.push(sentence(message('report.launch', {})), { kind: 'flag', flag: launch });
  }
  if (retry !== undefined) {
    blocks.push(sentence(message('report.retry', { retry })));
  }
  if (host !== undefined) {
    const { each, ranks: count, node } = host;
    const isOne = count === 1;
    blocks.push(
      sentence(
        isOne
          ? message('verdict.host-pool-one', { node })
          : message('verdict.host-pool', { each, ranks: count, node }),
      ),
    );
  }
  return blocks;
}

/** Those that the headline does not already say. */
function problems(account: RunAccount): Block[] {
  return account.problems
    .filter(problem => !isVerdict(problem) && !isRepeated(problem))
    .map(problem => ({ kind: 'sentence', message: problem.message, isHeadline: false }));
}

/** A cell for a quantity that may be unknown. */
export function quantityCell(quantity: Quantity | undefined): Cell {
  return quantity === undefined ? { kind: 'empty' } : { kind: 'quantity', quantity };
}

function messageCell(value: Message): Cell {
  return { kind: 'message', message: value };
}

function linesCell(quantity: Quantity): Cell {
  return { kind: 'lines', places: placesOf(quantity) };
}

function fractions({ fraction, automatic }: RunAccount): Block[] {
  const rows = Object.entries(fraction).flatMap(([which, quantity]): TableRow[] => {
    const shown = quantity as Quantity | undefined;
    return shown === undefined
      ? []
      : [
          {
            cells: [
              messageCell(message('name.fraction', { which })),
              quantityCell(shown),
              linesCell(shown),
            ],
            mark: undefined,
          },
        ];
  });
  const table: Block[] =
    rows.length === 0 ? [] : [{ kind: 'table', columns: ['what', 'size', 'lines'], rows }];
  const origin: Block[] =
    automatic === undefined
      ? []
      : [
          { kind: 'sentence', message: automaticMessage(automatic), isHeadline: false },
          ...receiptTable(automatic.value.receipt),
        ];
  return [...table, ...origin];
}

/** How the budget was calculated, term by term. */
export function derivation({ solution }: Pick<RunAccount, 'solution'>): Block[] {
  const valueOf = stepValue.bind(undefined, solution);
  const isZero = (term: Term): boolean => Number(valueOf(term)?.exact ?? 1) === 0;
  const blocks = derivationOrder.flatMap((term): Block[] => {
    const formula = formulaOf(term, isZero);
    const isKnown = [term, ...leavesOf(formula)].every(part => valueOf(part) !== undefined);
    return term.kind !== 'input' && isKnown ? [{ kind: 'derivation', term, formula, valueOf }] : [];
  });
  return blocks.length === 0
    ? []
    : [{ kind: 'sentence', message: message('report.legend', {}), isHeadline: false }, ...blocks];
}

function leavesOf(formula: readonly FormulaPart[]): Term[] {
  return formula.flatMap(part => (typeof part === 'string' ? [] : [part.term]));
}

function bindingRank(account: RunAccount): RankAccount | undefined {
  return account.ranks.find(({ isBinding }) => isBinding) ?? account.ranks[0];
}

function ledger(account: RunAccount): Block[] {
  const rows = (bindingRank(account)?.ledger ?? []).map((entry): TableRow => ({
    cells: [
      messageCell(message('name.ledger', { entry: ledgerName(entry) })),
      quantityCell(entry.size),
      { kind: 'lines', places: entry.lines.length === 0 ? [] : placesOf(entry.size) },
    ],
    mark: undefined,
  }));
  return rows.length === 0 ? [] : [{ kind: 'table', columns: ['what', 'size', 'lines'], rows }];
}

function ranks({ ranks: all }: RunAccount): Block[] {
  if (all.length < 2) {
    return [];
  }
  const hasPools = all.some(({ figures }) => isSized(figures));
  const rows = all.map(({ rank, quantities, decides, figures }): TableRow => ({
    cells: [
      { kind: 'foreign', text: rank },
      quantityCell(quantities.get('loadBeginAvailable')),
      quantityCell(quantities.get('weights')),
      quantityCell(quantities.get('loadEndAvailable')),
      quantityCell(quantities.get('kvPool')),
      quantityCell(availableAfterParts(figures, hasPools)?.quantity),
    ],
    mark: decides ? 'binding' : undefined,
  }));
  const shown = all.filter(({ figures }) => availableAfterParts(figures, hasPools) !== undefined);
  const ready = shown.filter(({ figures }) => availableAtReady(figures) !== undefined);
  // Some ranks were ready and of others less is shown: that is not free at one end.
  const final = ready.length === 0 || ready.length === shown.length ? 'final' : 'last';
  const pool = all.some(({ quantities }) => quantities.has('swaPool')) ? 'fullPool' : 'pool';
  return [{ kind: 'table', columns: ['rank', 'begin', 'weights', 'end', pool, final], rows }];
}

/** What other fractions give. */
export function table({
  table: rows,
  fraction,
  advice,
  quantities,
}: Pick<RunAccount, 'table' | 'fraction'> &
  Partial<Pick<RunAccount, 'advice' | 'quantities'>>): Block[] {
  const poolColumn = quantities?.has('swaPool') === true ? 'pools' : 'pool';
  const current = currentFraction(fraction);
  const offered = advice?.kind === 'fraction' ? advice.row.fraction.nominal : undefined;
  const shown = rows.map((row): TableRow => {
    const value = row.fraction.nominal;
    const mark = value === offered ? 'offered' : value === current ? 'current' : undefined;
    return { cells: rowCells(row), mark: value === undefined ? undefined : mark };
  });
  return shown.length === 0
    ? []
    : [{ kind: 'table', columns: ['fraction', poolColumn, 'tokens', 'left'], rows: shown }];
}

/** Fraction, pool, tokens, left. */
export function rowCells(row: WhatIfRow): Cell[] {
  return [row.fraction, row.pool, row.tokens, row.left].map(quantityCell);
}
