/**
 * `kvlens annotate` on the releases themselves: every value, unit, return and raised text that their
 * own code gives under CPython (../shared/truth/profile.json), and what the command refuses.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { describe, expect, test } from 'vitest';
import { releasesFolder } from '../../scripts/releases.mjs';
import { hasShared, sharedFile, sharedPath } from '../corpus/sharedFile';
import { file, kvlens } from './kvlens';

interface Amount {
  readonly value: number;
  readonly unit: string;
}

interface Row {
  readonly release: string;
  readonly file: string;
  readonly function: string;
  readonly scenario: string;
  readonly inputs: Readonly<Record<string, string | number | boolean>>;
  readonly locals: Readonly<Record<string, Amount>>;
  readonly returns: Amount | null;
  readonly raises: string | null;
}

interface Annotated {
  readonly assumptions: readonly string[];
  readonly annotations: readonly {
    readonly range: readonly (readonly number[])[];
    readonly kind: string;
    readonly name: string;
    readonly text: string;
    readonly unit?: string;
    readonly quantity?: Amount;
  }[];
  readonly functions: readonly {
    readonly name: string;
    readonly role: string;
    readonly locals: Readonly<Record<string, Amount>>;
    readonly returns: Amount | null;
    readonly raises: string | null;
    readonly missing: readonly string[];
  }[];
}

const releases = ['0.1.3', '0.1.17', '0.2.10', '0.4.6.post5', '0.5.9', '0.5.11', '0.5.18'];
const isRequired = process.env['CI'] === 'true';

const rows =
  hasShared || isRequired
    ? (JSON.parse(sharedFile('truth/profile.json')) as readonly Row[]).filter(({ release }) =>
        releases.includes(release),
      )
    : [];

/** A release that is not in the cache is skipped, except in CI. */
const isHere = (release: string): boolean =>
  isRequired || existsSync(join(releasesFolder(), release));

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
const schemaFolder = join(import.meta.dirname, '../../media/schema');
for (const name of readdirSync(schemaFolder)) {
  ajv.addSchema(JSON.parse(readFileSync(join(schemaFolder, name), 'utf8')) as object);
}

/** Annotates as JSON, and holds the output to its schema. */
async function annotate(...args: string[]): Promise<Annotated> {
  const { code, stdout, stderr } = await kvlens('annotate', ...args, '--json');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const found: unknown = JSON.parse(stdout);
  const validate = ajv.getSchema('annotate.schema.json');
  void validate?.(found);
  expect(validate?.errors ?? []).toEqual([]);
  return found as Annotated;
}

const plain = ({ value, unit }: Amount): Amount => ({ value, unit });

const settings = (inputs: Row['inputs']): string[] =>
  Object.entries(inputs).flatMap(([id, value]) => ['--set', `${id}=${value}`]);

describe.skipIf(rows.length === 0)('the releases of issue 4', () => {
  test('are 17 rows of the truth', () => {
    expect(rows).toHaveLength(17);
  });

  test.for(rows.map(row => [row.release, row.scenario, row] as const))(
    '%s %s has the values, units, return and raised text of CPython',
    { timeout: 60_000 },
    async ([release, , row], { skip }) => {
      skip(!isHere(release), `release ${release} is not in the cache`);
      const found = await annotate(
        join(releasesFolder(), release, row.file),
        '--function',
        row.function,
        ...settings(row.inputs),
      );
      const [only, ...others] = found.functions;
      expect(others).toEqual([]);
      expect(only?.name).toBe(row.function);
      const locals = Object.entries(row.locals);
      for (const [name, amount] of locals) {
        const shown = only?.locals[name];
        expect({ name, ...(shown && plain(shown)) }).toEqual({ name, ...amount });
      }
      expect(locals.length).toBeGreaterThan(2);
      expect(only?.returns ? plain(only.returns) : null).toEqual(row.returns);
      expect(only?.raises ?? null).toBe(row.raises);
      for (const assumption of found.assumptions) {
        expect(assumption).toMatch(/^plain profile: [a-z]/);
      }
    },
  );
});

const runner = file(
  'runner.py',
  `import torch

def free_gib(device):
    left, _ = torch.cuda.mem_get_info(device)
    return left / (1 << 30)

class Runner:
    def tokens_of(self, whole):
        left = free_gib(self.device)
        row = self.model_config.head_dim * torch._utils._element_size(self.dtype)
        per_token = self.model_config.num_hidden_layers * row
        kept = whole * (1 - self.mem_fraction_static)
        budget = left - kept
        return int(budget * (1 << 30) // per_token)
`,
);

