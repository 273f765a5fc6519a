/** Asks for the values of a budget one by one, with their units, and says what a typed amount is. */
import { InputBoxValidationSeverity, window } from 'vscode';
import type { InputBoxValidationMessage } from 'vscode';
import type { GivenValues } from '../core/account/givenBudget';
import { formatNumber } from '../core/units/format';
import type { PythonNumber } from '../core/units/pythonNumber';
import { readAmount } from '../core/units/readAmount';
import type { Unit } from '../core/units/unit';
import { units } from '../core/units/unit';
import type { Messages } from './messages';
import type { Settings } from './settings';

interface Question {
  readonly prompt: string;
  readonly unit: Unit;
  readonly example: string;
  readonly isOptional?: boolean;
  /** What is wrong with a number; undefined where nothing is. */
  readonly check?: (value: number) => string | undefined;
}

type Answer = { readonly value: PythonNumber | undefined } | undefined;

const steps = 5;

/** Asks. */
export class ValueInput {
  readonly #messages: Messages;
  readonly #settings: Settings;

  constructor(messages: Messages, settings: Settings) {
    this.#messages = messages;
    this.#settings = settings;
  }

  /** The values; undefined when the user stopped. */
  async ask(): Promise<GivenValues | undefined> {
    const ui = this.#messages.ui.bind(this.#messages);
    const total = await this.#askOne(1, {
      prompt: ui('value.total'),
      unit: units.GiB,
      example: '93.999 GiB',
    });
    const available = await this.#after(total, 2, {
      prompt: ui('value.available'),
      unit: units.GiB,
      example: '21.697 GiB',
      check: value =>
        value > Number(total?.value)
          ? ui('value.above-total', { total: this.#amount(total?.value, units.GiB) })
          : undefined,
    });
    const fraction = await this.#after(available, 3, {
      prompt: ui('value.fraction'),
      unit: units.one,
      example: '0.88',
      check: value => (value > 1 ? ui('value.no-fraction') : undefined),
    });
    const cell = await this.#after(fraction, 4, {
      prompt: ui('value.cell'),
      unit: units.bytesPerToken,
      example: '70272',
    });
    const need = await this.#after(cell, 5, {
      prompt: ui('value.context'),
      unit: units.token,
      example: '131072',
      isOptional: true,
    });
    return total?.value !== undefined &&
      available?.value !== undefined &&
      fraction?.value !== undefined &&
      cell?.value !== undefined &&
      need !== undefined
      ? {
          total: total.value,
          available: available.value,
          fraction: fraction.value,
          bytesPerToken: cell.value,
          needTokens: need.value,
        }
      : undefined;
  }

  #after(before: Answer, step: number, question: Question): Promise<Answer> {
    return before === undefined ? Promise.resolve(undefined) : this.#askOne(step, question);
  }

  async #askOne(step: number, question: Question): Promise<Answer> {
    const { prompt, unit, example } = question;
    const text = await window.showInputBox({
      title: this.#messages.ui('value.title', { step, steps }),
      prompt,
      placeHolder: this.#messages.ui('value.example', { example }),
      ignoreFocusOut: true,
      validateInput: typed => this.#validate(typed, question),
    });
    return text === undefined ? undefined : { value: readAmount(text, unit) };
  }

  #validate(typed: string, question: Question): InputBoxValidationMessage | string | undefined {
    const { unit, example, isOptional, check } = question;
    if (isOptional === true && typed.trim() === '') {
      return undefined;
    }
    const value = readAmount(typed, unit);
    if (value === undefined || !Number.isFinite(Number(value))) {
      return unit.isMemory
        ? this.#messages.ui('value.no-amount', { example, unit: unit.name })
        : this.#messages.ui('value.no-number', { example });
    }
    if (Number(value) <= 0) {
      return this.#messages.ui('value.not-positive');
    }
    return check?.(Number(value)) ?? this.#conversion(typed, value, unit);
  }

  /** Says what an amount comes to that was typed in another unit. */
  #conversion(
    typed: string,
    value: PythonNumber,
    unit: Unit,
  ): InputBoxValidationMessage | undefined {
    return unit.isMemory && !typed.includes(unit.name) && /[a-z]/i.test(typed)
      ? {
          message: this.#messages.ui('value.is', { amount: this.#amount(value, unit) }),
          severity: InputBoxValidationSeverity.Info,
        }
      : undefined;
  }

  #amount(value: PythonNumber | undefined, unit: Unit): string {
    return `${formatNumber(Number(value), 3, this.#settings.format(undefined))} ${unit.name}`;
  }
}
