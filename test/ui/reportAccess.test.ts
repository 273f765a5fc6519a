/** Who can use the report page: axe, keys, readers of screens, forced colours, less motion. */
import assert from 'node:assert/strict';
import axe from 'axe-core';
import { comparisonOf, modelOfText, sampleText, servingText } from './pageModels';
import { pageThemes, type PageThemeName } from './pageThemes';
import { closeReports, withReport } from './reportPage';

const failing = sampleText('seed-failing.log');

after(() => closeReports());

describe('Everybody can use the report page', () => {
  const models = {
    'a failure': modelOfText(failing),
    'a server that serves': modelOfText(servingText()),
    'a comparison': comparisonOf('seed-baseline.log', 'seed-failing.log'),
    'a server with replicas': modelOfText(
      sampleText('seed-baseline.log')
        .replaceAll(/ TP(\d)\]/g, ' DP$1 TP0]')
        .replaceAll('tp_size=8', 'tp_size=1, dp_size=8'),
    ),
    'the beginning of a log': {
      ...modelOfText(servingText()),
      isPartial: true,
      notice: 'This is what the beginning tells.',
    },
    'a log that tells nothing': modelOfText(failing.split('\n').slice(0, 3).join('\n')),
  };

  for (const theme of Object.keys(pageThemes) as PageThemeName[]) {
    for (const [name, model] of Object.entries(models)) {
      it(`axe finds nothing on ${name} in the ${theme} theme`, async () => {
        await withReport(model, { theme }, async ({ page }) => {
          const session = await page.context().newCDPSession(page);
          await session.send('Runtime.evaluate', { expression: axe.source });
          const problems = await page.evaluate(async () => {
            const { axe: tool } = window as unknown as {
              axe: {
                run: () => Promise<{
                  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
                }>;
              };
            };
            const { violations } = await tool.run();
            return violations.map(({ id, nodes }) => ({
              id,
              nodes: nodes
                .slice(0, 3)
                .map(node => `${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
            }));
          });
          assert.deepEqual(problems, []);
        });
      });
    }
  }

  it('every control is reached by the Tab key and shows its focus', async () => {
    await withReport(modelOfText(failing), {}, async ({ page }) => {
      for (const summary of await page.locator('summary').all()) await summary.click();
      const controls = 'button, vscode-button, vscode-textfield, #slider, summary';
      const wanted = await page.evaluate(
        all => [...document.querySelectorAll(all)].map((_, at) => at),
        controls,
      );
      const seen = new Set<number>();
      for (let press = 0; press < wanted.length + 20; press += 1) {
        await page.keyboard.press('Tab');
        seen.add(
          await page.evaluate(
            all =>
              document.activeElement === null
                ? -1
                : [...document.querySelectorAll(all)].indexOf(document.activeElement),
            controls,
          ),
        );
      }
      assert.deepEqual(
        wanted.filter(at => !seen.has(at)),
        [],
      );
    });
  });

  it('the waterfall reads as a list of amounts with their lines', async () => {
    await withReport(modelOfText(sampleText('seed-baseline.log')), {}, async ({ page }) => {
      const list = page.getByRole('list', { name: 'Rank TP0' });
      const items = await list.getByRole('listitem').allInnerTexts();
      const read = items.map(item => item.replaceAll(/\s+/g, ' ').trim());
      assert.equal(read[1], 'Weights 72.29 GiB line 28');
      assert.equal(read[2], 'KV pool 10.42 GiB line 38');
    });
  });

  it('colours that the system forces leave the bars and the slider to be seen', async () => {
    await withReport(modelOfText(sampleText('seed-baseline.log')), {}, async ({ page }) => {
      await page.emulateMedia({ forcedColors: 'active' });
      const fills = await page
        .locator('.waterfall .row-bar rect:not(.track)')
        .evaluateAll(rects => rects.map(rect => getComputedStyle(rect).fill));
      assert.ok(new Set(fills).size >= 5, fills.join());
      assert.ok(await page.locator('#slider').isVisible());
    });
  });

  it('nothing moves for those who want less motion', async () => {
    await withReport(modelOfText(failing), {}, async ({ page }) => {
      const moves = await page
        .locator('.row-bar rect')
        .evaluateAll(rects => rects.map(rect => getComputedStyle(rect).transitionDuration));
      assert.deepEqual([...new Set(moves)], ['0s']);
    });
  });

  it('says its language and has one heading of the first level', async () => {
    await withReport(modelOfText(failing), {}, async ({ page }) => {
      assert.equal(await page.locator('html').getAttribute('lang'), 'en');
      assert.equal(await page.locator('h1').count(), 1);
      assert.equal(await page.getByRole('main').count(), 1);
    });
  });
});
