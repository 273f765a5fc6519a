/**
 * The one owner of decorations: text after lines, and parts of a source that are not reached. Replaces what is drawn in one step, never clears
 * first; bounds the length of a text and the number of different texts, which is what drawing costs.
 */
import type { Disposable, TextEditor } from 'vscode';
import { DecorationRangeBehavior, Range, ThemeColor, window } from 'vscode';

/** `warning` for a failure; the text says so too. */
export type NoteTone = 'plain' | 'warning';

/** Text after a line. */
export interface LineNote {
  /** 0-based. */
  readonly line: number;
  readonly text: string;
  readonly tone: NoteTone;
}

/** Longer texts add a scroll bar; what is cut stands in the hover. */
export const longestNote = 40;

/** Different texts alive in an editor: clearing thousands blocks the window for seconds. */
const mostTexts = 300;

const colours: Readonly<Record<NoteTone, ThemeColor>> = {
  plain: new ThemeColor('sglangKvLens.noteForeground'),
  warning: new ThemeColor('sglangKvLens.warningNoteForeground'),
};

/** Draws notes and remembers what it drew. */
export class Decorations implements Disposable {
  readonly #type = window.createTextEditorDecorationType({
    rangeBehavior: DecorationRangeBehavior.ClosedOpen,
    after: { margin: '0 0 0 1em' },
  });
  // Never colour alone: the slant says it too, and the hover in words.
  readonly #skippedType = window.createTextEditorDecorationType({
    rangeBehavior: DecorationRangeBehavior.ClosedClosed,
    color: new ThemeColor('sglangKvLens.skippedForeground'),
    fontStyle: 'italic',
  });
  readonly #shown = new WeakMap<TextEditor, readonly LineNote[]>();
  readonly #skipped = new WeakMap<TextEditor, readonly Range[]>();

  /** Draws these notes in place of those before. */
  show(editor: TextEditor, notes: readonly LineNote[]): void {
    const before = this.#shown.get(editor) ?? [];
    const now = bounded(notes);
    if (before.length === 0 && now.length === 0) {
      return;
    }
    this.#shown.set(editor, now);
    editor.setDecorations(
      this.#type,
      now.map(({ line, text, tone }) => ({
        range: new Range(line, Number.MAX_SAFE_INTEGER, line, Number.MAX_SAFE_INTEGER),
        renderOptions: { after: { contentText: text, color: colours[tone] } },
      })),
    );
  }

  /** Draws these parts as not reached, in place of those before. */
  showSkipped(editor: TextEditor, ranges: readonly Range[]): void {
    if (ranges.length > 0 || this.skippedIn(editor).length > 0) {
      this.#skipped.set(editor, ranges);
      editor.setDecorations(this.#skippedType, ranges);
    }
  }

  /** The parts of an editor that are drawn as not reached. */
  skippedIn(editor: TextEditor): readonly Range[] {
    return this.#skipped.get(editor) ?? [];
  }

  /** What is drawn in an editor. */
  shownIn(editor: TextEditor): readonly LineNote[] {
    return this.#shown.get(editor) ?? [];
  }

  dispose(): void {
    this.#type.dispose();
    this.#skippedType.dispose();
  }
}

function bounded(notes: readonly LineNote[]): LineNote[] {
  const texts = new Set<string>();
  return notes.flatMap(note => {
    const text =
      note.text.length > longestNote ? `${note.text.slice(0, longestNote - 1)}…` : note.text;
    if (!texts.has(text) && texts.size >= mostTexts) {
      return [];
    }
    texts.add(text);
    return [{ ...note, text }];
  });
}
