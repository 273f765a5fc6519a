/**
 * Real sources as a person meets them: the file of the GiB era beside the one of the bytes era, the
 * failing log bound, the mouse over the line that decides. Releases come from scripts/releases.mjs.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { releasesFolder } from '../../scripts/releases.mjs';
import type { EditorWindow } from './window';
import { withWindow } from './window';

/** Of a release: the sizing file and what its measuring function is in. */
const sources = {
  '0.5.9': [
    'sglang/srt/model_executor/model_runner_kv_cache_mixin.py',
    'sglang/srt/utils/__init__.py',
    'sglang/srt/utils/common.py',
    'sglang/srt/distributed/parallel_state.py',
  ],
  '0.1.3': ['sglang/srt/managers/router/model_runner.py', 'sglang/srt/utils.py'],
} as const;

const pictures = join(process.cwd(), 'dist', 'test', 'pictures');

const isHere = Object.entries(sources).every(([release, paths]) =>
  paths.every(path => existsSync(join(releasesFolder(), release, path))),
);

/** The files of both releases, each release in a folder of its own. */
function releaseFiles(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sources).flatMap(([release, paths]) =>
      paths.map(path => [
        `${release}/${path}`,
        readFileSync(join(releasesFolder(), release, path), 'utf8'),
      ]),
    ),
  );
}

/** 1-based line of a text in a file of a release. */
function lineOf(release: keyof typeof sources, text: string): number {
  const source = readFileSync(join(releasesFolder(), release, sources[release][0]), 'utf8');
  const at = source.indexOf(text);
  assert.ok(at >= 0, `“${text}” is in the source of ${release}`);
  return source.slice(0, at).split('\n').length;
}

async function bindFailingLog(window: EditorWindow): Promise<void> {
  await window.runCommand('SGLang: Bind Log to Workspace');
  await window.pick('seed-failing.log');
  await window.eventually('the status bar names the log', async () =>
    (await window.statusItems()).some(item => item.includes('seed-failing.log')) ? true : undefined,
  );
}

async function hintContaining(window: EditorWindow, part: string): Promise<string> {
  const hint = await window.eventually(`a hint contains “${part}”`, async () =>
    (await window.inlayHints()).find(({ text }) => text.includes(part)),
  );
  return hint.text;
}

describe('The sizing function of 0.5.9 beside that of 0.1.3, with the failing log bound', function () {
  before(function () {
    if (!isHere) {
      assert.notEqual(process.env['CI'], 'true', 'the releases are not in the cache');
      this.skip();
    }
  });

  it('shows -20.603 GiB beside the one and bytes beside the other, and derives it under the mouse', async () => {
    const files = releaseFiles();
    const [mixin] = sources['0.5.9'];
    const [runner] = sources['0.1.3'];
    await withWindow(
      { files, openFile: `0.1.3/${runner}`, width: 1900, height: 900 },
      async window => {
        await bindFailingLog(window);
        const rest = lineOf('0.1.3', 'rest_memory = available_gpu_memory');
        await window.goToLine(rest);
        assert.match(await hintContaining(window, '-22,12'), /-22,12[12],\d{3},\d{3} B/);
        await window.runCommand('View: Split Editor Left');
        await window.openFile(`0.5.9/${mixin}`);
        await window.goToLine(lineOf('0.5.9', 'rest_memory = available_gpu_memory'));
        assert.match(await hintContaining(window, '-20.603'), /-20\.603 GiB/);
        // Its middle is the minus sign, so that the whole subtraction is meant.
        const hover = await window.hoverText('memory - total_g');
        assert.match(hover, /-20\.603 GiB/);
        assert.match(hover, /-22,12[12],\d{3},\d{3}/);
        assert.match(hover, /seed-failing\.log:\d+/);
        mkdirSync(pictures, { recursive: true });
        await window.screenshot(join(pictures, 'python-eras.png'));
        const lenses = await window.codeLenses();
        assert.equal(
          lenses.some(text => text.includes('seed-failing.log') && text.includes('-20.603 GiB')),
          true,
          lenses.join(' | '),
        );
      },
    );
  });
});

/** Prints a line of the log in the function that the table of forms names. */
const loader = `class ModelRunner:
    def load_model(self):
        left = 1
        logger.info(f"Load weight begin. left={left}")
`;

describe('A source that prints lines of the bound log', () => {
  it('shows them in place when the count above the function is clicked', async () => {
    const path = 'srt/model_executor/model_runner.py';
    const options = { files: { [path]: loader }, openFile: path, width: 1500, height: 900 };
    await withWindow(options, async window => {
      await window.runCommand('SGLang: Bind Log to Workspace');
      await window.pick('seed-failing.log');
      const rows = await window.peekFromLens('8 hits in seed-failing.log');
      assert.ok(rows.length >= 8, rows.join(' | '));
      assert.match(rows.join('\n'), /Load weight begin/);
      mkdirSync(pictures, { recursive: true });
      await window.screenshot(join(pictures, 'log-hits.png'));
    });
  });
});
