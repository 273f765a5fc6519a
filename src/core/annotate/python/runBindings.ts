/** The values that a run of a log gives to the inputs of the source. */
import type { RunAccount } from '../../account/account';
import type { QuantityId } from '../../sglang/quantityId';
import { isQuantityId } from '../../sglang/quantityId';
import {
  argumentInputs,
  fractionInput,
  runBytesPerToken,
  runInputs,
} from '../../sglang/source/runInput';
import { argumentQuantity } from '../../account/figure';
import type { Quantity } from '../../units/quantity';
import { Unit } from '../../units/unit';
import { sglangFacts } from './sourceFacts';
import type { GivenValue, PythonBindings } from './pythonBindings';

/** By input id. Empty for a run whose formula is not SGLang's: its figures mean something else. */
export function runBindings(account: RunAccount): PythonBindings {
  const bindings = new Map<string, GivenValue>();
  if (account.run.formulaOwner.value !== 'sglang') {
    return bindings;
  }
  for (const { input, quantities } of runInputs) {
    const quantity = firstKnown(account, quantities);
    if (quantity !== undefined) {
      bindings.set(input, { kind: 'quantity', quantity });
    }
  }
  const { implied } = account.fraction;
  const isBounded = implied !== undefined && Object.values(implied.interval).every(Number.isFinite);
  if (!bindings.has(fractionInput) && isBounded) {
    // A log that does not print the fraction tells it by the pools that it made.
    bindings.set(fractionInput, { kind: 'quantity', quantity: implied });
  }
  for (const name of argumentInputs) {
    const unit = Unit.parse(sglangFacts.input(name)?.unit ?? '');
    const quantity = unit && argumentQuantity(account.run, name, unit);
    if (typeof quantity?.exact === 'bigint') {
      bindings.set(name, { kind: 'quantity', quantity });
    }
  }
  return bindings;
}

/** The bytes per token that the run's budget was divided by; undefined where its log does not tell. */
export function bytesPerTokenOf(account: RunAccount): Quantity | undefined {
  return account.run.formulaOwner.value === 'sglang'
    ? firstKnown(account, runBytesPerToken)
    : undefined;
}

function firstKnown({ quantities }: RunAccount, ids: readonly QuantityId[]): Quantity | undefined {
  return ids.map(id => quantities.get(id)).find(quantity => quantity !== undefined);
}

/** The input id that a quantity id stands for; an input id stands for itself. */
export function inputNamed(name: string): string | undefined {
  if (sglangFacts.input(name) !== undefined) {
    return name;
  }
  return isQuantityId(name)
    ? runInputs.find(({ quantities }) => quantities.includes(name))?.input
    : undefined;
}
