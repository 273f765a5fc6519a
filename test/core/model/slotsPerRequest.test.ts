/** Slots of state that a request takes where nobody says how they are kept: the class decides. */
import { expect, test } from 'vitest';
import { exactRelease } from '../../../src/core/sglang/layout/eraTable';
import type { SlotStrategy } from '../../../src/core/sglang/layout/slotsPerRequest';
import {
  areSlotsOpen,
  slotDecider,
  slotsPerRequest,
} from '../../../src/core/sglang/layout/slotsPerRequest';

const slots = (release: string, architecture: string, more: Partial<SlotStrategy> = {}): number =>
  slotsPerRequest(exactRelease(release), {
    disableRadixCache: false,
    isSpeculative: false,
    disableOverlap: false,
    architecture,
    ...more,
  });

// The lists and the rule of `auto` as 0.5.13, 0.5.14, 0.5.16 and 0.5.19 have them.
test.each([
  ['0.5.13', 'Qwen3NextForCausalLM', 3],
  ['0.5.14', 'Qwen3NextForCausalLM', 5],
  ['0.5.23', 'Qwen3NextForCausalLM', 5],
  ['0.5.15', 'KimiLinearForCausalLM', 3],
  ['0.5.16', 'KimiLinearForCausalLM', 5],
  ['0.5.18', 'Lfm2ForCausalLM', 3],
] as const)('in %s a request of %s takes %d', (release, architecture, expected) => {
  expect(slots(release, architecture)).toBe(expected);
  expect(slots(release, architecture, { strategy: 'auto' })).toBe(expected);
});

test('a class that no release names leaves them open, unless a flag says it', () => {
  const open = (release: string, architecture: string, more: Partial<SlotStrategy> = {}): boolean =>
    areSlotsOpen(exactRelease(release), {
      disableRadixCache: false,
      isSpeculative: false,
      disableOverlap: false,
      architecture,
      ...more,
    });
  expect(open('0.5.18', 'OwnHybridForCausalLM')).toBe(true);
  expect(open('0.5.13', 'OwnHybridForCausalLM')).toBe(false);
  expect(open('0.5.18', 'Lfm2ForCausalLM')).toBe(false);
  expect(open('0.5.18', 'Qwen3NextForCausalLM')).toBe(false);
  expect(open('0.5.18', 'OwnHybridForCausalLM', { strategy: 'no_buffer' })).toBe(false);
  expect(open('0.5.18', 'OwnHybridForCausalLM', { disableRadixCache: true })).toBe(false);
  expect(open('0.5.18', 'OwnHybridForCausalLM', { disableOverlap: true })).toBe(false);
});

test('without overlap and with pages of one token there is no buffer', () => {
  expect(slots('0.5.18', 'Qwen3NextForCausalLM', { disableOverlap: true })).toBe(3);
  expect(slots('0.5.18', 'Qwen3NextForCausalLM', { disableOverlap: true, page: 64 })).toBe(4);
});

test('what a flag says holds for every class', () => {
  expect(slots('0.5.18', 'Qwen3NextForCausalLM', { strategy: 'no_buffer' })).toBe(3);
  expect(slots('0.5.18', 'Lfm2ForCausalLM', { strategy: 'extra_buffer' })).toBe(5);
  expect(slots('0.5.18', 'Qwen3NextForCausalLM', { disableRadixCache: true })).toBe(1);
});

test.each([
  ['0.5.18', {}, 'class'],
  ['0.5.13', {}, 'cache'],
  ['0.5.18', { disableRadixCache: true }, 'cache'],
  ['0.5.18', { strategy: 'no_buffer' }, 'strategy'],
  ['0.5.18', { disableOverlap: true }, 'overlap'],
  ['0.5.18', { disableOverlap: true, page: 64 }, 'class'],
] as const)('in %s with %o the %s decides', (release, flags, decider) => {
  const plain = { disableRadixCache: false, isSpeculative: false, disableOverlap: false };
  expect(slotDecider(exactRelease(release), { ...plain, ...flags })).toBe(decider);
});
