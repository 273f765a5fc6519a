/**
 * Text of one message with a way back to where each character stands: escape sequences are removed
 * from it, and fragments and wrapped lines are joined. Leaves out what the text says.
 */

/** A place in the file: 1-based physical line, 0-based UTF-16 column. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** A physical line of the file. */
export interface PhysicalLine {
  /** Without its line end. */
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  /** Byte offset of its start in the file. */
  readonly byteOffset: number;
  /** False for the last line while no line end has been read, and for capped lines. */
  readonly isTerminated: boolean;
}

interface Piece {
  /** Where the piece starts in the joined text. */
  readonly at: number;
  readonly source: PhysicalLine;
  /** Column in the source of each character, where they are not consecutive. */
  readonly columns: readonly number[] | undefined;
  /** Column in the source of the first character. */
  readonly column: number;
}

const escapeSequence =
  /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;

/** Text made of parts of physical lines. */
export class JoinedText {
  readonly text: string;
  readonly #pieces: readonly Piece[];
  /** Where lines end that were joined to a next one with something between. */
  readonly #lineEnds: readonly number[];

  private constructor(text: string, pieces: readonly Piece[], lineEnds: readonly number[] = []) {
    this.text = text;
    this.#pieces = pieces;
    this.#lineEnds = lineEnds;
  }

  /** One physical line, without its terminal escape sequences. */
  static from(source: PhysicalLine): JoinedText {
    if (!source.text.includes('\u001b')) {
      return new JoinedText(source.text, [{ at: 0, source, columns: undefined, column: 0 }]);
    }
    const columns: number[] = [];
    let text = '';
    let from = 0;
    for (const match of source.text.matchAll(escapeSequence)) {
      for (let column = from; column < match.index; column += 1) {
        columns.push(column);
      }
      text += source.text.slice(from, match.index);
      from = match.index + match[0].length;
    }
    for (let column = from; column < source.text.length; column += 1) {
      columns.push(column);
    }
    text += source.text.slice(from);
    return new JoinedText(text, [{ at: 0, source, columns, column: 0 }]);
  }

  /** The part from `start` to `end`. */
  slice(start: number, end: number): JoinedText {
    const pieces = this.#pieces.flatMap((piece, index) => {
      const next = this.#pieces[index + 1]?.at ?? this.text.length;
      if (next <= start && piece.at < start) {
        return [];
      }
      const skipped = Math.max(0, start - piece.at);
      const at = Math.max(0, piece.at - start);
      return at > end - start
        ? []
        : [
            {
              at,
              source: piece.source,
              columns: piece.columns?.slice(skipped),
              column: piece.column + skipped,
            },
          ];
    });
    return new JoinedText(
      this.text.slice(start, end),
      pieces,
      this.#lineEnds.map(place => place - start),
    );
  }

  /** This text, a separator that stands nowhere, and the other text. */
  join(separator: string, other: JoinedText): JoinedText {
    const shift = this.text.length + separator.length;
    return new JoinedText(
      this.text + separator + other.text,
      [...this.#pieces, ...other.#pieces.map(piece => ({ ...piece, at: piece.at + shift }))],
      [
        ...this.#lineEnds,
        ...(separator === '' ? [] : [this.text.length]),
        ...other.#lineEnds.map(place => place + shift),
      ],
    );
  }

  get firstLine(): PhysicalLine {
    return this.#piece(0).source;
  }

  get lastLine(): PhysicalLine {
    return this.#piece(this.text.length).source;
  }

  /** Whether a line ends at `index` that was joined to a next one with something between. */
  endsLineAt(index: number): boolean {
    return this.#lineEnds.includes(index);
  }

  /** Where the character at `index` stands; for the end of the text, where the next would. */
  place(index: number): TextPlace {
    const piece = this.#piece(index);
    const within = index - piece.at;
    const column =
      piece.columns === undefined
        ? piece.column + within
        : (piece.columns[within] ?? (piece.columns.at(-1) ?? piece.column - 1) + 1);
    return { line: piece.source.line, column };
  }

  /** Where the character before `index` ends: the exclusive end of a range. */
  placeAfter(index: number): TextPlace {
    const { line, column } = this.place(Math.max(0, index - 1));
    return { line, column: index === 0 ? column : column + 1 };
  }

  #piece(index: number): Piece {
    let found = this.#pieces[0];
    for (const piece of this.#pieces) {
      if (piece.at <= index) {
        found = piece;
      }
    }
    if (found === undefined) {
      throw new RangeError('text without a source line');
    }
    return found;
  }
}
