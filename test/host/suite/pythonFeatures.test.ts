/** What is shown of Python sources of our own, shaped like sizing functions of both eras. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Messages } from '../../../src/editor/messages';
import { Output } from '../../../src/editor/output';
import { PythonSources } from '../../../src/editor/python/pythonSources';
import { Settings } from '../../../src/editor/settings';
import {
  codeOf,
  eventually,
  extensionApi,
  fileUri,
  hoverAt,
  placeOf,
  problemsOf,
  withSettings,
} from './log';
import {
  bindLog,
  bytesEra,
  gibEra,
  hintMatching,
  hintsOf,
  lensTitles,
  showSource,
  typeText,
} from './python';

const failing = 'seed-failing.log';

/** GiB beside bytes in one sum. */
const mixed = gibEra.replace(
  '        return',
  '        waste = free * (1 << 30) - free\n        return',
);

// python3: the log prints rest=-20.603 GiB; -20.6035 * 2**30 = -22122839638, -20.6025 * 2**30 = -22121765896
const restInBytes = /^: (≈ )?-22,12[12],\d{3},\d{3} B$/;

describe('A Python source without a bound log', () => {
  before(() => bindLog(null));

  it('has units beside its names, which follow the flow and not the name', async () => {
    const gib = await showSource('gib.py', gibEra);
    await hintMatching(gib.document, 'budget', /^: GiB$/);
    await hintMatching(gib.document, 'free', /^: GiB$/);
    await hintMatching(gib.document, 'whole', /^: GiB$/);
    await hintMatching(gib.document, 'per_token', /^: B\/token$/);
    const bytes = await showSource('bytes.py', bytesEra);
    await hintMatching(bytes.document, 'budget', /^: B$/);
    await hintMatching(bytes.document, 'whole', /^: B$/);
  });

  it('offers to evaluate a budget, to bind a log and to set what is missing', async () => {
    const { document } = await showSource('gib.py', gibEra);
    const titles = await lensTitles(document.uri);
    assert.equal(titles.includes('Evaluate KV Budget'), true);
    assert.equal(titles.includes('Bind a log'), true);
    assert.equal(
      titles.some(title => /^Set a value \(\d+ missing\)$/.test(title)),
      true,
    );
    const api = await extensionApi();
    await eventually('the status item says so', () =>
      api.boundText()?.includes('no log bound') === true ? true : undefined,
    );
  });

  it('says in the hover of a call what it returns, and links the line that divides', async () => {
    const { document } = await showSource('gib.py', gibEra);
    const hover = await hoverAt(document, 'left_gib(self.device)');
    assert.match(hover, /left_gib.*returns GiB/);
    assert.match(hover, /memory\.py:5/);
    assert.match(hover, /1 << 30/);
    const links = hover.match(/command:[\w.]+/g) ?? [];
    assert.deepEqual([...new Set(links)], ['command:sglangKvLens.reveal']);
  });

  it('links lines of sources in place, where the hover is', async () => {
    const { document } = await showSource('gib.py', gibEra);
    const at = placeOf(document, 'left_gib(self.device)');
    const hover = await hoverAt(document, 'left_gib(self.device)');
    const [link = ''] = /(?<=command:sglangKvLens\.reveal\?)[^)]+/.exec(hover) ?? [];
    const [address, line, ...how] = JSON.parse(decodeURIComponent(link)) as unknown[];
    assert.match(String(address), /memory\.py$/);
    assert.equal(typeof line, 'number');
    assert.deepEqual(how.slice(0, 2), ['peek', at.line]);
    await vscode.commands.executeCommand('sglangKvLens.reveal', address, line, ...how);
    assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /(gib|memory)\.py$/);
    await vscode.commands.executeCommand('closeReferenceSearch');
  });

  it('opens the line behind such a link, and no file that was not read', async () => {
    await showSource('gib.py', gibEra);
    await vscode.commands.executeCommand(
      'sglangKvLens.reveal',
      fileUri('lens/memory.py').toString(),
      5,
    );
    assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /memory\.py$/);
    await vscode.commands.executeCommand('sglangKvLens.reveal', fileUri('README.md').toString(), 1);
    assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /memory\.py$/);
  });

  it('names what is missing in the hover', async () => {
    const { document } = await showSource('gib.py', gibEra);
    const hover = await hoverAt(document, 'budget = free');
    assert.match(hover, /Unit: \*\*GiB\*\*/);
    assert.match(hover, /Not known without.*memFractionStatic/s);
  });

  it('takes values that are set by hand, and gives them up when they are cleared', async () => {
    const { document } = await showSource('gib.py', gibEra);
    const set = async (name: string, text: string): Promise<void> => {
      await vscode.commands.executeCommand(
        'sglangKvLens.setValue',
        document.uri.toString(),
        name,
        text,
      );
    };
    await set('availableAfterLoad', '21.697 GiB');
    await set('totalBeforeLoad', '93.999');
    await set('memFractionStatic', '0.88');
    // python3: 21.697 - 93.999 * 0.12 = 10.41712
    await hintMatching(document, 'budget', /^: 10\.417 GiB$/);
    assert.match(await hoverAt(document, 'budget = free'), /set by hand/);
    for (const name of ['availableAfterLoad', 'totalBeforeLoad', 'memFractionStatic']) {
      await set(name, '');
    }
    await hintMatching(document, 'budget', /^: GiB$/);
  });

  it('is silent about what is no memory matter', async () => {
    const known = await showSource('gib.py', gibEra);
    await hintMatching(known.document, 'budget', /GiB/);
    const text = 'def area(width, height):\n    size = width * height\n    return size\n';
    const { document } = await showSource('area.py', text);
    assert.deepEqual(await hintsOf(document), []);
    assert.deepEqual(await lensTitles(document.uri), []);
    assert.equal(await hoverAt(document, 'width * height'), '');
  });

  it('has a problem where two scales meet, and none where they are changed first', async () => {
    const { document } = await showSource('mixed.py', mixed);
    const [problem, ...others] = await eventually('a problem is found', () => {
      const found = problemsOf(document.uri);
      return found.length > 0 ? found : undefined;
    });
    assert.deepEqual(others, []);
    assert.ok(problem);
    assert.equal(codeOf(problem), 'unit-mismatch');
    assert.match(problem.message, /B and GiB|GiB and B/);
    assert.match(document.getText(problem.range), /free \* \(1 << 30\) - free/);
    const plain = await showSource('gib.py', gibEra);
    await hintMatching(plain.document, 'budget', /GiB/);
    assert.deepEqual(problemsOf(plain.document.uri), []);
  });
});

