/** The file that translators start from has every text of the product. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textsFile, translatableTexts } from '../../scripts/texts.mjs';

test('the file of texts is what the tables of src/wording make (node scripts/texts.mjs)', async () => {
  const texts = await translatableTexts();
  expect(readFileSync(textsFile, 'utf8')).toBe(texts);
  expect(Object.keys(JSON.parse(texts) as object).length).toBeGreaterThan(300);
});
