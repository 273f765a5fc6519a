/** A number that was cut is no number: terminals, tools and people cut lines at any column. */
import { describe, expect, test } from 'vitest';
import { readLog, readLogText } from '../../../src/core/log/readLog';
import type { LogRecord } from '../../../src/core/log/record';
import { sourceOf } from './memorySource';

const args =
  "server_args=ServerArgs(model_path='org/model', mem_fraction_static=0.876, max_total_tokens=None, tp_size=2, context_length=131072, page_size=64, cuda_graph_bs=[1, 2, 4, 8])";

/** A start and some serving as releases from 0.5.9 to 0.5.12 print them; numbers with many digits. */
const log: readonly string[] = [
  `[2026-03-01 08:00:00] ${args}`,
  '[2026-03-01 08:00:01 TP0] Init torch distributed begin.',
  '[2026-03-01 08:00:05 TP0] Init torch distributed ends. elapsed=4.01 s, mem usage=1.23 GB',
  '[2026-03-01 08:00:06 TP0] Load weight begin. avail mem=138.91 GB',
  '[2026-03-01 08:02:06 TP0] Load weight end. elapsed=120.31 s, type=BigForCausalLM, dtype=torch.bfloat16, avail mem=101.37 GB, mem usage=37.54 GB.',
  '[2026-03-01 08:02:07 TP0] KV Cache is allocated. #tokens: 1234567, K size: 41.21 GB, V size: 41.21 GB',
  '[2026-03-01 08:02:07 TP0] Memory pool end. avail mem=18.77 GB',
  '[2026-03-01 08:02:08 TP0] Capture cuda graph begin. This can take up to several minutes. avail mem=18.22 GB',
  '[2026-03-01 08:02:28 TP0] Capture cuda graph end. Time elapsed: 20.31 s. mem usage=1.37 GB. avail mem=16.85 GB.',
  '[2026-03-01 08:02:29 TP0] max_total_num_tokens=1234567, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072, available_gpu_mem=16.81 GB',
  '[2026-03-01 08:03:00 TP0] Prefill batch, #new-seq: 12, #new-token: 8190, #cached-token: 1234, token usage: 0.37, #running-req: 31, #queue-req: 127, ',
  '[2026-03-01 08:03:01 TP0] Decode batch, #running-req: 43, #token: 456789, token usage: 0.37, cuda graph: True, gen throughput (token/s): 2317.42, #queue-req: 127, ',
  '[2026-03-01 08:03:02 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 17, #new_tokens_gained: 4711, #new_token_ratio: 0.3119 -> 0.5217',
];

/** Every number that is read, by form, field, line and column. */
function numbersOf(text: string): ReadonlyMap<string, string> {
  return numbersIn(readLogText(text).records);
}

function numbersIn(records: readonly LogRecord[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { form, fields } of records) {
    for (const [name, field] of Object.entries(fields)) {
      if (field !== undefined) {
        found.set(`${form.id}.${name} ${field.line}:${field.start}`, field.text);
      }
    }
  }
  return found;
}

function argumentsOf(text: string): ReadonlyMap<string, string> {
  const values = readLogText(text).runs[0]?.serverArguments?.values ?? new Map<string, never>();
  return new Map([...values].map(([name, { text: printed }]) => [name, printed]));
}

function expectTrue(cut: string, whole: string): void {
  const truth = numbersOf(whole);
  for (const [place, printed] of numbersOf(cut)) {
    expect(printed, `${place} in: ${cut.slice(-120)}`).toBe(truth.get(place));
  }
  const all = argumentsOf(whole);
  for (const [name, printed] of argumentsOf(cut)) {
    expect(printed, name).toBe(all.get(name));
  }
}

describe('a number that may have been cut', () => {
  test('is not read where every line was cut at the width of a terminal', () => {
    const whole = `${log.join('\n')}\n`;
    expect(numbersOf(whole).size).toBe(35);
    for (let width = 60; width <= 200; width += 1) {
      expectTrue(`${log.map(line => line.slice(0, width)).join('\n')}\n`, whole);
    }
  });

  test('is not read at the end of a file that may still grow', async () => {
    for (const line of log) {
      for (let at = 1; at < line.length; at += 1) {
        const { records } = await readLog(sourceOf(line.slice(0, at)));
        const truth = numbersOf(line);
        for (const [place, printed] of numbersIn(records)) {
          expect(printed, `${place} in: ${line.slice(0, at)}`).toBe(truth.get(place));
        }
      }
    }
  });

  test('is not read where another line of the rank prints it with more digits', () => {
    const tokens = (line: string): string[] =>
      readLogText(
        `${line}\n[2026-03-01 08:00:09 DP0 TP0] DSV4 pool sizes: full=761344, swa=76032, c4=190336, c128=5948, c4_state=4752, c128_state=0\n`,
      )
        .records.filter(({ form }) => form.id === 'dsv4-budget')
        .map(({ fields }) => fields['tokens']?.text ?? 'none');
    const budget =
      '[2026-03-01 08:00:08 DP0 TP0] DSV4 memory calculation: bytes_per_full_token=7705.45, available_bytes=5.50 GB, full_token=';
    expect(tokens(`${budget}7613`)).toEqual(['none']);
    expect(tokens(`${budget}7618`)).toEqual(['7618']);
    expect(tokens(`${budget}761344`)).toEqual(['761344']);
    expect(tokens(`${budget}7613`.replace('DP0 TP0', 'DP1 TP1'))).toEqual(['7613']);
  });

  test('is not read from one cut line among whole ones of its release', () => {
    const whole = `${log.join('\n')}\n`;
    for (const [index, line] of log.entries()) {
      for (let at = 30; at < line.length; at += 1) {
        const cut = log.map((each, place) => (place === index ? line.slice(0, at) : each));
        // People quote a capacity alone, and whole lines end in the queue: nothing shows the cut.
        if (!/(?:max_total_num_tokens=|#queue-req: )\d+$/.test(cut[index] ?? '')) {
          expectTrue(`${cut.join('\n')}\n`, whole);
        }
      }
    }
  }, 30_000);

  test('is not read where a wrapped line goes on after it', () => {
    const parts = [
      '[2026-03-01 08:03:01 TP0] Decode batch. #running-req: 43, #token: 4567',
      '   token usage: 0.37, cuda graph: True, gen throughput (token/s): 2317.42, #queue-req: 127, ',
    ];
    const numbers = numbersOf(`${parts.join('\n')}\n`);
    expect([...numbers.values()]).not.toContain('4567');
  });

  test('keeps the numbers of a line that was cut behind them', () => {
    const cut = log.map(line => line.slice(0, 150)).join('\n');
    const numbers = new Map(
      [...numbersOf(`${cut}\n`)].map(([place, text]) => [place.split(' ')[0], text]),
    );
    expect(numbers.get('summary.tokens')).toBe('1234567');
    expect(numbers.get('summary.running')).toBe('2048');
    expect(numbers.has('summary.available')).toBe(false);
  });
});
