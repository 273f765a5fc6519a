import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLog, readLogText } from '../../../src/core/log/readLog';
import type { LogReading } from '../../../src/core/log/run';
import { sourceOf } from './memorySource';

/** An answer as releases from 0.5.2 to 0.5.16 give it. */
function answer(state: object, extra: object = {}): object {
  return {
    model_path: 'org/model-7b',
    api_key: 'sk-secret',
    mem_fraction_static: 0.88,
    tp_size: 2,
    pp_size: 1,
    dp_size: 1,
    context_length: null,
    kv_cache_dtype: 'auto',
    cuda_graph_bs: [1, 2, 4],
    max_total_num_tokens: 163840,
    max_req_input_len: 32762,
    internal_states: [
      {
        api_key: 'sk-secret',
        mem_fraction_static: 0.88,
        last_gen_throughput: 12.5,
        memory_usage: { weight: 14.2, kvcache: 20, token_capacity: 163840, graph: 1.37 },
        effective_max_running_requests_per_dp: 2048,
        ...state,
      },
    ],
    version: '0.5.9',
    ...extra,
  };
}

function valuesOf(reading: LogReading): Readonly<Record<string, readonly unknown[]>> {
  const [account] = accountOfLog(reading);
  return Object.fromEntries(
    [...(account?.quantities ?? [])].map(([id, { unit, interval, provenance }]) => [
      id,
      [
        interval.lo,
        interval.hi,
        unit.name,
        provenance.map(source => (source.kind === 'printed' ? source.line : source.kind)),
      ],
    ]),
  );
}

