/** The report page alone in Chromium: what it shows and what can be done with it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { Page } from 'playwright-core';
import { savedPage } from '../../src/webview/savedPage';
import {
  comparisonOf,
  comparisonOfTexts,
  modelOfText,
  sampleText,
  servingText,
} from './pageModels';
import { closeReports, openReport, withReport } from './reportPage';

const failing = sampleText('seed-failing.log');

/** What `kvlens solve` answers, with the smallest and the largest value. */
function solved(wanted: string, set: string): { lo: number; hi: number; value?: number } {
  const values = ['solve', 'sample/seed-failing.log', '--for', wanted, '--set', set, '--json'];
  const text = execFileSync(process.execPath, ['dist/cli.js', ...values], { encoding: 'utf8' });
  return (JSON.parse(text) as { result: { lo: number; hi: number; value?: number } }).result;
}

/** The first number of a text: `≈ 116,082 tokens (±9)` is 116082. */
function numberIn(text: string): number {
  return Number(/-?[\d,]+(?:\.\d+)?/.exec(text)?.[0].replaceAll(',', ''));
}

async function textOf(page: Page, id: string): Promise<string> {
  return page.locator(`#${id}`).innerText();
}

after(() => closeReports());

describe('The report page', () => {
  it('says what happened, what to do, and with which flag', async () => {
    await withReport(modelOfText(failing), {}, async ({ page, said }) => {
      const verdict = page.locator('.verdict');
      assert.match(await verdict.innerText(), /-20\.603 GiB/);
      assert.match(await verdict.innerText(), /0\.7692/);
      await verdict.getByRole('button', { name: 'Copy launch line' }).click();
      assert.deepEqual((await said()).at(-1), {
        type: 'copyFlag',
        flag: '--mem-fraction-static 0.9',
      });
    });
  });

  it('draws blocks that add up to what was free, each leading to its lines', async () => {
    await withReport(modelOfText(sampleText('seed-baseline.log')), {}, async ({ page, said }) => {
      const rows = await page.locator('.waterfall .row').allInnerTexts();
      const sizes = rows.map(row => numberIn(/([\d.,]+) GiB/.exec(row)?.[1] ?? ''));
      const [start = 0, ...parts] = sizes;
      const sum = parts.reduce((total, size) => total + size, 0);
      assert.ok(Math.abs(start - sum) < 0.04, `${start} GiB against ${sum}`);
      const widths = await page
        .locator('.waterfall .row-bar rect:not(.track)')
        .evaluateAll(rects => rects.map(rect => parseFloat(rect.getAttribute('width') ?? '')));
      assert.ok(Math.abs((widths[1] ?? 0) - (100 * 72.29) / 94) < 0.1, String(widths[1]));
      await page.getByRole('button', { name: /^KV pool/ }).click();
      assert.deepEqual((await said()).at(-1), { type: 'reveal', lines: [38] });
      assert.match(
        (await page.locator('.waterfall .block-unaccounted').getAttribute('class')) ?? '',
        /unaccounted/,
      );
    });
  });

  it('shows the waterfall of another rank', async () => {
    await withReport(modelOfText(sampleText('seed-baseline.log')), {}, async ({ page, said }) => {
      // All ranks have the same left after loading: none of them decides for the others.
      assert.equal(await page.locator('#memory .tag').count(), 0);
      await page.locator('[data-rank="5"]').click();
      assert.match(await page.locator('#memory h3').innerText(), /TP5/);
      assert.equal(await page.locator('[data-rank="5"]').getAttribute('aria-pressed'), 'true');
      await page.getByRole('button', { name: /^Weights/ }).click();
      assert.notDeepEqual((await said()).at(-1), { type: 'reveal', lines: [28] });
    });
  });

  it('marks the rank that decides, and shows it first', async () => {
    const text = failing
      .split('\n')
      .map(line =>
        line.includes('TP5] Load weight end')
          ? line.replace(/avail mem=[\d.]+ GB/, 'avail mem=20.70 GB')
          : line,
      )
      .filter(line => !line.includes('DEBUG'))
      .join('\n');
    await withReport(modelOfText(text), {}, async ({ page }) => {
      const tagged = page.locator('.strip', { hasText: 'decides' });
      assert.equal(await tagged.count(), 1);
      assert.match(await tagged.innerText(), /TP5/);
      assert.match(await page.locator('#memory h3').innerText(), /TP5 decides/);
    });
  });

  it('gives the tokens of the command line as the slider is dragged', async () => {
    await withReport(modelOfText(failing), {}, async ({ page }) => {
      const slider = page.getByRole('slider', { name: 'Memory fraction f' });
      const box = await slider.boundingBox();
      assert.ok(box);
      await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2, { steps: 8 });
      await page.mouse.up();
      const fraction = await textOf(page, 'out-fraction');
      const { lo, hi } = solved('maxTotalTokens', `memFractionEffective=${fraction}`);
      const shown = numberIn(await textOf(page, 'out-tokens'));
      assert.ok(lo <= shown && shown <= hi, `${shown} tokens at ${fraction}, not ${lo}…${hi}`);
      assert.ok(hi - lo < 50, 'the bounds are narrow');
    });
  });

  it('follows the keyboard and says what comes out', async () => {
    await withReport(modelOfText(failing), {}, async ({ page }) => {
      await page.locator('#slider').focus();
      for (let press = 0; press < 50; press += 1) await page.keyboard.press('ArrowLeft');
      await page.locator('#out-fraction').getByText('0.85', { exact: true }).waitFor();
      assert.equal(numberIn(await textOf(page, 'out-tokens')), 116_082);
      const spoken = page.locator('#out-spoken');
      await spoken.getByText('116,082').waitFor();
      assert.equal(await spoken.getAttribute('aria-live'), 'polite');
      assert.match((await page.locator('#slider').getAttribute('aria-valuetext')) ?? '', /116,082/);
    });
  });

  it('speaks once, when the slider rests', async () => {
    await withReport(modelOfText(failing), {}, async ({ page }) => {
      await page.locator('#slider').focus();
      // The answer that the page opens with is said first.
      await page.locator('#out-spoken').getByText('187,897').waitFor({ state: 'attached' });
      await page.evaluate(() => {
        const spoken = document.getElementById('out-spoken');
        const said: string[] = [];
        Object.assign(window, { spoken: said });
        new MutationObserver(() => said.push(spoken?.textContent ?? '')).observe(
          spoken ?? document.body,
          { childList: true, characterData: true, subtree: true },
        );
      });
      for (let press = 0; press < 20; press += 1) await page.keyboard.press('ArrowLeft');
      await page.locator('#out-fraction').getByText('0.88', { exact: true }).waitFor();
      await page.waitForTimeout(1_500);
      const said = await page.evaluate(() => (window as unknown as { spoken: string[] }).spoken);
      assert.equal(said.length, 1, said.join(' | '));
      // python3: int((21.697 - 93.999 * (1 - 0.88)) * 2**30 // 70272) = 159171
      assert.match(said[0] ?? '', /159,17\d/);
    });
  });

  it('answers each step of the slider within a frame', async () => {
    await withReport(modelOfText(failing), {}, async ({ page }) => {
      const times = await page.evaluate(async () => {
        const slider = document.querySelector<HTMLInputElement>('#slider');
        const found: number[] = [];
        for (let step = 780; slider && step < 980; step += 2) {
          slider.value = String(step / 1000);
          slider.dispatchEvent(new Event('input', { bubbles: true }));
          // The page's own frame callback was asked for first: it is done when ours runs.
          found.push(
            await new Promise<number>(resolve =>
              requestAnimationFrame(start => resolve(performance.now() - start)),
            ),
          );
        }
        return found.sort((a, b) => a - b);
      });
      assert.equal(times.length, 100);
      // Half of them at least: what else the machine does takes its time in some.
      const median = times[50] ?? Infinity;
      assert.ok(median < 1000 / 60, `${median} ms, p95 ${times[95]} ms`);
      console.log(`slider: median ${median.toFixed(1)} ms, p95 ${times[95]?.toFixed(1)} ms`);
    });
  });

  it('says in one list what the log does not tell, and asks for the config', async () => {
    const model = modelOfText(
      '[2026-02-27 10:12:30 TP0] max_total_num_tokens=159287, max_running_requests=2048, context_len=262144\n',
    );
    await withReport(model, {}, async ({ page, said }) => {
      const list = page.locator('#part-missing li');
      assert.equal(await list.count(), 3);
      assert.equal(await page.locator('#part-memory, #part-try, #part-receipt').count(), 0);
      await page.getByRole('button', { name: 'Choose config.json' }).click();
      assert.deepEqual((await said()).at(-1), { type: 'chooseConfig' });
    });
  });

  it('gives the fraction of typed tokens, as the command line does', async () => {
    await withReport(modelOfText(failing), {}, async ({ page }) => {
      await page.locator('#in-tokens').locator('input').fill('200,000');
      const note = page.locator('#out-note');
      await note.getByText('200,000').waitFor();
      const { lo, hi } = solved('memFractionEffective', 'maxTotalTokens=200000');
      const needed = /fraction of (?:≈ )?(\d\.\d+)/.exec(await note.innerText())?.[1];
      assert.ok(Math.abs(Number(needed) - (lo + hi) / 2) < 1e-4, needed);
      assert.equal(await textOf(page, 'out-fraction'), '0.909');
      assert.ok(numberIn(await textOf(page, 'out-tokens')) >= 200_000);
      assert.equal(await textOf(page, 'out-flag'), '--mem-fraction-static 0.909');
    });
  });

  it('takes other inputs, refuses what is no amount, and goes back', async () => {
    await withReport(modelOfText(failing), {}, async ({ page }) => {
      const available = page.locator('#in-available').locator('input');
      await available.fill('30 GiB');
      // python3: int((30 - 93.999 * (1 - 0.9)) * 2**30 // 70272) = 314766
      await page.locator('#out-tokens').getByText('314,76').waitFor();
      await available.fill('thirty');
      await page.locator('#error-available').getByText('Needs a number').waitFor();
      await page.getByRole('button', { name: 'Reset' }).click();
      await page.locator('#out-tokens').getByText('187,897').waitFor();
      assert.equal(await available.inputValue(), '21.697');
      assert.equal(await textOf(page, 'error-available'), '');
    });
  });

  it('says so where nothing fits', async () => {
    await withReport(modelOfText(failing), {}, async ({ page }) => {
      await page.locator('#in-fraction').locator('input').fill('0.55');
      await page.locator('#out-note').getByText('Nothing fits').waitFor();
      assert.equal(await textOf(page, 'out-tokens'), '–');
      assert.match(await textOf(page, 'out-pool'), /-20\.60/);
      const copy = page.locator('[data-act=copyTried]');
      assert.equal(await copy.getAttribute('disabled'), '');
      await page.locator('#in-fraction').locator('input').fill('0.9');
      await page.locator('#out-tokens').getByText('187,897').waitFor();
      assert.equal(await copy.getAttribute('disabled'), null);
    });
  });

  it('marks floor, current and offered value in the table', async () => {
    await withReport(modelOfText(failing), {}, async ({ page }) => {
      const rows = await page.locator('#part-table tbody tr').allInnerTexts();
      const at = (pattern: RegExp): number => rows.findIndex(row => pattern.test(row));
      assert.match(rows[at(/in effect/)] ?? '', /^0\.55.*no pool.*-20\.603.*-314,811\D*$/s);
      assert.match(rows[at(/nothing fits at or below/)] ?? '', /^0\.7692/);
      assert.match(rows[at(/recommended/)] ?? '', /^0\.9\D.*187,897/s);
      assert.ok(at(/in effect/) < at(/nothing fits/) && at(/nothing fits/) < at(/recommended/));
    });
  });

  it('brackets every operation of a derivation and leads to the lines of its values', async () => {
    await withReport(modelOfText(failing), {}, async ({ page, said }) => {
      const steps = await page.locator('.step').allInnerTexts();
      assert.ok(steps.some(step => step.includes('(rest * (2 ** 30)) // bytes_per_token')));
      await page.locator('.formula').getByRole('button', { name: '70,272 B/token' }).click();
      assert.deepEqual((await said()).at(-1), { type: 'reveal', lines: [37] });
    });
  });

  it('draws the course of serving with what is least, mean and greatest', async () => {
    await withReport(modelOfText(servingText()), {}, async ({ page, said }) => {
      assert.ok((await page.locator('#course canvas').count()) >= 3);
      const row = page.locator('#course tr', { hasText: 'Generation throughput' });
      // python3: mean of 400..519 = 459.5
      assert.match(await row.innerText(), /400.*459\.5.*519/s);
      await page
        .locator('.chart .u-over')
        .first()
        .click({ position: { x: 20, y: 20 } });
      const last = (await said()).at(-1);
      assert.equal(last?.type, 'reveal');
    });
  });

  it('shows what two runs differ in, and leads to the lines of either', async () => {
    const model = comparisonOf('seed-baseline.log', 'seed-failing.log');
    await withReport(model, {}, async ({ page, said }) => {
      assert.match(await page.locator('.verdict').innerText(), /Only the fraction differs/);
      // All of the difference is one input's: a chart of one bar would say nothing.
      assert.equal(await page.locator('.share').count(), 0);
      const moved = page.locator('#part-moves tr.moved');
      assert.equal(await moved.count(), 1);
      const row = await moved.innerText();
      const share = /-([\d,]+)…-([\d,]+) tokens/.exec(row);
      const bounds = [share?.[1], share?.[2]].map(text => Number(text?.replaceAll(',', '')));
      // What is the same has no share: its bounds would only be those of the printed figures.
      const same = page.locator('#part-moves tr:not(.moved) td:last-child');
      assert.deepEqual([...new Set(await same.allInnerTexts())], ['–']);
      // python3: 159287 - (-314811) = 474098
      assert.ok((bounds[1] ?? 0) <= 474_098 && 474_098 <= (bounds[0] ?? 0), row);
      await moved.getByRole('button', { name: 'line 37' }).click();
      assert.deepEqual((await said()).at(-1), { type: 'reveal', lines: [37], log: 1 });
      await page
        .locator('#part-moves tr', { hasText: 'A, free after load' })
        .getByRole('button', { name: 'line 28' })
        .click();
      assert.deepEqual((await said()).at(-1), { type: 'reveal', lines: [28], log: 0 });
      await page.getByRole('button', { name: 'Open seed-failing.log' }).click();
      assert.deepEqual((await said()).at(-1), { type: 'reveal', lines: [1], log: 1 });
    });
  });

  it('draws the shares of a difference that has several reasons', async () => {
    // python3: int(-20.603 * 2**30 // 35136) = -629620
    const halved = failing
      .replaceAll('cell_size=70272', 'cell_size=35136')
      .replaceAll('max_tokens=-314811', 'max_tokens=-629620');
    assert.notEqual(halved, failing);
    const baseline = sampleText('seed-baseline.log');
    const model = comparisonOfTexts('a.log', baseline, 'b.log', halved);
    await withReport(model, {}, async ({ page }) => {
      const shares = await page.locator('.share').allInnerTexts();
      assert.equal(shares.length, 2, shares.join());
      assert.ok(shares.some(share => share.startsWith('Bytes per token')));
    });
  });
});

