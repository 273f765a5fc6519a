/**
 * The one place that talks to web-tree-sitter: loads the two wasm files from bytes that the host
 * brings, parses, and parses again after edits. Leaves out what a tree means.
 */
import type { Node, Tree } from 'web-tree-sitter';
import { Edit, Language, Parser } from 'web-tree-sitter';

export type { Node, Tree } from 'web-tree-sitter';

/** The bytes of `web-tree-sitter.wasm` and of `tree-sitter-python.wasm`. */
export interface WasmFiles {
  readonly runtime: Uint8Array;
  readonly grammar: Uint8Array;
}

/** Why Python files cannot be read on this host: wasm is forbidden, cut short or of another version. */
export class PythonUnavailableError extends Error {
  readonly part: keyof WasmFiles;

  constructor(part: keyof WasmFiles, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.part = part;
  }
}

/** A change of the text, in UTF-16 offsets of the text before it. */
export interface TextChange {
  readonly start: number;
  readonly oldEnd: number;
  readonly inserted: string;
}

let runtime: Promise<void> | undefined;

/** Parses Python text. One parser serves all files of a host. */
export class PythonParser {
  readonly #parser: Parser;

  private constructor(parser: Parser) {
    this.#parser = parser;
  }

  /** Rejects with PythonUnavailableError where the wasm cannot be loaded; may be tried again. */
  static async load(files: () => Promise<WasmFiles>): Promise<PythonParser> {
    const { runtime: runtimeBytes, grammar } = await files().catch((error: unknown) => {
      throw new PythonUnavailableError('runtime', error);
    });
    runtime ??= Parser.init({ wasmBinary: runtimeBytes });
    try {
      await runtime;
    } catch (error) {
      runtime = undefined;
      throw new PythonUnavailableError('runtime', error);
    }
    try {
      const language = await Language.load(grammar);
      return new PythonParser(new Parser().setLanguage(language));
    } catch (error) {
      throw new PythonUnavailableError('grammar', error);
    }
  }

  /** The tree of a text; the caller disposes of it with `delete()`. */
  parse(text: string): Tree {
    return this.#parse(text, null);
  }

  /**
   * The tree of the text after `changes` (in order, each in the offsets that the one before left),
   * sharing what did not change. The old tree is edited and must be deleted by its owner.
   */
  reparse(old: Tree, oldText: string, newText: string, changes: readonly TextChange[]): Tree {
    if (loneReturn.test(oldText) || loneReturn.test(newText)) {
      return this.parse(newText);
    }
    let text = oldText;
    for (const { start, oldEnd, inserted } of changes) {
      const next = text.slice(0, start) + inserted + text.slice(oldEnd);
      const newEnd = start + inserted.length;
      old.edit(
        new Edit({
          startIndex: start,
          oldEndIndex: oldEnd,
          newEndIndex: newEnd,
          startPosition: pointAt(text, start),
          oldEndPosition: pointAt(text, oldEnd),
          newEndPosition: pointAt(next, newEnd),
        }),
      );
      text = next;
    }
    return this.#parse(newText, text === newText ? old : null);
  }

  #parse(text: string, old: Tree | null): Tree {
    const tree = this.#parser.parse(text.replace(loneReturns, '\n'), old);
    if (tree === null) {
      throw new PythonUnavailableError('grammar', new Error('the parser gave no tree'));
    }
    return tree;
  }
}

/** A line end of its own to Python and to editors, which the grammar does not take for one. */
const loneReturn = /\r(?!\n)/;
const loneReturns = /\r(?!\n)/g;

function pointAt(text: string, offset: number): { row: number; column: number } {
  let row = 0;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    row++;
    lineStart = at + 1;
  }
  return { row, column: offset - lineStart };
}

/** The named children that are no comments. */
export function significantChildren(node: Node): Node[] {
  return node.namedChildren.filter(child => child.type !== 'comment');
}
