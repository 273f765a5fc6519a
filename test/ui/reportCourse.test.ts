/** Charts of serving on the report page: what is drawn, what stands under the mouse, odd courses. */
import assert from 'node:assert/strict';
import type { PageCourse, PageModel } from '../../src/core/report/pageModel';
import { servingLine } from '../bench/servingLog';
import { modelOfText, sampleText, servingText } from './pageModels';
import type { ReportPage } from './reportPage';
import { closeReports, openReport } from './reportPage';

const serving = modelOfText(servingText());

/** The same page with other courses. */
function withCourses(change: (course: PageCourse) => readonly PageCourse[]): PageModel {
  const { run } = serving;
  const [course] = run?.courses ?? [];
  assert.ok(run && course);
  return { ...serving, run: { ...run, courses: change(course) } };
}

/** The first buckets of a course, or as many again as are wanted. */
function ofLength(course: PageCourse, length: number): PageCourse {
  const pick = <T>(values: readonly T[]): T[] =>
    Array.from({ length }, (_, at) => values[at % values.length] as T);
  return {
    ...course,
    at: Array.from({ length }, (_, at) => at * 10),
    lines: Array.from({ length }, (_, at) => at + 1),
    channels: course.channels.map(channel => ({
      ...channel,
      min: pick(channel.min),
      mean: pick(channel.mean),
      max: pick(channel.max),
    })),
    retractions: [],
  };
}

async function withPage(
  model: PageModel,
  use: (report: ReportPage) => Promise<void>,
): Promise<void> {
  const report = await openReport(model);
  try {
    await use(report);
    assert.deepEqual(report.troubles, []);
  } finally {
    await report.close();
  }
}

after(() => closeReports());

describe('The charts of serving', () => {
  it('say under the mouse when it was, how much, and on which line', async () => {
    await withPage(serving, async ({ page }) => {
      const chart = page.locator('[data-chart="1"]');
      await chart.scrollIntoViewIfNeeded();
      const box = await chart.boundingBox();
      assert.ok(box);
      await page.mouse.move(box.x + box.width - 60, box.y + 50);
      await page.mouse.move(box.x + box.width - 58, box.y + 50);
      const tip = page.locator('.chart-box .tip').nth(1);
      await tip.waitFor();
      assert.match(await tip.innerText(), /^\d+:\d\d.* · line \d+\nGeneration throughput: \d+/);
      const inside = await tip.evaluate(element => {
        const own = element.getBoundingClientRect();
        return own.left >= 0 && own.right <= innerWidth;
      });
      assert.ok(inside);
      await page.mouse.move(2, 2);
      await tip.waitFor({ state: 'hidden' });
    });
  });

  it('mark retractions, name the mark, and lead to their lines', async () => {
    const retracted = `${servingText()}[2026-02-27 10:22:00 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 3, #new_token_ratio: 0.5998 -> 1.0000\n`;
    const lines = retracted.trimEnd().split('\n').length;
    await withPage(modelOfText(retracted), async ({ page, said }) => {
      assert.equal(await page.locator('.legend-retraction').count(), 1);
      await page
        .locator('#part-course')
        .getByRole('button', { name: `line ${lines}`, exact: true })
        .click();
      assert.deepEqual((await said()).at(-1), { type: 'reveal', lines: [lines] });
    });
  });

  it('count what all ranks put back, and list the lines of the rank that is shown', async () => {
    const retract = (second: number, rank: string, count: number): string =>
      `[2026-02-27 10:22:0${second} ${rank}] KV cache pool is full. Retract requests. #retracted_reqs: ${count}, #new_token_ratio: 0.5998 -> 1.0000`;
    const batch = (rank: string): string =>
      `[2026-02-27 10:22:00 ${rank}] Decode batch, #running-req: 3, #token: 4096, token usage: 0.99, cuda graph: True, gen throughput (token/s): 91.20, #queue-req: 0, `;
    const text = [
      '[2026-02-27 10:20:00] server_args=ServerArgs(model_path="/m", tp_size=2, dp_size=2)',
      batch('DP0 TP0'),
      batch('DP1 TP0'),
      retract(1, 'DP0 TP0', 3),
      retract(2, 'DP1 TP0', 2),
      retract(3, 'DP0 TP0', 1),
      batch('DP0 TP0'),
      batch('DP1 TP0'),
      '',
    ].join('\n');
    await withPage(modelOfText(text), async ({ page }) => {
      const part = await page.locator('#part-course').innerText();
      assert.match(part, /Retractions: 3; requests put back into the queue: 6\./);
      assert.match(part, /Retractions \(DP0 TP0\): line 4, line 6\n/);
    });
  });

  it('name no line as that of a retraction where many lines are one point', async () => {
    const many = `${Array.from({ length: 4200 }, (_, at) => servingLine(at)).join('')}[2026-02-27 12:22:01 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 3, #new_token_ratio: 0.5998 -> 1.0000\n`;
    await withPage(modelOfText(`${sampleText('seed-baseline.log')}${many}`), async ({ page }) => {
      assert.match(
        await page.locator('.retractions').innerText(),
        /^Retractions \(TP0\): from line \d+ on$/,
      );
    });
  });

  it('are not drawn for one sample, whose table says all', async () => {
    await withPage(modelOfText(sampleText('seed-baseline.log')), async ({ page }) => {
      assert.equal(await page.locator('[data-chart]').count(), 0);
      assert.match(await page.locator('#part-course table').innerText(), /Running requests/);
    });
  });

  it('are not drawn for samples of one second, across which there is nothing', async () => {
    const moment = (course: PageCourse): PageCourse[] => [
      { ...ofLength(course, 2), at: [0, 0], retractions: [] },
    ];
    await withPage(withCourses(moment), async ({ page }) => {
      assert.equal(await page.locator('[data-chart]').count(), 0);
      assert.match(await page.locator('#part-course table').innerText(), /Running requests/);
    });
  });

  it('are no part of a page without serving lines', async () => {
    await withPage(
      withCourses(() => []),
      async ({ page }) => {
        assert.equal(await page.locator('#part-course').count(), 0);
      },
    );
  });

  it('draw 2,000 buckets of several ranks, one rank at a time', async () => {
    const model = withCourses(course =>
      ['TP0', 'TP1', 'TP2'].map(rank => ({ ...ofLength(course, 2000), rank })),
    );
    await withPage(model, async ({ page }) => {
      const canvases = page.locator('#part-course canvas');
      assert.ok((await canvases.count()) >= 3);
      const started = Date.now();
      await page.locator('vscode-single-select[data-act="showCourse"]').evaluate(select => {
        (select as HTMLSelectElement).value = '2';
        select.dispatchEvent(new Event('change', { bubbles: true }));
      });
      await canvases.first().waitFor();
      assert.ok(Date.now() - started < 5_000);
      assert.ok((await canvases.count()) >= 3);
    });
  });
});
