/** What a page says of ranks whose last digits differ. */
import { describe, expect, test } from 'vitest';
import { modelOfText, sampleText } from '../../ui/pageModels';

const baseline = sampleText('seed-baseline.log');

function saidOf(text: string): string | undefined {
  return modelOfText(text).run?.ranksAlike;
}

describe('Ranks of a page', () => {
  test('that differ by a hundredth are said to differ by nothing that matters', () => {
    expect(saidOf(baseline)).toBe(
      'What is left differs by ≈ 0.01 GiB (±0.01) between ranks: too little to matter.',
    );
  });

  test('that end alike are not spoken of', () => {
    expect(saidOf(sampleText('seed-failing.log'))).toBeUndefined();
  });

  test('of which one ends with much less are not called alike', () => {
    const less = baseline.replace(
      /^(\[.* TP3\] Capture cuda graph end.*avail mem=)7\.84/m,
      '$17.34',
    );
    expect(less).not.toBe(baseline);
    expect(saidOf(less)).toBeUndefined();
  });
});
