/**
 * Annotations of a Python file as the JSON contract (design section 4). Sentences come from the
 * caller's wording; unknown values are absent or null as the contract says.
 */
import type { AnnotatedFunction, PythonAnnotation } from '../annotate/python/annotation';
import type { FileAnnotations } from '../annotate/python/fileAnnotations';
import type { Quantity } from '../units/quantity';
import { quantityJson } from './explainJson';

/** How notes and assumptions are worded. */
export interface AnnotationWording {
  readonly note: (annotation: PythonAnnotation) => string;
  readonly assumption: (id: string) => string;
}

/** `annotate --json` for one file, named as the caller names it. */
export function annotateJson(file: string, found: FileAnnotations, wording: AnnotationWording) {
  return {
    schema: 1,
    file,
    assumptions: found.assumptions.map(wording.assumption),
    annotations: found.annotations.map(annotation => annotationJson(annotation, wording)),
    functions: found.functions.map(functionJson),
  };
}

/** Lines are 1-based, columns 0-based UTF-16 units. */
function annotationJson(annotation: PythonAnnotation, wording: AnnotationWording) {
  const { range, kind, name, function: owner, unit, quantity } = annotation;
  return {
    range: [
      [range.row + 1, range.column],
      [range.endRow + 1, range.endColumn],
    ],
    kind,
    name,
    function: owner,
    ...(quantity !== undefined && { quantity: quantityJson(quantity) }),
    ...(unit !== undefined && { unit: unit.name }),
    text: wording.note(annotation),
  };
}

function functionJson(found: AnnotatedFunction) {
  const { name, line, role, returns, raises, missing, inputs } = found;
  return {
    name,
    line,
    role,
    locals: valuesJson(found.locals),
    attributes: valuesJson(found.attributes),
    returns: returns === undefined ? null : quantityJson(returns),
    raises: raises ?? null,
    missing,
    inputs,
  };
}

function valuesJson(values: ReadonlyMap<string, Quantity>) {
  return Object.fromEntries(
    [...values].map(([name, quantity]) => [name, quantityJson(quantity)] as const),
  );
}