describe('a saved answer of /server_info', () => {
  test('is a run that serves, of its release, with its arguments and figures', () => {
    const reading = readLogText(JSON.stringify(answer({})));
    expect(reading.runs).toHaveLength(1);
    const [run] = reading.runs;
    expect(run?.outcome).toBe('ready');
    expect(run?.release).toEqual({ kind: 'range', from: '0.5.9', to: '0.5.9' });
    expect(run?.serverArguments?.values.get('mem_fraction_static')?.value).toBe(0.88);
    expect(run?.serverArguments?.values.get('tp_size')?.value).toBe(2n);
    expect(run?.serverArguments?.values.get('context_length')?.value).toBeNull();
    const values = valuesOf(reading);
    // Rounded to two decimals before it was printed: 20 is 20.00.
    expect(values['kvPool']).toEqual([19.995, 20.005, 'GiB', [1]]);
    expect(values['weights']?.slice(0, 2)).toEqual([14.195, 14.205]);
    expect(values['graphMemory']?.slice(0, 2)).toEqual([1.365, 1.375]);
    expect(values['maxTotalTokens']).toEqual([163840, 163840, 'token', [1]]);
    expect(values['maxRunningRequests']?.slice(0, 2)).toEqual([2048, 2048]);
    for (const unknown of ['totalBeforeLoad', 'availableAfterLoad', 'finalAvailable']) {
      expect(values[unknown]).toBeUndefined();
    }
  });

  test('keeps no secret', () => {
    const reading = readLogText(JSON.stringify(answer({})));
    const kept = JSON.stringify(reading.records, (_key, value: unknown) =>
      value instanceof Map ? [...value] : typeof value === 'bigint' ? String(value) : value,
    );
    expect(kept).toContain('0.88');
    expect(kept).not.toContain('sk-secret');
  });

  test('says where its numbers stand, also on lines of their own and in UTF-16', async () => {
    const text = JSON.stringify(answer({}, { model_path: 'örg/mödel' }), undefined, 2);
    const place = (reading: LogReading): unknown => {
      const record = reading.records.find(({ form }) => form.id === 'kv-allocated');
      const field = record?.fields['kv'];
      return field && [field.line, field.start, field.end, record.line];
    };
    const lines = text.split('\n');
    const line = lines.findIndex(each => each.includes('"kvcache": 20'));
    const start = (lines[line] ?? '').indexOf('20');
    const first = lines.findIndex(each => each.includes('"memory_usage"'));
    expect(place(readLogText(text))).toEqual([line + 1, start, start + 2, first + 1]);
    const marked = `\ufeff${text}`;
    const units = Uint8Array.from({ length: marked.length * 2 }, (_, index) =>
      index % 2 === 0 ? marked.charCodeAt(index / 2) & 0xff : marked.charCodeAt(index >> 1) >> 8,
    );
    const wide = await readLog(sourceOf(units), undefined, { pieceBytes: 7 });
    expect(place(wide)).toEqual([line + 1, start, start + 2, first + 1]);
    const offset = 2 + 2 * lines.slice(0, first).join('\n').length + 2;
    expect(wide.records.find(({ form }) => form.id === 'kv-allocated')?.byteOffset).toBe(offset);
  });

  test('has three decimals and graphs by stage since 0.5.17', () => {
    const usage = {
      weight: 14.2,
      kvcache: 20.125,
      startup_available: 3.5,
      token_capacity: 163840,
      token_capacity_swa: null,
      graph: {
        prefill: 0.25,
        decode: 1.5,
        target_verify: 0,
        draft_prefill: 0,
        draft_decode: 0.125,
      },
    };
    const reading = readLogText(JSON.stringify(answer({ memory_usage: usage }, { version: 'x' })));
    const values = valuesOf(reading);
    expect(values['kvPool']?.slice(0, 2)).toEqual([20.1245, 20.1255]);
    expect(values['finalAvailable']?.slice(0, 2)).toEqual([3.4995, 3.5005]);
    expect(reading.runs[0]?.release.kind).toBe('unknown');
    const graphs = reading.records.filter(({ form }) => form.id === 'graph-end');
    expect(graphs.map(({ words, fields }) => [words['kind'], fields['usage']?.value])).toEqual([
      ['target prefill', 0.25],
      ['target decode', 1.5],
      ['draft decode', 0.125],
    ]);
  });

  test('says nothing of a pool that does not count itself or counts a window pool in', () => {
    for (const usage of [
      { weight: 14.2, kvcache: 0, token_capacity: 163840, graph: 0 },
      { weight: 14.2, kvcache: 20, token_capacity: 163840, token_capacity_swa: 4096, graph: {} },
    ]) {
      const values = valuesOf(readLogText(JSON.stringify(answer({ memory_usage: usage }))));
      expect(values['kvPool']).toBeUndefined();
      expect(values['bytesPerToken']).toBeUndefined();
      expect(values['graphMemory']).toBeUndefined();
      expect(values['maxTotalTokens']?.[0]).toBe(163840);
    }
  });

  test('of several data-parallel ranks has a rank for each', () => {
    const { internal_states: states } = answer({}) as { internal_states: readonly object[] };
    const reading = readLogText(
      JSON.stringify(answer({}, { dp_size: 2, internal_states: [...states, ...states] })),
    );
    expect(reading.runs[0]?.ranks.map(({ rank }) => rank)).toEqual(['DP0', 'DP1']);
  });

  test('without states gives the capacity alone, as before 0.4.9', () => {
    const old = {
      mem_fraction_static: 0.88,
      tp_size: 1,
      max_total_num_tokens: 5000,
      version: '0.4.3',
    };
    const reading = readLogText(JSON.stringify(old));
    expect(valuesOf(reading)['maxTotalTokens']?.slice(0, 2)).toEqual([5000, 5000]);
    expect(reading.runs[0]?.release).toEqual({ kind: 'range', from: '0.4.3', to: '0.4.3' });
  });

  test('is nothing when it is cut, or another kind of object', () => {
    const text = JSON.stringify(answer({}));
    for (let end = 0; end < text.length; end += 7) {
      expect(readLogText(text.slice(0, end)).runs).toEqual([]);
    }
    expect(readLogText('{"hidden_size": 4096, "mem_fraction_static": 0.9}').runs).toEqual([]);
    expect(readLogText('{"level": "info", "message": "hello"}').runs).toEqual([]);
  });
});
