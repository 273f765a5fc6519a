/** The row of the fraction in force in the table of fractions, and assumptions in words. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { runReport } from '../../../src/core/report/runReport';
import { defaultFormat } from '../../../src/core/units/format';
import { reportMarkdown } from '../../../src/wording/reportText';

const served = [
  "[2026-03-01 10:00:00] server_args=ServerArgs(model_path='/m/own', tp_size=1, mem_fraction_static=0.85, max_total_tokens=None, page_size=1)",
  '[2026-03-01 10:00:06] Load weight begin. avail mem=78.48 GB',
  '[2026-03-01 10:00:16] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.34 GB, mem usage=15.14 GB.',
  '[2026-03-01 10:00:16] KV Cache is allocated. #tokens: 422444, K size: 25.78 GB, V size: 25.78 GB',
  '[2026-03-01 10:00:26] max_total_num_tokens=422444, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072, available_gpu_mem=9.50 GB',
];

/** rest = 21.697 - 93.999 * 0.45, by the line itself with more digits than its inputs. */
const failed = [
  'DEBUG profile_max_num_token: avail=21.697 GiB, total=93.999 GiB, fraction=0.55, reserved=42.300 GiB, rest=-20.603 GiB, cell_size=70272, max_tokens=-314811',
];

const markdownOf = (lines: readonly string[]): string => {
  const [account] = accountOfLog(readLogText(`${lines.join('\n')}\n`));
  return account === undefined
    ? ''
    : reportMarkdown(runReport(account), {
        format: defaultFormat,
        target: 'markdown',
        length: 'full',
        translate: (text, values) =>
          text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
      });
};

test('the row in force has what the run printed', () => {
  expect(markdownOf(served)).toMatch(/0\.85 \(in effect\).*51\.56 GiB.*422,444 tokens.*9\.50 GiB/);
  const failing = markdownOf(failed);
  expect(failing).toMatch(/0\.55 \(in effect\).*-20\.603 GiB.*-314,811 tokens/);
  expect(failing).not.toContain('-314,803');
});

test('assumptions are sentences, not ids', () => {
  const text = markdownOf(served);
  expect(text).toContain('A is what “Load weight end” prints.');
  expect(text).not.toMatch(/P = begin|A = end|allocated = budgeted/);
});

test('assumptions of values that are not shown are not told', () => {
  const text = markdownOf(['[2025-03-06 06:14:53 TP0] Load weight begin. avail mem=21.63 GB']);
  expect(text).not.toContain('What this rests on');
});

test('a bound stands with its own sign, not with two', () => {
  // Another rank may have less: python3: 1 - 21.735 / 188.325 = 0.8846
  const text = markdownOf([
    '[2025-05-29 19:52:58 DP0 TP0] Load weight end. type=DeepseekV3ForCausalLM, dtype=torch.bfloat16, avail mem=21.73 GB, mem usage=166.59 GB.',
    '[2025-05-29 19:52:59 DP0 TP0] max_total_tokens=131072 is larger than the profiled value -561981. Use the profiled value instead.',
    '[2025-05-29 19:52:59 DP7 TP7] max_total_tokens=131072 is larger than the profiled value -561981. Use the profiled value instead.',
  ]);
  expect(text).toContain('≥ 0.8846');
  expect(text).not.toMatch(/= [≥≤≈]/);
});
