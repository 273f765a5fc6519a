import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLogText } from '../../../src/core/log/readLog';
import type { ServerArguments } from '../../../src/core/log/serverArguments';

function read(line: string): ServerArguments {
  const args = readLogText(line).records[0]?.serverArguments;
  if (args === undefined) {
    throw new Error('no arguments read');
  }
  return args;
}

function valuesOf(args: ServerArguments): Record<string, unknown> {
  return Object.fromEntries([...args.values].map(([key, { value }]) => [key, value]));
}

describe('printed launch arguments', () => {
  test('a dataclass is read by the whitelist with Python values', () => {
    const line =
      "[2026-01-02 03:04:05] server_args=ServerArgs(model_path='/m/a, b=(c', api_key='s3cret', mem_fraction_static=0.7714564062499999, max_total_tokens=None, tp_size=8, enable_dp_attention=False, c128_page_size=9, page_size=64, cuda_graph_bs=[1, 2, 4], mode=<Mode.NULL: 'null'>, log_requests=True, kv_cache_dtype=\"auto\")";
    const args = read(line);
    expect(valuesOf(args)).toEqual({
      model_path: '/m/a, b=(c',
      mem_fraction_static: 0.7714564062499999,
      max_total_tokens: null,
      tp_size: 8n,
      enable_dp_attention: false,
      page_size: 64n,
      cuda_graph_bs: '[1, 2, 4]',
      kv_cache_dtype: 'auto',
    });
    expect(args.isComplete).toBe(true);
    const fraction = args.values.get('mem_fraction_static');
    expect(line.slice(fraction?.start, fraction?.end)).toBe('0.7714564062499999');
  });

  test('a dictionary is read the same way, nested values stay text', () => {
    const args = read(
      "server_args={'model_path': '/m', 'admin_api_key': 'x', 'mem_fraction_static': 0.88, 'cuda_graph_config': {'decode': {'max_bs': 32, 'tp_size': 3}}, 'tp_size': 4, 'max_total_tokens': None}",
    );
    expect(valuesOf(args)).toEqual({
      model_path: '/m',
      mem_fraction_static: 0.88,
      cuda_graph_config: "{'decode': {'max_bs': 32, 'tp_size': 3}}",
      tp_size: 4n,
      max_total_tokens: null,
    });
    expect(args.isComplete).toBe(true);
  });

  test('groups of attention that have their own argument are those of every release', () => {
    const groups = 'server_args={"tp_size": 8, "dp_size": 1, "attn_dp_size": 4}';
    expect(valuesOf(read(groups))).toMatchObject({ dp_size: 4n, enable_dp_attention: true });
    const replicas = 'server_args={"tp_size": 8, "dp_size": 2, "attn_dp_size": 1}';
    expect(valuesOf(read(replicas))).toMatchObject({ dp_size: 2n, attn_dp_size: 1n });
    expect(valuesOf(read(replicas))).not.toHaveProperty('enable_dp_attention');
  });

  test('a cut dump is incomplete, and the value at the cut is not a value', () => {
    const whole = 'server_args=ServerArgs(tp_size=16, mem_fraction_static=0.875, dp_size=2)';
    const at = whole.indexOf('0.875') + 3;
    const args = read(whole.slice(0, at));
    expect(valuesOf(args)).toEqual({ tp_size: 16n });
    expect(args.isComplete).toBe(false);
  });

  test('elided fields are passed over', () => {
    expect(
      valuesOf(read('server_args=ServerArgs(tp_size=2, ..., dp_size=1, ..., page_size=1)')),
    ).toEqual({ tp_size: 2n, dp_size: 1n, page_size: 1n });
  });

  test('no key outside the whitelist is ever kept, and nothing throws', () => {
    const key = fc.stringMatching(/^[a-z_]{1,12}$/);
    const value = fc.oneof(
      fc.string().map(text => `'${text}'`),
      fc.constantFrom(
        'None',
        'True',
        '0.5',
        '-3',
        '[1, (2, 3)]',
        "{'a': 'b'}",
        '<x>',
        "'",
        '"',
        '(',
        ']',
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(key, value)), pairs => {
        const body = pairs.map(([name, text]) => `secret_${name}=${text}`).join(', ');
        const line = `server_args=ServerArgs(${body})`.replaceAll(/[\r\n]/g, ' ');
        const keys = [...read(line).values.keys()];
        expect(keys.filter(name => name.startsWith('secret_'))).toEqual([]);
      }),
    );
  });
});
