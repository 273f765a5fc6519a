/** How the report page is laid out at every width that an editor gives it, measured in Chromium. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  comparisonOf,
  comparisonOfTexts,
  modelOfText,
  sampleText,
  servingText,
} from './pageModels';
import { pageThemes, type PageThemeName } from './pageThemes';
import type { ReportPage } from './reportPage';
import { closeReports, openReport } from './reportPage';

async function atWidth(
  model: Parameters<typeof openReport>[0],
  width: number,
  use: (report: ReportPage) => Promise<void>,
): Promise<void> {
  const report = await openReport(model, { width });
  try {
    await use(report);
  } finally {
    await report.close();
  }
}

/** Widths of the tiles, row by row. */
async function tileRows(page: Page, selector: string): Promise<readonly (readonly number[])[]> {
  return page.locator(`${selector} > .tile`).evaluateAll(tiles => {
    const rows = new Map<number, number[]>();
    for (const tile of tiles) {
      const { top, width } = tile.getBoundingClientRect();
      const row = Math.round(top);
      rows.set(row, [...(rows.get(row) ?? []), width]);
    }
    return [...rows.values()];
  });
}

const serving = modelOfText(servingText());
const failing = modelOfText(sampleText('seed-failing.log'));

after(() => closeReports());

describe('The layout of the report page', () => {
  it('keeps everything within a narrow column', async () => {
    const models = {
      'a failure': failing,
      'a server that serves': serving,
      'a comparison': comparisonOf('seed-baseline.log', 'seed-failing.log'),
    };
    for (const width of [262, 400]) {
      for (const [name, model] of Object.entries(models)) {
        await atWidth(model, width, async ({ page }) => {
          const beyond = await page.evaluate(
            () => document.documentElement.scrollWidth - innerWidth,
          );
          assert.ok(beyond <= 0, `${name} at ${width}: ${beyond} pixels`);
        });
      }
    }
  });

  it('keeps everything within it where logs have long names', async () => {
    const [a, b] = ['a', 'b'].map(last => `${'x'.repeat(120)}${'long-'.repeat(20)}${last}.log`);
    const texts = [sampleText('seed-baseline.log'), sampleText('seed-failing.log')] as const;
    const model = comparisonOfTexts(a ?? '', texts[0], b ?? '', texts[1]);
    for (const width of [300, 1000]) {
      await atWidth({ ...model, title: `${a} against ${b}` }, width, async ({ page }) => {
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(beyond <= 0, `${width}: ${beyond} pixels`);
        // The two are told apart by how they end.
        await page.getByRole('button', { name: /Open x+….*a\.log/ }).waitFor();
        await page.getByRole('button', { name: /Open x+….*b\.log/ }).waitFor();
      });
    }
  });

  it('sets the key figures in even rows', async () => {
    for (const width of [1280, 1000, 861, 860, 700, 650, 500]) {
      await atWidth(serving, width, async ({ page }) => {
        const rows = await tileRows(page, '.tiles:not(.answer)');
        const widths = rows.flat();
        assert.equal(widths.length, 5);
        const ratio = Math.max(...widths) / Math.min(...widths);
        assert.ok(ratio < 1.6, `${ratio} at ${width}`);
        const counts = rows.map(row => row.length);
        assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, `${counts.join()} at ${width}`);
      });
    }
  });

  it('keeps a figure, its unit and its spread on one line', async () => {
    for (const width of [1280, 800]) {
      await atWidth(serving, width, async ({ page }) => {
        for (const selector of ['.tile .amount', '.answer dd']) {
          const heights = await page.locator(selector).evaluateAll(figures =>
            figures.map(figure => {
              const range = document.createRange();
              range.selectNodeContents(figure);
              const tops = [...range.getClientRects()].map(({ bottom }) => bottom);
              return Math.max(...tops) - Math.min(...tops);
            }),
          );
          assert.ok(heights.length >= 4);
          assert.ok(Math.max(...heights) < 14, `${selector} at ${width}: ${heights.join()}`);
        }
      });
    }
  });

  it('draws every block so that it is seen in every theme', async () => {
    for (const theme of Object.keys(pageThemes) as PageThemeName[]) {
      const report = await openReport(serving, { theme });
      try {
        const ratios = await report.page
          .locator('.waterfall .row-bar rect[class^="block-"]:not([class*="unaccounted"])')
          .evaluateAll(blocks => {
            const canvas = document.createElement('canvas').getContext('2d');
            const luminance = (color: string): number => {
              if (canvas === null) return NaN;
              canvas.fillStyle = color;
              canvas.fillRect(0, 0, 1, 1);
              const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map(part => {
                const share = part / 255;
                return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
              });
              return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const ground = luminance(getComputedStyle(document.body).backgroundColor);
            return blocks.map(block => {
              const own = luminance(getComputedStyle(block).fill);
              const ratio = (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05);
              return { name: block.getAttribute('class'), ratio };
            });
          });
        assert.ok(ratios.length >= 6);
        const coloured = ratios.filter(({ name }) => !/block-(start|end)/.test(name ?? ''));
        const faint = coloured.filter(({ ratio }) => !(ratio >= 2.5));
        assert.deepEqual(faint, [], theme);
      } finally {
        await report.close();
      }
    }
  });

  it('tells blocks that touch apart by their colours in every theme', async () => {
    for (const theme of Object.keys(pageThemes) as PageThemeName[]) {
      const report = await openReport(serving, { theme });
      try {
        // Distances in CIE Lab: 45 and more is another colour, not another shade.
        const near = await report.page
          .locator('.strip-bar')
          .first()
          .evaluate(bar => {
            const canvas = document.createElement('canvas').getContext('2d');
            const labOf = (color: string): [number, number, number] => {
              if (canvas === null) return [NaN, NaN, NaN];
              canvas.fillStyle = color;
              canvas.fillRect(0, 0, 1, 1);
              const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map(part => {
                const share = part / 255;
                return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
              });
              const [x, y, z] = [
                (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
                0.2126 * r + 0.7152 * g + 0.0722 * b,
                (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
              ].map(part => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116)) as [
                number,
                number,
                number,
              ];
              return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
            };
            const blocks = [...bar.querySelectorAll('rect[class^="block-"]')].filter(
              block => !block.matches('.block-unaccounted, .block-end'),
            );
            return blocks.slice(1).map((block, at) => {
              const before = blocks[at];
              const a = labOf(before ? getComputedStyle(before).fill : '');
              const b = labOf(getComputedStyle(block).fill);
              return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
            });
          });
        assert.equal(near.length, 3);
        assert.ok(
          near.every(distance => distance > 45),
          `${theme}: ${near.map(Math.round).join(', ')}`,
        );
      } finally {
        await report.close();
      }
    }
  });

  it('shows of many ranks the one that decides', async () => {
    // 64 ranks of which the 38th has a tenth of a GiB less after loading.
    const text = sampleText('seed-baseline.log')
      .replaceAll('tp_size=8', 'tp_size=64')
      .replaceAll(/^\[.* TP[1-7]\] .*\n/gm, '')
      .replaceAll(/^(\[.*) TP0\] (.*\n)/gm, (_, before: string, after: string) =>
        Array.from(
          { length: 64 },
          (_each, at) =>
            `${before} TP${at}] ${at === 37 ? after.replace('avail mem=21.7', 'avail mem=21.6') : after}`,
        ).join(''),
      );
    await atWidth(modelOfText(text), 1000, async ({ page }) => {
      const frame = await page.locator('.strips.many').boundingBox();
      const shown = await page.locator('.strip[aria-pressed="true"]').boundingBox();
      assert.ok(frame && shown);
      assert.match(await page.locator('.strip[aria-pressed="true"]').innerText(), /^TP37\b/);
      assert.ok(shown.y >= frame.y && shown.y + shown.height <= frame.y + frame.height);
      assert.equal(await page.evaluate(() => scrollY), 0);
      // Another one that is chosen does not throw the list back to its start.
      await page.locator('.strip', { hasText: 'TP39' }).click();
      const before = await page.locator('.strips.many').evaluate(list => list.scrollTop);
      assert.ok(before > 0, String(before));
    });
  });

  it('keeps the names of marked values within the slider, apart from each other', async () => {
    for (const width of [1000, 400, 250]) {
      await atWidth(failing, width, async ({ page }) => {
        const scale = await page.locator('.scale').boundingBox();
        const [first, second] = await Promise.all(
          ['current', 'offered'].map(id => page.locator(`.mark-text-${id}`).boundingBox()),
        );
        assert.ok(scale && first && second);
        const isBeside = first.x + first.width + 4 < second.x;
        assert.ok(isBeside || first.y + first.height <= second.y + 4, `apart at ${width}`);
        assert.ok(first.x >= scale.x - 1 && second.x >= scale.x - 1, `within at ${width}`);
        assert.ok(second.x + second.width <= scale.x + scale.width + 1, `within at ${width}`);
      });
    }
  });

  it('sets the tokens of every row of the table right under each other', async () => {
    await atWidth(failing, 1000, async ({ page }) => {
      const ends = await page
        .locator('#part-table tbody tr:not(.bound) td:nth-child(3)')
        .evaluateAll(cells =>
          cells.map(cell => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return Math.round(range.getBoundingClientRect().right);
          }),
        );
      assert.ok(ends.length >= 5);
      assert.equal(new Set(ends).size, 1, ends.join());
    });
  });

  it('shows all of every table in a narrow column', async () => {
    const comparison = comparisonOf('seed-baseline.log', 'seed-failing.log');
    for (const width of [385, 300]) {
      await atWidth(comparison, width, async ({ page }) => {
        const hidden = await page
          .locator('.scroll')
          .evaluateAll(tables => tables.map(table => table.scrollWidth - table.clientWidth));
        assert.equal(hidden.length, 2);
        assert.ok(Math.max(...hidden) <= 0, `${width}: ${hidden.join()}`);
      });
    }
  });

  it('breaks nothing that else moves in the middle', async () => {
    for (const width of [1000, 500, 400]) {
      await atWidth(serving, width, async ({ page }) => {
        const heights = await page.locator('#out-moves dd').evaluateAll(amounts =>
          amounts.map(amount => {
            const range = document.createRange();
            range.selectNodeContents(amount);
            const bottoms = [...range.getClientRects()].map(({ bottom }) => bottom);
            return Math.max(...bottoms) - Math.min(...bottoms);
          }),
        );
        assert.equal(heights.length, 3);
        assert.ok(Math.max(...heights) < 10, `${width}: ${heights.join()}`);
      });
    }
  });

  it('shows the focus of the slider at its thumb, clear of the words above it', async () => {
    await atWidth(failing, 1000, async ({ page }) => {
      const slider = page.locator('#slider');
      await slider.scrollIntoViewIfNeeded();
      const box = await slider.boundingBox();
      assert.ok(box);
      // The words stand in the 14 pixels above the bar; the thumb is far right of them.
      const words = { x: box.x, y: box.y - 14, width: box.width * 0.7, height: 14 };
      const before = await page.screenshot({ clip: words });
      const bar = await page.screenshot({ clip: box });
      await page.keyboard.press('Tab');
      await slider.focus();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowRight');
      await page.locator('#out-fraction').getByText('0.9', { exact: true }).waitFor();
      assert.ok(before.equals(await page.screenshot({ clip: words })), 'the words are as before');
      assert.ok(!bar.equals(await page.screenshot({ clip: box })), 'the focus is seen');
    });
  });
});
