/**
 * The command "Set a Value Here": for the expression under the cursor or a missing input, asked for
 * in its unit. An empty answer clears the value. Called with a file and a name it asks for that one.
 */
import type { QuickPickItem, TextDocument, Uri } from 'vscode';
import { QuickPickItemKind, window } from 'vscode';
import type { FileAnnotations } from '../../core/annotate/python/fileAnnotations';
import type { PythonHover } from '../../core/annotate/python/pythonHover';
import { readGivenValue, unitOfInput } from '../../core/annotate/python/settingText';
import type { Unit } from '../../core/units/unit';
import { units } from '../../core/units/unit';
import { uriFrom } from '../argument';
import { HumanError } from '../humanError';
import { openDocument } from '../logSource';
import type { Messages } from '../messages';
import { editorRange } from './editorRange';
import type { PythonDocuments } from './pythonDocuments';
import type { SetValues } from './setValues';

/** What a value may be set for. */
interface Subject {
  readonly name: string;
  readonly unit: Unit | undefined;
}

interface SubjectPick extends QuickPickItem {
  readonly choose?: () => Promise<void>;
}

/** The command. */
export class SetValueCommand {
  readonly #documents: PythonDocuments;
  readonly #values: SetValues;
  readonly #messages: Messages;

  constructor(documents: PythonDocuments, values: SetValues, messages: Messages) {
    this.#documents = documents;
    this.#values = values;
    this.#messages = messages;
  }

  /** Sets `text` for `name` where both are given; asks for what is not. */
  async run(address?: unknown, name?: unknown, text?: unknown): Promise<void> {
    const uri = uriFrom(address);
    const document = uri ? openDocument(uri) : window.activeTextEditor?.document;
    const found = document && (await this.#documents.current(document));
    if (document === undefined || found === undefined) {
      throw new HumanError(this.#messages.ui('error.no-python'));
    }
    if (typeof name === 'string') {
      await this.#set(document.uri, { name, unit: unitFor(name, found) }, text);
      return;
    }
    await this.#pick(document, found);
  }

  async #pick(document: TextDocument, found: FileAnnotations): Promise<void> {
    const here = this.#here(document, found);
    const missing = found.functions
      .flatMap(one => one.missing)
      .filter((name, at, names) => names.indexOf(name) === at && name !== here?.name)
      .map(name => ({ name, unit: unitFor(name, found) }));
    const known = this.#values.of(document.uri);
    const picks: SubjectPick[] = [
      ...(here ? [this.#heading('set.here'), this.#subjectPick(document.uri, here)] : []),
      ...(missing.length > 0 ? [this.#heading('set.missing')] : []),
      ...missing
        .filter(({ name }) => !known.has(name))
        .map(subject => this.#subjectPick(document.uri, subject)),
      ...[...known].map(([name, { text }]) => ({
        ...this.#subjectPick(document.uri, { name, unit: unitFor(name, found) }),
        detail: this.#messages.ui('set.known', { value: text }),
      })),
      ...(known.size > 0
        ? [
            {
              label: this.#messages.ui('set.clear-all'),
              choose: () => this.#values.clear(document.uri),
            },
          ]
        : []),
    ];
    if (picks.length === 0) {
      throw new HumanError(this.#messages.ui('error.no-expression'));
    }
    const picked = await window.showQuickPick(picks, {
      placeHolder: this.#messages.ui('set.placeholder'),
    });
    await picked?.choose?.();
  }

  #heading(id: 'set.here' | 'set.missing'): SubjectPick {
    return { label: this.#messages.ui(id), kind: QuickPickItemKind.Separator };
  }

  #subjectPick(uri: Uri, subject: Subject): SubjectPick {
    const { name, unit } = subject;
    return {
      label: name,
      ...(unit !== undefined && unit !== units.one && { description: unit.name }),
      choose: () => this.#set(uri, subject),
    };
  }

  /** The expression that is selected or under the cursor. */
  #here(document: TextDocument, found: FileAnnotations): Subject | undefined {
    const editor = window.activeTextEditor;
    if (editor?.document !== document) {
      return undefined;
    }
    const { line, character } = editor.selection.start;
    const hover = found.hoverAt(line, character);
    return hover && subjectOf(hover, document);
  }

  async #set(uri: Uri, { name, unit }: Subject, given?: unknown): Promise<void> {
    const known = this.#values.of(uri).get(name);
    const hasUnit = unit !== undefined && unit !== units.one;
    const text =
      typeof given === 'string'
        ? given
        : await window.showInputBox({
            title: hasUnit
              ? this.#messages.ui('set.prompt-unit', { name, unit: unit.name })
              : this.#messages.ui('set.prompt', { name }),
            prompt: this.#messages.ui('set.hint'),
            ...(known !== undefined && { value: known.text }),
            ignoreFocusOut: true,
            validateInput: typed => this.#validate(typed, name, unit),
          });
    if (text === undefined) {
      return;
    }
    const problem = this.#validate(text, name, unit);
    if (problem !== undefined) {
      throw new HumanError(problem);
    }
    const value = text.trim();
    await this.#values.set(uri, name, value === '' ? undefined : { text: value, unit: unit?.name });
  }

  #validate(typed: string, name: string, unit: Unit | undefined): string | undefined {
    const text = typed.trim();
    if (text === '' || readGivenValue(name, text, unit) !== undefined) {
      return undefined;
    }
    return unit === undefined || unit === units.one
      ? this.#messages.ui('set.no-plain-value')
      : this.#messages.ui('set.no-value', { unit: unit.name });
  }
}

/** An expression that is an input by another name stands for the input. */
function subjectOf(hover: PythonHover, document: TextDocument): Subject {
  const text = document.getText(editorRange(hover.range));
  const [only, ...others] = hover.inputs;
  const isInput =
    only !== undefined && others.length === 0 && hover.target === undefined && only.source === text;
  return isInput
    ? { name: only.name, unit: unitOfInput(only.name) ?? hover.unit }
    : { name: text, unit: hover.unit };
}

function unitFor(name: string, found: FileAnnotations): Unit | undefined {
  const note = found.annotations.find(one => one.name === name && one.unit);
  return unitOfInput(name) ?? note?.unit ?? found.unitOf(name);
}
