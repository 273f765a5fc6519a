/**
 * The table of all line forms, and look-up by id. Reader, highlighter, hover, links and the printed
 * table read this one table.
 */
import { argumentForms } from './argumentForms';
import { batchForms } from './batchForms';
import { captureNoteForms } from './captureNoteForms';
import { errorForms } from './errorForms';
import { foreignForms } from './foreignForms';
import { graphForms } from './graphForms';
import { hostForms } from './hostForms';
import { initForms } from './initForms';
import { limitForms } from './limitForms';
import { leakForms } from './leakForms';
import type { LineForm } from './lineForm';
import { mlxForms } from './mlxForms';
import { poolForms } from './poolForms';
import { postCaptureForms } from './postCaptureForms';
import { requestForms } from './requestForms';
import { servingForms } from './servingForms';
import { sizingErrorForms } from './sizingErrorForms';
import { sizingForms } from './sizingForms';
import { slotForms } from './slotForms';
import { statePoolForms } from './statePoolForms';
import { summaryForms } from './summaryForms';
import { weightForms } from './weightForms';

const table = [
  ...argumentForms,
  ...initForms,
  ...weightForms,
  ...limitForms,
  ...sizingForms,
  ...sizingErrorForms,
  ...poolForms,
  ...statePoolForms,
  ...mlxForms,
  ...graphForms,
  ...postCaptureForms,
  ...captureNoteForms,
  ...summaryForms,
  ...batchForms,
  ...slotForms,
  ...leakForms,
  ...requestForms,
  ...servingForms,
  ...hostForms,
  ...errorForms,
  ...foreignForms,
] as const;

/** Id of a line form. */
export type FormId = (typeof table)[number]['id'];

/** Every line form, in the order of a server's life. */
export const lineForms: readonly LineForm[] = table;

const formsById = new Map<string, LineForm>(lineForms.map(form => [form.id, form]));

/** The form with that id; undefined where there is none. */
export function findLineForm(id: string): LineForm | undefined {
  return formsById.get(id);
}
