/** A plan as the JSON contract of `kvlens plan`. Unknown values are absent or null, never zero. */
import type { Plan } from '../model/plan';
import type { LeftOutFlags, PlanOptions } from '../model/planOptions';
import type { PlanRow } from '../model/planRows';
import type { QuantityId } from '../sglang/quantityId';
import type { Quantity } from '../units/quantity';
import type { Wording } from './quantityJson';
import { quantityJson } from './quantityJson';
import { receiptJson } from './receiptJson';

function orNull(quantity: Quantity | undefined) {
  return quantity === undefined ? null : quantityJson(quantity);
}

function rowJson({ fraction, pool, tokens, left, concurrency }: PlanRow) {
  const values = { pool, tokens, left, concurrency };
  return {
    fraction: quantityJson(fraction),
    ...Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) =>
        value ? [[name, quantityJson(value)] as const] : [],
      ),
    ),
  };
}

/** The row that a single given fraction, or else the automatic one, decides. */
function chosenRow({ options, rows, automatic }: Plan): PlanRow | undefined {
  const [only, ...others] = options.fractions ?? [];
  const wanted = only !== undefined && others.length === 0 ? only : automatic?.effective.nominal;
  return rows.find(({ fraction }) => fraction.nominal === wanted);
}

function quantitiesOf(plan: Plan): readonly (readonly [QuantityId, Quantity | undefined])[] {
  const { options, slot } = plan;
  const row = chosenRow(plan);
  return [
    ['totalBeforeLoad', options.total],
    ['weights', options.weights],
    ['draftWeights', options.draftWeights],
    ['availableAfterLoad', plan.available],
    ['budgetedBytesPerToken', plan.budgeted],
    ['allocatedBytesPerToken', plan.allocated],
    ['bytesPerToken', plan.budgeted],
    ['bytesPerSlot', slot?.onRank],
    ['contextLength', plan.context],
    ['cardCapacity', options.automatic?.card],
    ['memFractionEffective', row?.fraction],
    ['kvPool', row?.kvPool],
    ['swaPool', row?.windowPool],
    ['draftPool', row?.draftPool],
    ['maxTotalTokens', row?.tokens],
    ['fullTokens', row?.windowTokens && row.tokens],
    ['swaTokens', row?.windowTokens],
    ['statePool', row?.state?.memory],
    ['stateSlots', row?.state?.slots],
    ['requestToTokenPool', row?.requestTable],
    ['maxRunningRequests', row?.requests],
  ];
}

/** Every assumption that a shown figure rests on. */
export function assumptionsOf(plan: Plan): readonly string[] {
  const { release, askedRelease } = plan.options;
  const isSupposed = plan.options.isReleaseSupposed === true && release.kind === 'range';
  const shown = [
    plan.budgeted,
    plan.allocated,
    plan.automatic?.effective,
    plan.minimum,
    ...plan.rows.flatMap(({ tokens, left }) => [tokens, left]),
  ];
  return [
    ...(isSupposed ? [`SGLang ${release.from}`] : []),
    ...(askedRelease !== undefined && release.kind === 'range'
      ? [`SGLang ${askedRelease} sizes as ${release.from}, the newest that is known`]
      : []),
    ...new Set(shown.flatMap(quantity => quantity?.assumptions ?? [])),
  ];
}

/** One statement for each kind of flag, not one for each flag. */
function leftOutAssumptions(flags: LeftOutFlags | undefined): readonly string[] {
  const said = [
    ['not counted', flags?.budget],
    ['in the weights as given', flags?.weights],
    ['no pool depends on', flags?.none],
  ] as const;
  return said.flatMap(([what, names = []]) =>
    names.length > 0 ? [`${what}: ${names.join(', ')}`] : [],
  );
}

function parallelJson({ parallel }: PlanOptions) {
  const { tp, pp = 1, dp = 1, attnCp = 1 } = parallel;
  return { tp, pp, dp, cp: attnCp };
}

/** `plan --json`. */
export function planJson(plan: Plan, config: string, word: Wording) {
  const { automatic, minimum, advised, rows, bytes, slot, options } = plan;
  const known = quantitiesOf(plan).flatMap(([id, quantity]) =>
    quantity ? [[id, quantityJson(quantity)] as const] : [],
  );
  return {
    schema: 1,
    config,
    release: options.release.kind === 'range' ? options.release.from : null,
    assumptions: [...assumptionsOf(plan), ...leftOutAssumptions(options.leftOut)],
    parallel: parallelJson(plan.options),
    quantities: Object.fromEntries(known),
    receipt: receiptJson(
      [...bytes.receipt, ...(slot?.receipt ?? []), ...(automatic?.receipt ?? [])],
      word,
    ),
    fraction: {
      automatic: orNull(automatic?.effective),
      // Above 1 it is no fraction.
      minimum: minimum && minimum.interval.lo < 1 ? quantityJson(minimum) : null,
      maximum: null,
      advised: orNull(advised),
    },
    rows: rows.map(rowJson),
  };
}
