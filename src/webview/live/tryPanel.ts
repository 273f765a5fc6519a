/**
 * What-if while a person moves the slider or types: asks the run's own graph at most once a frame and
 * writes what comes out. The tokens field goes the other way: it gives the fraction.
 */
import type { BudgetAnswer } from '../../core/report/budgetAnswer';
import { budgetAnswer, fractionForTokens } from '../../core/report/budgetAnswer';
import { whatIfOfData } from '../../core/report/budgetData';
import type { PageModel, PageWhatIf } from '../../core/report/pageModel';
import { budgetTerms } from '../../core/sglang/budgetFormula';
import { factOf } from '../../core/terms/derive';
import type { Fact } from '../../core/terms/fact';
import { formatShort, formatSpread } from '../../core/units/format';
import { givenQuantity } from '../../core/units/givenQuantity';
import type { PythonNumber } from '../../core/units/pythonNumber';
import type { Quantity } from '../../core/units/quantity';
import { readAmount } from '../../core/units/readAmount';
import type { Unit } from '../../core/units/unit';
import { units } from '../../core/units/unit';
import type { TriedValues } from '../protocol';
import { html } from '../html';
import { number, say, titled } from '../view/drawing';
import { amount } from '../view/amount';
import { byId, setText } from './document';

/** Inputs that can be typed over, with the terms that they replace. */
const inputs = {
  total: { unit: units.GiB, terms: [budgetTerms.total] },
  available: { unit: units.GiB, terms: [budgetTerms.available] },
  cell: { unit: units.bytesPerToken, terms: [budgetTerms.cell, budgetTerms.allocatedCell] },
} as const satisfies Record<string, { unit: Unit; terms: readonly Fact['term'][] }>;

type InputId = keyof typeof inputs;

const inputIds = Object.keys(inputs) as InputId[];

/** A page that reads numbers aloud at every step of a slider says nothing that can be followed. */
const quietMs = 400;

interface TextField extends HTMLElement {
  value: string;
  /** What it is called for those who do not see the text above it; no attribute sets it. */
  label: string;
  invalid: boolean;
}

/** The part of the page where other values are tried. */
export class TryPanel {
  readonly #model: PageModel;
  readonly #data: PageWhatIf;
  readonly #budget;
  readonly #onChange: (tried: TriedValues) => void;
  #fraction: number;
  #texts: Record<string, string>;
  #isDue = false;
  #speaking: ReturnType<typeof setTimeout> | undefined;

  constructor(
    model: PageModel,
    data: PageWhatIf,
    tried: TriedValues,
    onChange: (tried: TriedValues) => void,
  ) {
    this.#model = model;
    this.#data = data;
    this.#budget = whatIfOfData(data.facts);
    this.#onChange = onChange;
    this.#fraction = tried.fraction ?? data.fraction;
    this.#texts = { ...tried.texts };
    this.#listen();
    this.#fill();
    this.#update();
  }

  /** The flag of the value that is tried; undefined where no typed value comes to it. */
  get flag(): string | undefined {
    const typed = this.#fraction / (this.#data.multiplier ?? 1);
    return typed < 1 ? `--mem-fraction-static ${number(typed)}` : undefined;
  }

  /** Back to what the log says. */
  reset(): void {
    this.#fraction = this.#data.fraction;
    this.#texts = {};
    this.#fill();
    this.#schedule();
  }

  #listen(): void {
    byId('slider').addEventListener('input', event => {
      this.#fraction = Number((event.target as HTMLInputElement).value);
      this.#forget('tokens');
      this.#show('fraction', number(this.#fraction));
      this.#show('tokens', '');
      setText('out-note', '');
      this.#schedule();
    });
    for (const id of ['fraction', 'tokens', ...inputIds]) {
      const field = byId(`in-${id}`) as TextField;
      field.label = field.dataset['label'] ?? '';
      field.addEventListener('input', () => this.#typed(id));
    }
  }

