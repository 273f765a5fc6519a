/** Values that somebody set by hand for inputs and expressions of a Python file; kept for the workspace. */
import type { Disposable, Event, Memento, Uri } from 'vscode';
import { EventEmitter } from 'vscode';
import type { GivenValue, PythonBindings } from '../../core/annotate/python/pythonBindings';
import { readGivenValue } from '../../core/annotate/python/settingText';
import { Unit } from '../../core/units/unit';

/** A value as it was typed, with the unit that it was asked for in. */
export interface SetValue {
  readonly text: string;
  readonly unit: string | undefined;
}

type Stored = Readonly<Record<string, Readonly<Record<string, SetValue>>>>;

const storedKey = 'pythonValues';

/** Keeps values by file and name. */
export class SetValues implements Disposable {
  readonly #state: Memento;
  readonly #changed = new EventEmitter<void>();

  constructor(state: Memento) {
    this.#state = state;
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** What is set for a file, by input id or expression. */
  of(uri: Uri): ReadonlyMap<string, SetValue> {
    const own = this.#all()[uri.toString()];
    return new Map(Object.entries(own ?? {}).filter(([, value]) => isSetValue(value)));
  }

  /** The same as the annotator takes it. */
  bindings(uri: Uri): PythonBindings {
    return new Map(
      [...this.of(uri)].flatMap(([name, { text, unit }]): [string, GivenValue][] => {
        const value = readGivenValue(name, text, unit === undefined ? undefined : Unit.parse(unit));
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }

  /** Sets the value of a name; without one it is cleared. */
  async set(uri: Uri, name: string, value: SetValue | undefined): Promise<void> {
    const values = new Map(this.of(uri));
    if (value === undefined) {
      values.delete(name);
    } else {
      values.set(name, value);
    }
    await this.#store(uri, Object.fromEntries(values));
  }

  /** Clears every value of a file. */
  async clear(uri: Uri): Promise<void> {
    await this.#store(uri, {});
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #all(): Stored {
    const stored = this.#state.get<unknown>(storedKey);
    return typeof stored === 'object' && stored !== null ? (stored as Stored) : {};
  }

  async #store(uri: Uri, values: Readonly<Record<string, SetValue>>): Promise<void> {
    const others = Object.entries(this.#all()).filter(([file]) => file !== uri.toString());
    const own = Object.keys(values).length === 0 ? [] : [[uri.toString(), values] as const];
    await this.#state.update(storedKey, Object.fromEntries([...others, ...own]));
    this.#changed.fire();
  }
}

function isSetValue(value: unknown): value is SetValue {
  return (
    typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'
  );
}