describe('Text of a log on the report page', () => {
  const hostile = [
    '<img src=x onerror="document.title=\'owned\'">',
    '</script><script>document.title="owned"</script>',
    '[click](command:workbench.action.quit)',
    '<a href="command:workbench.action.quit">x</a>',
    '"><svg onload=alert(1)>',
    '${7*7}{{7*7}}',
  ];

  it('does not act, wherever a model name or path stands', async () => {
    for (const text of hostile) {
      const log = failing
        .replaceAll('KimiK25ForConditionalGeneration', text.replace(/[\n,]/g, ' '))
        .replaceAll('TP0', 'TP0');
      const model = modelOfText(log);
      const planted = JSON.parse(
        JSON.stringify(model, (_key, value: unknown) =>
          typeof value === 'string' && value === 'sglang' ? text : value,
        ),
      ) as typeof model;
      const titled = { ...planted, title: text, subtitle: text, notice: text };
      await withReport(titled, {}, async ({ page }) => {
        const found = await page.evaluate(() => ({
          made: document.querySelectorAll('#root img, #root a, #root script, #root [onload]')
            .length,
          handlers: [...document.querySelectorAll('#root *')].filter(element =>
            element.getAttributeNames().some(name => name.startsWith('on')),
          ).length,
        }));
        assert.deepEqual(found, { made: 0, handlers: 0 });
        assert.notEqual(await page.title(), 'owned');
        assert.equal(await page.locator('h1').innerText(), text);
      });
      const saved = savedPage(titled, '');
      assert.doesNotMatch(saved, /<script|<img|<a /);
      assert.doesNotMatch(saved, /<[^>]* on\w+=/);
    }
  });

  it('is refused where a model has another shape', async () => {
    const report = await openReport(modelOfText(failing));
    try {
      await report.page.evaluate(() =>
        window.postMessage(
          { type: 'show', subject: { kind: 'kept' }, model: { schema: 1, title: 'other' } },
          '*',
        ),
      );
      await report.page.waitForTimeout(100);
      assert.equal(await report.page.locator('h1').innerText(), 'KV budget');
    } finally {
      await report.close();
    }
  });
});

describe('A saved report', () => {
  it('needs no script and fetches nothing', () => {
    const css = readFileSync('dist/webview.css', 'utf8');
    const text = savedPage(modelOfText(servingText()), css);
    assert.doesNotMatch(text, /<script|https?:|url\((?!['"]?#)|@import/);
    assert.match(text, /default-src 'none'/);
    assert.match(text, /159,287 tokens/);
    assert.match(text, /<polyline/);
  });
});