  /** Writes the fields as they stand. */
  #fill(): void {
    for (const id of inputIds) {
      this.#show(id, this.#texts[id] ?? this.#knownText(id));
      const { placeholder } = this.#known(id);
      byId(`in-${id}`).setAttribute('placeholder', placeholder);
    }
    this.#show('fraction', number(this.#fraction));
    this.#show('tokens', this.#texts['tokens'] ?? '');
    this.#moveSlider();
  }

  #show(id: string, value: string): void {
    const field = byId(`in-${id}`) as TextField;
    if (field.value !== value) {
      field.value = value;
    }
    this.#mark(id, '');
  }

  #mark(id: string, error: string): void {
    const field = byId(`in-${id}`) as TextField;
    field.invalid = error !== '';
    setText(`error-${id}`, error);
  }

  #knownText(id: InputId): string {
    return this.#known(id).value;
  }

  /** What the log says of an input: a number to edit, or bounds as a hint. */
  #known(id: InputId): { readonly value: string; readonly placeholder: string } {
    const term = inputs[id].terms[0];
    const fact = whatIfFact(this.#data, term);
    if (fact === undefined) {
      return { value: '', placeholder: '' };
    }
    const { lo, hi, nominal } = fact;
    if (nominal !== undefined || lo === hi) {
      return { value: number(Number(nominal ?? lo)), placeholder: '' };
    }
    const written = (bound: number | null): string =>
      (bound ?? 0).toLocaleString(this.#model.locale, { maximumSignificantDigits: 6 });
    return { value: '', placeholder: `${written(lo)}…${written(hi)}` };
  }

  #typed(id: string): void {
    const text = (byId(`in-${id}`) as TextField).value.trim();
    if (text === '' || (isInput(id) && text === this.#knownText(id))) {
      this.#forget(id);
    } else {
      this.#texts[id] = text;
    }
    this.#mark(id, '');
    if (id === 'fraction') {
      this.#typedFraction(text);
    }
    this.#schedule();
  }

  #forget(id: string): void {
    this.#texts = Object.fromEntries(Object.entries(this.#texts).filter(([key]) => key !== id));
  }

  #typedFraction(text: string): void {
    this.#forget('fraction');
    this.#forget('tokens');
    const value = Number(readAmount(text, units.one) ?? NaN);
    if (value > 0 && value < 1) {
      this.#fraction = value;
      this.#show('tokens', '');
      setText('out-note', '');
      this.#moveSlider();
    } else {
      this.#mark('fraction', say(this.#model, 'try.invalid', { unit: '0…1' }));
    }
  }

  #moveSlider(): void {
    (byId('slider') as HTMLInputElement).value = String(this.#fraction);
  }

  #schedule(): void {
    if (!this.#isDue) {
      this.#isDue = true;
      requestAnimationFrame(() => {
        this.#isDue = false;
        this.#update();
      });
    }
  }

  #update(): void {
    const changes = this.#changes();
    const tokens = this.#amount('tokens', units.token);
    if (tokens !== undefined) {
      this.#backwards(tokens, changes);
    } else if (this.#texts['tokens'] !== undefined) {
      setText('out-note', '');
    }
    const { context } = this.#data;
    const answer = budgetAnswer(
      this.#budget,
      this.#fraction,
      changes,
      context === undefined ? undefined : givenQuantity(context, units.token, 'context'),
    );
    this.#write(answer);
    this.#onChange({ fraction: this.#fraction, texts: this.#texts });
  }

  #changes(): Fact[] {
    return inputIds.flatMap(id => {
      const { unit, terms } = inputs[id];
      const value = this.#amount(id, unit);
      return value === undefined ? [] : terms.map(term => factOf(term, value));
    });
  }

  /** What stands in a field that was changed; undefined for none, and for what is no amount. */
  #amount(id: string, unit: Unit): Quantity | undefined {
    const text = this.#texts[id];
    if (text === undefined) {
      return undefined;
    }
    const value: PythonNumber | undefined = readAmount(text, unit);
    const isUsable = value !== undefined && Number(value) > 0 && Number(value) < 2 ** 53;
    this.#mark(id, isUsable ? '' : say(this.#model, 'try.invalid', { unit: unit.name }));
    return isUsable ? givenQuantity(value, unit, id) : undefined;
  }

  /** Tokens give the fraction. */
  #backwards(tokens: Quantity, changes: readonly Fact[]): void {
    const found = fractionForTokens(this.#budget, tokens, changes);
    const shown = { tokens: this.#short(tokens) };
    if (found?.value === undefined) {
      setText('out-note', say(this.#model, 'try.needs-more', shown));
      return;
    }
    const fraction = formatSpread(found.fraction, this.#format);
    setText('out-note', say(this.#model, 'try.needs', { ...shown, fraction }));
    this.#fraction = found.value;
    this.#show('fraction', number(found.value));
    this.#moveSlider();
  }

  #write({ pool, tokens, requests, left, isPossible, moves }: BudgetAnswer): void {
    const written = (quantity: Quantity | undefined): string =>
      quantity === undefined ? '?' : formatSpread(quantity, this.#format);
    const fraction = number(this.#fraction);
    setText('out-fraction', fraction);
    setText('out-flag', this.flag ?? say(this.#model, 'try.not-reachable'));
    this.#tile('pool', written(pool));
    this.#tile('tokens', isPossible ? written(tokens) : '–');
    if (this.#data.context !== undefined) {
      this.#tile('requests', isPossible ? written(requests) : '–');
    }
    this.#tile('left', isPossible ? written(left) : '–');
    const isBoth = this.#model.run?.hasWindow === true;
    byId('out-moves').innerHTML = html`${moves.map(
      ({ id, quantity }) =>
        html`<div>
          <dt>
            ${titled(say(this.#model, isBoth && id === 'kvPool' ? 'moves.kvPools' : `moves.${id}`))}
          </dt>
          <dd>${amount(written(quantity))}</dd>
        </div>`,
    )}`.text;
    const spoken = isPossible
      ? say(this.#model, isBoth ? 'try.spoken-pools' : 'try.spoken', {
          fraction,
          tokens: written(tokens),
          pool: written(pool),
          left: written(left),
        })
      : pool === undefined
        ? say(this.#model, 'try.unknown')
        : say(this.#model, 'try.impossible', { pool: written(pool) });
    const panel = byId('part-try');
    panel.classList.toggle('impossible', !isPossible);
    panel.querySelector('[data-act=copyTried]')?.toggleAttribute('disabled', !isPossible);
    byId('slider').setAttribute(
      'aria-valuetext',
      `${fraction}: ${isPossible ? written(tokens) : spoken}`,
    );
    if (!isPossible) {
      setText('out-note', spoken);
    }
    clearTimeout(this.#speaking);
    this.#speaking = setTimeout(() => setText('out-spoken', spoken), quietMs);
  }

  #tile(id: string, text: string): void {
    // The heading of the tile says what is counted.
    const known = id === 'tokens' ? 'tokens' : 'requests';
    byId(`out-${id}`).innerHTML = amount(text, known).text;
  }

  #short(quantity: Quantity): string {
    return formatShort(quantity, this.#format);
  }

  get #format() {
    return { locale: this.#model.locale, alsoShow: this.#model.alsoShow };
  }
}

function isInput(id: string): id is InputId {
  return Object.hasOwn(inputs, id);
}

function whatIfFact({ facts }: PageWhatIf, term: Fact['term']) {
  return facts.find(fact => budgetTerms[fact.term] === term);
}
