/**
 * The founding case as a person meets it: the log of the failing start is opened, the mouse rests on
 * the debug line, and the window says what is wrong. The figures are those of the shared logs.
 */
import assert from 'node:assert/strict';
import { withWindow } from './window';

// Wrapped, as long log lines are read; otherwise their ends, and the notes there, are out of view.
const wrapped = { 'editor.wordWrap': 'on' };
const failing = { openFile: 'seed-failing.log', settings: wrapped, width: 1600 };
const debugLine = 37;
const rest = 'rest=-20.603';

const everythingOff = Object.fromEntries(
  ['hover', 'notes', 'problems', 'codeLens', 'statusBar'].map(feature => [
    `sglangKvLens.${feature}.enabled`,
    false,
  ]),
);

describe('The debug line of the failing run', () => {
  it('says in its hover what is left, from what, and the smallest fraction', async () => {
    await withWindow(failing, async window => {
      await window.goToLine(debugLine);
      const hover = await window.hoverText(rest);
      assert.match(hover, /-20\.603 GiB/);
      assert.match(hover, /0\.7692/);
      assert.match(hover, /-314,811/);
    });
  });

  it('has after it the number that matters', async () => {
    await withWindow(failing, async window => {
      await window.goToLine(debugLine);
      const note = await window.lineNoteContaining('-20.60');
      assert.match(note.text, /GiB/);
      assert.equal(
        (await window.visibleLines()).some(({ line }) => line === note.line),
        true,
      );
    });
  });

  it('is one problem for the run, not one for each of its eight ranks', async () => {
    await withWindow(failing, async window => {
      const rows = await window.eventually('a problem is listed', async () => {
        const found = (await window.problems()).filter(row => row.includes('not-enough-memory'));
        return found.length > 0 ? found : undefined;
      });
      assert.equal(rows.length, 1);
      assert.match(rows[0] ?? '', /0\.7692/);
    });
  });

  it('is silent when every feature is switched off', async () => {
    await withWindow({ ...failing, settings: { ...wrapped, ...everythingOff } }, async window => {
      await window.goToLine(debugLine);
      assert.equal(await window.hoverTextOrNone(rest), undefined);
      assert.deepEqual(await window.lineNotes(), []);
      assert.deepEqual(await window.codeLenses(), []);
      assert.deepEqual(await window.problems(), []);
    });
  });
});

describe('The command “Evaluate KV Budget”', () => {
  it('opens the report of the log that is shown', async () => {
    await withWindow(failing, async window => {
      await window.runCommand('SGLang: Evaluate KV Budget');
      await window.pick('This log');
      assert.match(await window.webviewText('0.7692'), /-20\.603 GiB/);
    });
  });
});