describe('A Python source with the failing log bound', () => {
  before(() => bindLog(fileUri(failing)));
  after(() => bindLog(null));

  it('shows -20.603 GiB in the one era and bytes in the other', async () => {
    const gib = await showSource('gib.py', gibEra);
    await hintMatching(gib.document, 'budget', /^: -20\.603 GiB$/);
    const bytes = await showSource('bytes.py', bytesEra);
    await hintMatching(bytes.document, 'budget', restInBytes);
  });

  it('shows tokens at the return, with the bytes per token of the run', async () => {
    const { document } = await showSource('gib.py', gibEra);
    // The log prints max_tokens=-314811.
    await hintMatching(document, 'per_token)', /^→ (≈ )?-314,81\d tokens$/);
  });

  it('derives the value in the hover, in parentheses, with values, bytes and their lines', async () => {
    const { document } = await showSource('gib.py', gibEra);
    await hintMatching(document, 'budget', /GiB$/);
    const hover = await hoverAt(document, 'budget = free');
    assert.match(hover, /budget = free - \(whole \* \(1 - self\.mem_fraction_static\)\)/);
    assert.match(hover, /= 21\.697 GiB - \((≈ )?93\.999 GiB \* \(1 - 0\.55\)\)/);
    assert.match(hover, /\*\*-20\.603 GiB\*\*/);
    assert.match(hover, /-22,12[12],\d{3},\d{3} (± [\d,]+ )?B/);
    assert.match(hover, /seed-failing\.log:\d+/);
  });

  it('says what is bound in the status bar and above the function', async () => {
    const { document } = await showSource('gib.py', gibEra);
    const api = await extensionApi();
    await eventually('the status item names the log', () =>
      api.boundText()?.includes(failing) === true ? true : undefined,
    );
    const titles = await lensTitles(document.uri);
    assert.equal(
      titles.some(title => title.includes(failing) && title.includes('-20.603 GiB')),
      true,
      titles.join(' | '),
    );
    assert.equal(titles.includes(`Bound to ${failing}`), true);
  });

  it('dims the branch that the values rule out', async () => {
    const { document } = await showSource('gib.py', gibEra);
    const api = await extensionApi();
    const line = placeOf(document, 'layers = 1').line;
    await eventually('the branch is dimmed', () =>
      api.skippedLines(document.uri).includes(line) ? true : undefined,
    );
  });

  it('follows an edit', async () => {
    const editor = await showSource('edited.py', gibEra);
    await hintMatching(editor.document, 'budget', /-20\.603 GiB/);
    await typeText(editor, gibEra.replace('(1 - self', '(2 - self'));
    // python3: 21.697 - 93.999 * (2 - 0.55) = -114.60155
    await hintMatching(editor.document, 'budget', /^: (≈ )?-114\.60\d? GiB$/);
  });

  it('has no value from the first broken statement to the end of the function', async () => {
    const editor = await showSource('half.py', gibEra);
    await hintMatching(editor.document, 'budget', /-20\.603 GiB/);
    await typeText(editor, gibEra.replace(/free - whole.*/, 'free -'));
    const broken = placeOf(editor.document, 'budget = free -').line;
    const hints = await eventually('the hints are those of the new text', async () => {
      const found = await hintsOf(editor.document);
      const isOld = found.some(({ label }) => label.includes('-20.603'));
      return isOld || found.length === 0 ? undefined : found;
    });
    assert.equal(
      hints.some(({ before, label }) => before.endsWith('free') && label.includes('GiB')),
      true,
    );
    assert.deepEqual(
      hints.filter(({ line }) => line >= broken),
      [],
    );
    assert.equal(await hoverAt(editor.document, 'budget * (1'), '');
  });
});

