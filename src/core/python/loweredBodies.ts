/**
 * The bodies of functions that were lowered, kept from one text of a file to the next: a function whose
 * text is the same is not lowered again, wherever an edit moved it. Leaves out functions with an error
 * in them, and those that contain definitions, whose own bodies are still bound to their tree.
 */
import type { Node } from './parser';
import type { Block, Span } from './syntax';

interface LoweredBody {
  readonly text: string;
  readonly span: Span;
  readonly body: Block;
}

/** By qualified name, one for each name. */
export class LoweredBodies {
  readonly #bodies: Map<string, LoweredBody>;

  /** Starts with those of the text before. */
  constructor(before?: LoweredBodies) {
    this.#bodies = new Map(before === undefined ? [] : before.#bodies);
  }

  /** The body of a function, lowered only where it is another text than before. */
  bodyOf(name: string, node: Node, span: Span, lower: () => Block): Block {
    const { text, hasError } = node;
    const known = this.#bodies.get(name);
    if (!hasError && known?.text === text && known.span.column === span.column) {
      const body = movedBody(known, span);
      this.#bodies.set(name, { text, span, body });
      return body;
    }
    const body = lower();
    if (hasError || hasDefinitions(node)) {
      this.#bodies.delete(name);
    } else {
      this.#bodies.set(name, { text, span, body });
    }
    return body;
  }
}

/** True for a function that defines others, or classes, in its body. */
function hasDefinitions(node: Node): boolean {
  return node.descendantsOfType(['function_definition', 'class_definition']).length > 1;
}

function movedBody({ span, body }: LoweredBody, { start, row }: Span): Block {
  const letters = start - span.start;
  const rows = row - span.row;
  return letters === 0 && rows === 0 ? body : moved(body, letters, rows);
}

/** The same syntax with every span moved; syntax is plain data. */
function moved<T>(part: T, letters: number, rows: number): T {
  if (typeof part !== 'object' || part === null) {
    return part;
  }
  if (Array.isArray(part)) {
    return part.map((one: unknown) => moved(one, letters, rows)) as T;
  }
  if (isSpan(part)) {
    return {
      ...part,
      start: part.start + letters,
      end: part.end + letters,
      row: part.row + rows,
      endRow: part.endRow + rows,
    };
  }
  const copy = { ...part } as Record<string, unknown>;
  for (const key of Object.keys(copy)) {
    const one = copy[key];
    if (typeof one === 'object' && one !== null) {
      copy[key] = moved(one, letters, rows);
    }
  }
  return copy as T;
}

function isSpan(part: object): part is Span {
  return 'endRow' in part && 'endColumn' in part && 'start' in part;
}
