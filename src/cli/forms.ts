/** `kvlens forms`: the table of line forms, as text or JSON. */
import type { Command } from 'commander';
import type { LineForm } from '../core/sglang/form/lineForm';
import { lineForms } from '../core/sglang/form/lineForms';
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
    anchors: form.anchors,
    fields: Object.entries(form.fields).map(([name, field]) => ({
      name,
      ...field,
    })),
    spellings: form.spellings.map(({ releases, emitters }) => ({
      releases,
      emitters: emitters ?? [],
    })),
  };
}

function formText(form: LineForm): string {
  const fields = Object.entries(form.fields).map(([name, { unit }]) => `${name} (${unit})`);
  return `${form.id.padEnd(28)} ${form.phase.padEnd(10)} ${fields.join(', ')}`;
}
