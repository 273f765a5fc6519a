/** What the commands really print for the logs of the collection keeps to the schemas. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const logFolder = path.join(root, '../shared/logs');
const logs = existsSync(logFolder)
  ? readdirSync(logFolder).filter(name => name.endsWith('.log'))
  : [];
const isCollectionMissing = logs.length === 0 && process.env['CI'] !== 'true';

const schemaFolder = path.join(root, 'media/schema');
const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
for (const file of readdirSync(schemaFolder)) {
  ajv.addSchema(JSON.parse(readFileSync(path.join(schemaFolder, file), 'utf8')) as object);
}

const folder = mkdtempSync(path.join(tmpdir(), 'kvlens-'));
const bundle = path.join(folder, 'cli.cjs');
const source = path.join(folder, 'runner.py');

const sizingFunction = `
import torch

def free_memory():
    free, _ = torch.cuda.mem_get_info()
    return free / (1 << 30)

class Runner:
    def size(self, total_gpu_memory):
        available = free_memory()
        rest = available - total_gpu_memory * (1 - self.mem_fraction_static)
        if rest <= 0:
            raise ValueError(f"nothing left: {rest}")
        return int(rest * (1 << 30)) // self.bytes_per_token
`;

const config = path.join(folder, 'config.json');

const groupedQueryModel = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 4096,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  num_hidden_layers: 32,
  max_position_embeddings: 8192,
  torch_dtype: 'bfloat16',
};

const wasmFiles = [
  'node_modules/web-tree-sitter/web-tree-sitter.wasm',
  'node_modules/tree-sitter-python/tree-sitter-python.wasm',
];

beforeAll(async () => {
  writeFileSync(source, sizingFunction);
  writeFileSync(config, JSON.stringify(groupedQueryModel));
  for (const file of wasmFiles) {
    copyFileSync(path.join(root, file), path.join(folder, path.basename(file)));
  }
  await build({
    entryPoints: [path.join(root, 'src/cli/main.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
    alias: {
      'web-tree-sitter': path.join(root, 'node_modules/web-tree-sitter/web-tree-sitter.cjs'),
    },
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bundle, ...args], {
    cwd: existsSync(logFolder) ? logFolder : root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr };
}

/** The breaches of the command's schema in what it prints, with their places. */
function breaches(command: string, ...args: string[]): string[] {
  const { stdout, stderr } = run(command, ...args, '--json');
  const validate = ajv.getSchema(`${command}.schema.json`);
  if (stdout === '' || validate === undefined) {
    return [stderr];
  }
  if (validate(JSON.parse(stdout)) === true) {
    return [];
  }
  return (validate.errors ?? []).map(
    ({ instancePath, message = '', params }) =>
      `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

describe.skipIf(isCollectionMissing)('the JSON of', () => {
  test('explain and check for every log keeps to its schema', () => {
    expect(logs.length).toBeGreaterThan(40);
    expect(breaches('explain', ...logs)).toEqual([]);
    expect(breaches('check', ...logs)).toEqual([]);
  });

  test('explain with a config keeps to its schema, whatever the model of the log', () => {
    const asked = ['--config', config, '--card', '97887 MiB'];
    expect(breaches('explain', ...logs, ...asked)).toEqual([]);
    expect(
      breaches('compare', 'seed-baseline.log', 'seed-failing.log', '--config', config),
    ).toEqual([]);
  });

  test('compare keeps to its schema', () => {
    expect(breaches('compare', 'seed-baseline.log', 'seed-failing.log')).toEqual([]);
    expect(breaches('compare', 'seed-restart.log#1', 'seed-restart.log#2')).toEqual([]);
  });

  test('solve keeps to its schema', () => {
    const asked = ['--for', 'maxTotalTokens', '--set', 'memFractionEffective=0.88'];
    expect(breaches('solve', 'seed-failing.log', ...asked)).toEqual([]);
  });

  test('forms keeps to its schema', () => {
    expect(breaches('forms')).toEqual([]);
  });

  test('a command that cannot read its input is one line on stderr and exit code 2', () => {
    for (const args of [['missing.log'], ['.'], ['../style.md']]) {
      const { status, stdout, stderr } = run('explain', ...args, '--json');
      expect(stdout).toBe('');
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(status).toBe(2);
    }
  });
});

test('the JSON of annotate keeps to its schema', () => {
  expect(breaches('annotate', source)).toEqual([]);
  expect(breaches('annotate', source, '--set', 'memFractionStatic=0.88')).toEqual([]);
});

test('the JSON of plan keeps to its schema', () => {
  const card = ['--gpu-free', '94 GiB', '--weights', '15 GiB', '--tp', '1'];
  expect(breaches('plan', '--config', config, ...card)).toEqual([]);
});

test('every command of the program has a schema for its JSON', () => {
  const names = [...run('--help').stdout.matchAll(/^ {2}(\w+) .*\[options\]/gm)].map(
    ([, name]) => `${name}.schema.json`,
  );
  expect(names.length).toBeGreaterThan(4);
  expect(readdirSync(schemaFolder)).toEqual(expect.arrayContaining(names));
});
