import type { LineForm } from '../src/core/sglang/form/lineForm';

/** The files of syntaxes/ that come from the table of line forms: name -> text. */
export function grammarFiles(forms: readonly LineForm[]): Promise<Readonly<Record<string, string>>>;