describe('A Python source that is being written', () => {
  before(() => bindLog(fileUri(failing)));
  after(() => bindLog(null));

  it('loses values in the function that is broken alone, and has them back after an undo', async () => {
    const [, sizing = ''] = gibEra.split('class Engine:\n');
    const second = sizing.replace('token_capacity', 'other_capacity').replaceAll('budget', 'left');
    const editor = await showSource('written.py', `${gibEra}\n${second}`);
    const { document } = editor;
    await hintMatching(document, 'budget', /^: -20\.603 GiB$/);
    await hintMatching(document, 'left', /^: -20\.603 GiB$/);
    const start = placeOf(document, 'whole * (1');
    const end = document.lineAt(start.line).range.end;
    await editor.edit(edit => edit.delete(new vscode.Range(start, end)));
    await eventually('the value of the broken function is gone', async () => {
      const hints = await hintsOf(document);
      const isGone = hints.length > 0 && !hints.some(({ before }) => before.endsWith('budget'));
      return isGone || undefined;
    });
    assert.equal(await hintMatching(document, 'left', /GiB/), ': -20.603 GiB');
    await vscode.commands.executeCommand('undo');
    assert.match(document.lineAt(start.line).text, /whole \* \(1/);
    await hintMatching(document, 'budget', /^: -20\.603 GiB$/);
  });
});

describe('Every feature of Python sources', () => {
  before(() => bindLog(fileUri(failing)));
  after(() => bindLog(null));

  it('is off when its switch is off', async () => {
    const { document } = await showSource('switched.py', mixed);
    const api = await extensionApi();
    const isShown = {
      pythonHover: async () => (await hoverAt(document, 'budget = free')) !== '',
      inlayHints: async () => (await hintsOf(document)).length > 0,
      pythonCodeLens: async () => (await lensTitles(document.uri)).length > 0,
      skippedBranches: () => Promise.resolve(api.skippedLines(document.uri).length > 0),
      pythonProblems: () => Promise.resolve(problemsOf(document.uri).length > 0),
      statusBar: () => Promise.resolve(api.boundText() !== undefined),
    };
    const until = (what: string, expected: boolean, ask: () => Promise<boolean>) =>
      eventually(what, async () => ((await ask()) === expected ? true : undefined));
    for (const [feature, ask] of Object.entries(isShown)) {
      await until(`${feature} is shown`, true, ask);
      await withSettings({ [`${feature}.enabled`]: false }, async () => {
        await until(`${feature} is gone`, false, ask);
      });
      await until(`${feature} is shown again`, true, ask);
    }
  });
});

describe('A parser that does not load', () => {
  it('is said once, is one entry of the output, and stops nothing else', async () => {
    const texts: string[] = [];
    const entries: unknown[] = [];
    class CountedMessages extends Messages {
      override ui(...[id, values]: Parameters<Messages['ui']>): string {
        texts.push(id);
        return super.ui(id, values);
      }
    }
    class CountedOutput extends Output {
      override error(what: string, error: unknown): void {
        entries.push([what, error]);
      }
    }
    const settings = new Settings();
    const output = new CountedOutput('test');
    const sources = new PythonSources(
      fileUri('no-extension-here'),
      new CountedMessages(settings),
      output,
    );
    try {
      assert.equal(await sources.annotator(), undefined);
      assert.equal(await sources.annotator(), undefined);
      assert.deepEqual(texts, ['python.unavailable']);
      assert.equal(entries.length, 1);
    } finally {
      sources.dispose();
      output.dispose();
      settings.dispose();
      await vscode.commands.executeCommand('notifications.clearAll');
    }
  });
});
