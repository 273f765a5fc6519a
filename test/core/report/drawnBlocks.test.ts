/** The sizes of blocks that a page draws, where the log only bounds a part. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { modelOfText, sampleText } from '../../ui/pageModels';

describe('The blocks of a rank', () => {
  test('add up to what was free where replicas leave the request table between bounds', () => {
    // Eight replicas of eight ranks: whether each has a table of 2 GiB or of an eighth is not printed.
    const text = sampleText('seed-baseline.log').replaceAll(
      /^(\[[^\]]* )(TP\d\].*)$/gm,
      (_, before: string, after: string) =>
        Array.from({ length: 8 }, (_each, at) => `${before}DP${at} ${after}`).join('\n'),
    );
    const [rank] = modelOfText(text).run?.ranks ?? [];
    const blocks = rank?.blocks ?? [];
    const bounded = blocks.find(({ id }) => id === 'requestToTokenPool');
    expect(bounded?.text).toMatch(/…/);
    expect(blocks.filter(({ size }) => size < -0.1)).toEqual([]);
    const sizeOf = (id: string): number => blocks.find(block => block.id === id)?.size ?? NaN;
    const sum = blocks.reduce((total, { id, size }) => total + (id === 'start' ? 0 : size), 0);
    expect(Math.abs(sizeOf('start') - sum)).toBeLessThan(0.05);
    expect(sizeOf('start')).toBe(94);
  });

  test('have a colour, whichever part it is', () => {
    const css = readFileSync('src/webview/style/memory.css', 'utf8');
    expect(css).toMatch(/^\[class\^='block-'\] \{\n {2}fill:/m);
  });
});
