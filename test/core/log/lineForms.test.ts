import { describe, expect, test } from 'vitest';
import { JoinedText } from '../../../src/core/log/joinedText';
import { matchForm } from '../../../src/core/log/formMatcher';
import type { LineForm } from '../../../src/core/sglang/form/lineForm';
import { findLineForm, lineForms } from '../../../src/core/sglang/form/lineForms';
import { compareReleases } from '../../../src/core/sglang/release';
import { Unit } from '../../../src/core/units/unit';

const cases = lineForms.map(form => [form.id, form] as const);

/** Names of the groups in a regular expression. */
function groupsOf(form: LineForm): ReadonlySet<string> {
  return new Set([...form.pattern.source.matchAll(/\(\?<(\w+)>/g)].map(match => match[1] ?? ''));
}

test('ids are unique and found', () => {
  expect(new Set(lineForms.map(form => form.id)).size).toBe(lineForms.length);
  expect(findLineForm('pool-end')?.phase).toBe('pools');
  expect(findLineForm('nothing')).toBeUndefined();
});

describe.each(cases)('the form %s', (_id, form) => {
  test('has anchors that a scanner can use', () => {
    for (const anchor of form.anchors) {
      expect(anchor).toMatch(/^[\x20-\x7e]{9,}$/);
    }
    expect(form.anchors.length).toBeGreaterThan(0);
  });

  test('has a group for every field, and names only groups it has', () => {
    const groups = groupsOf(form);
    for (const [name, field] of Object.entries(form.fields)) {
      for (const group of field.groups ?? [name]) {
        expect(groups).toContain(group);
      }
    }
    for (const spelling of form.spellings) {
      for (const group of [...(spelling.has ?? []), ...(spelling.lacks ?? [])]) {
        expect(groups).toContain(group);
      }
    }
    for (const name of [...(form.ends ?? []), ...(form.closes ?? [])]) {
      expect(Object.keys(form.fields)).toContain(name);
    }
  });

  test('has units that exist and releases in order', () => {
    for (const field of Object.values(form.fields)) {
      if (field.unit !== 'text' && field.unit !== 'printed') {
        expect(Unit.parse(field.unit), field.unit).toBeDefined();
      }
    }
    for (const { from, to } of form.spellings.flatMap(spelling => spelling.releases)) {
      expect(from).toMatch(/^0\.\d+\.\d+(?:rc\d+|\.post\d+)?$/);
      expect(to === undefined || compareReleases(from, to) <= 0).toBe(true);
    }
  });

  test('takes time in proportion to the text', () => {
    const anchor = form.anchors[0] ?? '';
    for (const filler of ['a', 'a ', '1', ' ', ', x=1', ': 1', anchor]) {
      const text = filler.repeat(Math.ceil(100_000 / filler.length));
      const line = { text: text + anchor + text, line: 1, byteOffset: 0, isTerminated: true };
      const joined = JoinedText.from(line);
      const before = process.cpuUsage();
      matchForm(form, joined, true);
      const { user } = process.cpuUsage(before);
      expect(user, `${filler.slice(0, 20)}: ${user} us`).toBeLessThan(400_000);
    }
  });
});

test('lines that only look like a form are not one', () => {
  const strangers = [
    'self.max_total_num_tokens=5 was set',
    'KV cache is allocated lazily in this engine',
    'the weight begins to load',
    'Load weight end. Committed real weights after CUDA graph capture in 1.00 s (capture overlap window 1.00 s, startup overlap total 1.00 s)',
    'Decode batch size 4, latency 3 ms',
  ];
  for (const text of strangers) {
    const joined = JoinedText.from({ text, line: 1, byteOffset: 0, isTerminated: true });
    for (const id of ['summary', 'kv-allocated', 'load-begin', 'load-end', 'decode-batch']) {
      const form = findLineForm(id);
      expect(form === undefined ? [1] : matchForm(form, joined, true), `${id}: ${text}`).toEqual(
        [],
      );
    }
  }
});
