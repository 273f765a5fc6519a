/**
 * Applies line forms to the text of one message and reads their numbers as printed. Leaves out
 * prefixes, wrapped lines, and whether the line was cut elsewhere.
 */
import type { FormField, LineForm, NumberField, Spelling } from '../sglang/form/lineForm';
import type { JoinedText } from './joinedText';
import type { FieldValue } from './record';

/** One form found in a text. */
export interface FormMatch {
  readonly form: LineForm;
  readonly spelling: Spelling | undefined;
  /** Indexes in the text. */
  readonly start: number;
  readonly end: number;
  readonly fields: Readonly<Record<string, FieldValue | undefined>>;
  readonly words: Readonly<Record<string, string | undefined>>;
  /** Fields whose number ends exactly where the physical line ends. */
  readonly touching: readonly string[];
  /** The line stops inside a label of the form, or in a number that cannot be its last. */
  readonly isCut: boolean;
}

type Indices = NonNullable<RegExpExecArray['indices']>;
type Groups = Readonly<Record<string, string | undefined>>;

interface CompiledForm {
  readonly form: LineForm;
  readonly pattern: RegExp;
}

const compiled = new WeakMap<LineForm, CompiledForm>();

function compile(form: LineForm): CompiledForm {
  let made = compiled.get(form);
  if (made === undefined) {
    made = { form, pattern: new RegExp(form.pattern.source, 'dg') };
    compiled.set(form, made);
  }
  return made;
}

/** The forms that can occur in a text, by their anchors. */
export function candidateForms(forms: readonly LineForm[], text: string): readonly LineForm[] {
  return forms.filter(
    ({ anchors, soleWord }) =>
      anchors.some(anchor => text.includes(anchor)) ||
      (soleWord !== undefined && text.endsWith(soleWord)),
  );
}

/**
 * Every occurrence of the forms in the text, in order, without overlaps: of two that overlap, the
 * earlier and then the longer one stays.
 * @param endsPhysicalLine whether the text ends where its physical line ends.
 */
export function matchForms(
  forms: readonly LineForm[],
  text: JoinedText,
  endsPhysicalLine: boolean,
): readonly FormMatch[] {
  const matches = forms.flatMap(form => matchForm(form, text, endsPhysicalLine));
  if (matches.length < 2) {
    return matches;
  }
  matches.sort((left, right) => left.start - right.start || right.end - left.end);
  const kept: FormMatch[] = [];
  let end = -1;
  for (const match of matches) {
    if (match.start >= end) {
      kept.push(match);
      end = match.end;
    }
  }
  return kept;
}

/** Every occurrence of one form. */
export function matchForm(
  form: LineForm,
  text: JoinedText,
  endsPhysicalLine: boolean,
): readonly FormMatch[] {
  const { pattern } = compile(form);
  const matches: FormMatch[] = [];
  pattern.lastIndex = 0;
  for (;;) {
    const match = pattern.exec(text.text);
    if (match === null) {
      return matches;
    }
    if (match[0] === '') {
      pattern.lastIndex += 1;
      continue;
    }
    matches.push(readMatch(form, match, text, endsPhysicalLine));
  }
}

