/** The annotations of one text of a file, with what hovers need to answer for any expression. */
import { sourceKey, sourceOf } from '../../python/machine';
import type { SourceModule } from '../../python/sourceModule';
import type { Unit } from '../../units/unit';
import type { FunctionAnnotations } from './annotateFunction';
import type { AnnotatedFunction, FunctionRole, PythonAnnotation } from './annotation';
import type { DebugLine } from './debugLine';
import { debugLineOf } from './debugLine';
import type { FunctionValues } from './functionValues';
import type { PythonHover } from './pythonHover';
import { hoverOf } from './pythonHover';

/** One function with its role. */
export interface AnnotatedReading extends FunctionAnnotations {
  readonly values: FunctionValues;
  readonly role: FunctionRole;
}

/** Holds for the text that it was made of, and no other. */
export class FileAnnotations {
  readonly path: string;
  readonly text: string;
  /** Names that were set and are neither inputs nor expressions of the file. */
  readonly unknownNames: readonly string[];
  readonly #readings: readonly AnnotatedReading[];
  readonly #plain: readonly PythonAnnotation[];

  constructor(
    { path, text }: SourceModule,
    readings: readonly AnnotatedReading[],
    plain: readonly PythonAnnotation[],
    unknownNames: readonly string[],
  ) {
    this.path = path;
    this.text = text;
    this.#readings = readings;
    this.#plain = plain;
    this.unknownNames = unknownNames;
  }

  /** Ids of what was taken for granted, in the order of the functions. */
  get assumptions(): readonly string[] {
    return [
      ...new Set(
        this.#readings.flatMap(({ values }) => [...values.reading.run.machine.assumptions]),
      ),
    ];
  }

  get functions(): readonly AnnotatedFunction[] {
    return this.#readings.map(({ summary }) => summary);
  }

  /** Those of functions with a role, and what is certain of others; in the order of the text. */
  get annotations(): readonly PythonAnnotation[] {
    return [...this.#readings.flatMap(({ annotations }) => annotations), ...this.#plain].toSorted(
      (a, b) => a.range.row - b.range.row || a.range.column - b.range.column,
    );
  }

  /** The unit that an expression has wherever it occurs; undefined where it is unknown or not one. */
  unitOf(expression: string): Unit | undefined {
    const key = sourceKey(expression);
    const found = this.#readings.flatMap(({ values }) => {
      const { module, trace } = values.reading.run;
      return [...trace.values].flatMap(([one, value]) =>
        sourceKey(sourceOf(module, one)) === key
          ? (values.unitOf(values.asNumber(value)) ?? [])
          : [],
      );
    });
    const [unit, ...others] = new Set(found);
    return others.length === 0 ? unit : undefined;
  }

  /** The print of the inputs of the sizing function around a row; undefined where there is none. */
  debugLineAt(row: number): DebugLine | undefined {
    const found = this.#readings.find(
      ({ role, summary: { range } }) =>
        role === 'sizing' && range.row <= row && row <= range.endRow,
    );
    return found && debugLineOf(found.values);
  }

  /** What to show over a place; undefined outside the functions that have a role. */
  hoverAt(row: number, column: number): PythonHover | undefined {
    const found = this.#readings.find(({ summary: { range } }) => {
      const starts = range.row < row || (range.row === row && range.column <= column);
      return starts && (row < range.endRow || (row === range.endRow && column <= range.endColumn));
    });
    return found && hoverOf(found.values, row, column);
  }
}