describe('a file of our own', () => {
  const given = ['--set', 'availableAfterLoad=21.697 GiB', '--set', 'totalBeforeLoad=93.999'];

  // python3: 21.697 - 93.999 * (1 - 0.55); int(that * 2**30 // 70272)
  test('has its values where inputs and an expression are set', async () => {
    const { functions } = await annotate(
      runner,
      ...given,
      ...['--set', 'memFractionStatic=0.55', '--set', 'per_token=70272'],
    );
    const one = functions.find(({ role }) => role === 'sizing');
    expect(one?.locals['budget']).toMatchObject({
      value: 21.697 - 93.999 * (1 - 0.55),
      unit: 'GiB',
    });
    expect(one?.returns).toMatchObject({ value: -314803, unit: 'token' });
  });

  test('divides by bytes per token that are set, as by those of a log', async () => {
    const settings = [...given, '--set', 'memFractionStatic=0.55'];
    const { functions } = await annotate(runner, ...settings, '--set', 'bytesPerToken=70272');
    const one = functions.find(({ role }) => role === 'sizing');
    expect(one?.returns).toMatchObject({ value: -314803, unit: 'token' });
    const refused = await kvlens('annotate', runner, '--set', 'bytesPerToken=-1');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/bytesPerToken=-1: needs bytes per token/);
  });

  test('says what is missing where one is not', async () => {
    const { functions } = await annotate(runner, ...given);
    const one = functions.find(({ role }) => role === 'sizing');
    expect(one?.missing).toContain('memFractionStatic');
    expect(one?.locals['budget']?.value).toBeUndefined();
    expect(one?.returns).toBeNull();
  });

  test('takes an amount in another unit, and an expression wins over what it is made of', async () => {
    const { functions } = await annotate(
      runner,
      ...['--set', 'availableAfterLoad=1024 MiB', '--set', 'totalBeforeLoad=2 GiB'],
      ...['--set', 'memFractionStatic=0.5', '--set', 'left - kept=3 GiB'],
    );
    const one = functions.find(({ role }) => role === 'sizing');
    expect(one?.locals['left']).toMatchObject({ value: 1, unit: 'GiB' });
    expect(one?.locals['budget']).toMatchObject({ value: 3, unit: 'GiB' });
  });

  test('takes an expression that is an input by another name for the input', async () => {
    const { functions } = await annotate(
      runner,
      ...given,
      ...['--set', 'self.mem_fraction_static=0.55', '--set', 'memFractionStatic=0.9'],
    );
    const one = functions.find(({ role }) => role === 'sizing');
    expect(one?.locals['budget']?.value).toBe(21.697 - 93.999 * (1 - 0.55));
  });

  test('is a table for people', async () => {
    const { code, stdout } = await kvlens(
      'annotate',
      runner,
      ...given,
      ...['--set', 'memFractionStatic=0.55'],
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/Runner\.tokens_of \(line 8, sizes the KV pool\)/);
    expect(stdout).toMatch(/^ +13 +budget +-20\.603 GiB$/m);
    expect(stdout).toMatch(/^ +12 +kept +42\.300 GiB$/m);
    expect(stdout).toMatch(/missing +.*num_layers/);
  });

  test('without memory arithmetic says so', async () => {
    const other = file('other.py', 'def add(a, b):\n    return a + b\n');
    const { code, stdout } = await kvlens('annotate', other);
    expect(code).toBe(0);
    expect(stdout.trim()).toBe('No memory arithmetic found.');
  });

  test.skipIf(!hasShared && !isRequired)('takes its values from a log', async () => {
    const log = sharedPath('logs/seed-failing.log');
    const { functions } = await annotate(runner, '--log', log);
    const one = functions.find(({ role }) => role === 'sizing');
    // The log itself prints rest=-20.603 GiB and max_tokens=-314811.
    const budget = one?.locals['budget'] as unknown as { lo: number; hi: number };
    expect(budget.lo).toBeGreaterThan(-20.6036);
    expect(budget.hi).toBeLessThan(-20.6024);
    const tokens = one?.returns as unknown as { lo: number; hi: number };
    expect(tokens.lo).toBeLessThanOrEqual(-314811);
    expect(tokens.hi).toBeGreaterThanOrEqual(-314811);
    const { stdout } = await kvlens('annotate', runner, '--log', log);
    expect(stdout).toMatch(/budget +-20\.603 GiB/);
  });
});

describe.runIf(isHere('0.5.18'))('a failing run of 0.5.18', () => {
  const source = join(releasesFolder(), '0.5.18/sglang/srt/mem_cache/kv_cache_configurator.py');
  const given = ['totalBeforeLoad=93.999', 'availableAfterLoad=21.697', 'memFractionStatic=0.55'];
  const settings = given.flatMap(one => ['--set', one]);

  test('fails with its figures filled in, and lists what its callers take for granted too', async () => {
    const { functions, assumptions } = await annotate(source, ...settings);
    const sizing = functions.find(({ role }) => role === 'sizing');
    // 1 - 21.697 / 93.999 = 0.76918, rounded up to thousandths, by python3.
    expect(sizing?.raises).toMatch(/above 0\.770 \(.* 0\.7692\)/);
    expect(assumptions.join('\n')).toContain('text only');
    expect(functions.flatMap(({ raises }) => raises ?? [])).not.toContain('AssertionError');
  });
});

describe('what cannot be used', () => {
  test.each([
    ['a missing file', ['annotate', 'none.py'], /none\.py: no such file/],
    ['a folder', ['annotate', '.'], /is a folder/],
    ['a setting without a value', ['annotate', runner, '--set', 'memFractionStatic'], /name=value/],
    ['an unknown name', ['annotate', runner, '--set', 'fraction=0.5'], /memFractionStatic/],
    [
      'a value of another unit',
      ['annotate', runner, '--set', 'totalBeforeLoad=5 token'],
      /needs a value in GiB/,
    ],
    [
      'a fraction that cannot be',
      ['annotate', runner, '--set', 'memFractionStatic=-1'],
      /memFractionStatic=-1: a fraction lies above 0 and is at most 1/,
    ],
    [
      'a negative amount',
      ['annotate', runner, '--set', 'totalBeforeLoad=-5'],
      /totalBeforeLoad=-5: cannot be negative/,
    ],
    [
      'what is no number',
      ['annotate', runner, '--set', 'memFractionStatic=nan'],
      /needs a number, or true/,
    ],
    ['an unknown function', ['annotate', runner, '--function', 'nothing'], /Runner\.tokens_of/],
    ['a missing log', ['annotate', runner, '--log', 'none.log'], /none\.log: no such file/],
  ])('%s', async (_, args, expected) => {
    const { code, stdout, stderr } = await kvlens(...args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(expected);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