function readMatch(
  form: LineForm,
  match: RegExpExecArray,
  text: JoinedText,
  endsPhysicalLine: boolean,
): FormMatch {
  const groups: Groups = match.groups ?? {};
  const fields: Record<string, FieldValue | undefined> = {};
  const words: Record<string, string | undefined> = {};
  const touching: string[] = [];
  let endsInNumber = false;
  for (const [name, field] of Object.entries(form.fields)) {
    const group = (field.groups ?? [name]).find(each => isPresent(groups[each]));
    if (group === undefined) {
      continue;
    }
    if (isText(field)) {
      words[name] = groups[group]?.trim();
      continue;
    }
    const value = readNumber(field, group, groups, match.indices, text);
    if (value === undefined) {
      continue;
    }
    const numberEnd = match.indices?.groups?.[group]?.[1] ?? -1;
    const isFixed = field.rounding === 'printed' && value.decimals === field.decimals;
    if (text.endsLineAt(numberEnd) && !isFixed) {
      // A wrapped line went on in the next one, and may have been cut before.
      continue;
    }
    const isLast = endsPhysicalLine && numberEnd === text.text.length;
    const isCutNumber =
      (isLast && !(form.ends?.includes(name) === true && hasAllDecimals(field, value))) ||
      (endsPhysicalLine && lacksDecimals(field, value, text.text.slice(numberEnd)));
    if (isCutNumber) {
      endsInNumber = true;
      continue;
    }
    if (isLast) {
      touching.push(name);
    }
    fields[name] = value;
  }
  const end = match.index + match[0].length;
  const isCut = endsInNumber || (endsPhysicalLine && stopsInLabel(form, text.text, end));
  // Items that the form does not know, or pieces of cut ones, follow.
  const isOdd = /^,\s*\S/.test(text.text.slice(end, end + 40));
  return {
    form,
    spelling:
      isCut || isOdd ? undefined : form.spellings.find(spelling => hasSpelling(spelling, groups)),
    start: match.index,
    end,
    fields,
    words,
    touching,
    isCut,
  };
}

function isText(field: FormField): field is Exclude<FormField, NumberField> {
  return field.unit === 'text';
}

function isPresent(group: string | undefined): boolean {
  return group !== undefined && group !== '';
}

function hasSpelling(spelling: Spelling, groups: Groups): boolean {
  return (
    (spelling.has ?? []).every(group => isPresent(groups[group])) &&
    !(spelling.lacks ?? []).some(group => isPresent(groups[group]))
  );
}

/** Whether a number has the decimals that it is always printed with. */
function hasAllDecimals({ rounding, decimals }: NumberField, value: FieldValue): boolean {
  return value.decimals >= (decimals ?? (rounding === 'exact' ? 0 : 2));
}

/** A number with decimals of which only the point is left at the end of its line. */
function lacksDecimals({ unit }: NumberField, { decimals }: FieldValue, rest: string): boolean {
  return rest === '.' && decimals === 0 && unit !== 'token' && unit !== 'request' && unit !== 'B';
}

const printedScales = { bytes: 'B', KiB: 'KiB', MiB: 'MiB', GiB: 'GiB' } as const;

function readNumber(
  field: NumberField,
  group: string,
  groups: Groups,
  indices: Indices | undefined,
  text: JoinedText,
): FieldValue | undefined {
  const printed = groups[group];
  const range = indices?.groups?.[group];
  if (printed === undefined || range === undefined) {
    return undefined;
  }
  const scale = groups[`${group}Scale`];
  const unit =
    field.unit === 'printed'
      ? Object.entries(printedScales).find(([name]) => name === scale)?.[1]
      : field.unit;
  if (unit === undefined) {
    return undefined;
  }
  const isWhole = /^-?\d+$/.test(printed);
  const place = text.place(range[0]);
  return {
    text: printed,
    value: isWhole ? BigInt(printed) : Number(printed),
    unit,
    rounding: unit === 'B' && isWhole ? 'exact' : field.rounding,
    decimals: /\.(\d+)/.exec(printed)?.[1]?.length ?? 0,
    line: place.line,
    start: place.column,
    end: text.placeAfter(range[1]).column,
  };
}

/** Labels and their values are shorter than this. */
const longestItem = 80;

/** True where the text ends within one of the form's labels, or between a label and its value. */
function stopsInLabel(form: LineForm, text: string, matchEnd: number): boolean {
  if (form.labels === undefined) {
    return false;
  }
  const end = text.slice(-longestItem);
  const separator = Math.max(end.lastIndexOf(', '), end.lastIndexOf('. '));
  const item = separator === -1 ? '' : end.slice(separator + 2);
  const isNear = text.length - matchEnd <= longestItem;
  const rest = isNear ? text.slice(matchEnd).replace(/^[\s,.]+/, '') : '';
  return [item, rest].some(
    tail =>
      tail !== '' &&
      form.labels?.some(
        label =>
          (label.startsWith(tail) && tail.length < label.length) ||
          (tail === rest &&
            tail.startsWith(label) &&
            /^[\s\w.\-[]*$/.test(tail.slice(label.length))),
      ),
  );
}
