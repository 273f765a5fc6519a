/** `kvlens forms`: the table of line forms, as text or JSON. */
import type { Command } from 'commander';
import type { LineForm } from '../core/sglang/form/lineForm';
import { lineForms } from '../core/sglang/form/lineForms';
import { compareReleases } from '../core/sglang/release';
import { printJson, printText } from './output';

/** Registers the command. */
export function registerForms(program: Command): void {
  program
    .command('forms')
    .description('the log lines that are known, with the unit of each number')
    .option('--json', 'JSON as in media/schema/forms.schema.json')
    .action((options: { readonly json?: boolean }) => {
      if (options.json === true) {
        printJson({ schema: 1, forms: lineForms.map(formJson) });
      } else {
        printText(lineForms.map(formText).join('\n'));
      }
    });
}

function formJson(form: LineForm) {
  return {
    id: form.id,
    phase: form.phase,
    event: form.event,
    owner: form.owner,
    level: form.level,
    anchors: form.anchors,
    pattern: form.pattern.source,
    fields: Object.entries(form.fields).map(([name, field]) => ({
      name,
      ...field,
    })),
    informs: form.informs ?? [],
    spellings: form.spellings.map(({ has, lacks, releases, emitters }) => ({
      has: has ?? [],
      lacks: lacks ?? [],
      releases,
      emitters: emitters ?? [],
    })),
  };
}

/** The form on one line, where it is printed below it. */
function formText(form: LineForm): string {
  const numbers = Object.entries(form.fields).map(([name, { unit }]) => `${name} (${unit})`);
  const owner = form.owner === 'sglang' ? '' : ` [${form.owner}]`;
  const head = `${form.id.padEnd(28)} ${form.phase.padEnd(10)} ${releasesText(form).padEnd(22)} ${numbers.join(', ')}${owner}`;
  const emitters = [...new Set(form.spellings.flatMap(spelling => spelling.emitters ?? []))];
  return [head.trimEnd(), ...emitters.map(emitter => `    ${emitter}`)].join('\n');
}

/** The releases of all spellings together, oldest first; `-` where no release prints the form. */
function releasesText({ spellings }: LineForm): string {
  const ranges = spellings
    .flatMap(({ releases }) => releases)
    .sort((left, right) => compareReleases(left.from, right.from));
  const [oldest] = ranges;
  const isOpen = ranges.some(({ to }) => to === undefined);
  const newest = ranges
    .flatMap(({ to }) => to ?? [])
    .sort(compareReleases)
    .at(-1);
  return oldest === undefined
    ? '-'
    : isOpen
      ? `${oldest.from}+`
      : `${oldest.from}..${newest ?? ''}`;
}
