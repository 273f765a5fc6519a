/** `kvlens solve LOG --for ID --set id=value`: any unknown of the budget from the others. */
import type { Command } from 'commander';
import type { RunAccount } from '../core/account/account';
import type { SolvableId, Solved } from '../core/account/solveFor';
import { isSolvable, solvableTerms, solveFor } from '../core/account/solveFor';
import { placesIn } from '../core/report/linePlace';
import { quantityJson } from '../core/report/quantityJson';
import { message } from '../core/message/message';
import type { QuantityId } from '../core/sglang/quantityId';
import { isQuantityId, unitOfQuantity } from '../core/sglang/quantityId';
import { givenQuantity } from '../core/units/givenQuantity';
import type { Quantity } from '../core/units/quantity';
import { readAmount } from '../core/units/readAmount';
import { units } from '../core/units/unit';
import { assumptionNames, quantityNames } from '../wording/names';
import { render, renderQuantity } from '../wording/render';
import { collect } from './argument';
import { namedRun } from './compare';
import { printJson, printText, terminalOptions, UsageError } from './output';
import { optionalConfig } from './readConfig';

interface SolveCommandOptions {
  readonly for: string;
  readonly set: readonly string[];
  readonly config?: string;
  readonly json?: boolean;
}

/** Registers the command. */
export function registerSolve(program: Command): void {
  program
    .command('solve')
    .description('one quantity of the budget from the others, with some of them changed')
    .argument('<log>', 'server log; of several runs the last, or LOG#2 for the second')
    .requiredOption('--for <id>', 'the quantity to solve for')
    .option('--set <id=value>', 'a value to suppose (repeatable)', collect, [])
    .option('--config <file>', 'config.json of the model')
    .option('--json', 'JSON as in media/schema/solve.schema.json')
    .action(solveCommand);
}

async function solveCommand(log: string, options: SolveCommandOptions): Promise<void> {
  const id = askedId(options.for);
  const given = new Map(options.set.map(readSetting));
  const run = await namedRun(log, await optionalConfig(options.config));
  const solved = isSolvable(id) ? solveFor(run, id, given) : asPrinted(run, id, given.size);
  if (solved.kind === 'contradiction') {
    throw new UsageError(render(solved.reason, terminalOptions));
  }
  const quantity = solved.kind === 'value' ? solved.quantity : undefined;
  const about = solved.kind === 'value' ? solved.note : solved.reason;
  const remark = about && render(about, terminalOptions);
  if (options.json === true) {
    const settings = [...given].map(([name, value]) => [name, quantityJson(value)]);
    printJson({
      schema: 1,
      path: log,
      for: id,
      set: Object.fromEntries(settings) as Record<string, unknown>,
      result: quantity === undefined ? null : quantityJson(quantity, placesIn(run.run)),
      ...(solved.kind === 'unknown' && { missing: solved.missing }),
      ...(remark !== undefined && { reason: remark }),
    });
  } else {
    const value = quantity === undefined ? '?' : renderQuantity(quantity, terminalOptions);
    printText(`${quantityNames[id]}: ${value}`);
    for (const assumption of quantity?.assumptions ?? []) {
      printText(`  assumed: ${assumptionNames[assumption] ?? assumption}`);
    }
    if (remark !== undefined) {
      printText(`  ${remark}`);
    } else if (solved.kind === 'unknown') {
      const missing = solved.missing.join(', ');
      printText(`  missing: ${missing || 'more than can be set'} (--set id=value)`);
    }
  }
  if (solved.kind === 'unknown') {
    process.exitCode = 1;
  }
}

/** Also quantities that no equation gives: a log may print them. */
function askedId(text: string): QuantityId {
  return isQuantityId(text) ? text : knownId(text);
}

function asPrinted({ quantities }: RunAccount, id: QuantityId, supposed: number): Solved {
  const quantity = quantities.get(id);
  return quantity !== undefined && supposed === 0
    ? { kind: 'value', quantity }
    : {
        kind: 'unknown',
        missing: [],
        reason: message(supposed === 0 ? 'solve.not-printed' : 'solve.no-equation', {}),
      };
}

function knownId(text: string): SolvableId {
  if (!isSolvable(text)) {
    throw new UsageError(`${text}: unknown; one of ${Object.keys(solvableTerms).join(', ')}`);
  }
  return text;
}

/** Quantities that are below zero where nothing fits. */
const mayBeNegative: ReadonlySet<SolvableId> = new Set(['restMemory', 'profiledTokens']);

/** Splits at the last `=`. */
function readSetting(text: string): readonly [SolvableId, Quantity] {
  const at = text.lastIndexOf('=');
  const id = knownId(text.slice(0, at < 0 ? undefined : at));
  const unit = unitOfQuantity(id);
  const value = at < 0 ? undefined : readAmount(text.slice(at + 1), unit);
  if (value === undefined) {
    throw new UsageError(
      `${text}: needs a number${unit === units.one ? '' : ` in ${unit.name}`}, such as ${id}=1`,
    );
  }
  const isShare = id === 'memFractionStatic' || id === 'memFractionEffective';
  if (isShare && !(value > 0 && value <= 1)) {
    throw new UsageError(`${text}: a fraction lies above 0 and is at most 1, such as ${id}=0.88`);
  }
  if (!isShare && !mayBeNegative.has(id) && value < 0) {
    throw new UsageError(`${text}: cannot be negative`);
  }
  return [id, givenQuantity(value, unit, '--set')];
}
