/** The annotations of a file as the JSON contract (design section 4). Sentences come from the edge. */
import type { Quantity } from '../../units/quantity';
import type { AnnotatedFunction, PythonAnnotation, SourceRange } from './annotation';
import type { FileAnnotations } from './fileAnnotations';

/** What the edge brings: sentences, and quantities as the contract writes them. */
export interface AnnotateJsonWriter {
  readonly text: (annotation: PythonAnnotation) => string;
  readonly assumption: (id: string) => string;
  readonly quantity: (quantity: Quantity) => unknown;
}

/** Lines are 1-based, columns 0-based UTF-16 units. */
export function annotateJson(file: FileAnnotations, writer: AnnotateJsonWriter) {
  return {
    schema: 1,
    file: file.path,
    assumptions: file.assumptions.map(writer.assumption),
    annotations: file.annotations.map(annotation => annotationJson(annotation, writer)),
    functions: file.functions.map(one => functionJson(one, writer)),
  };
}

function annotationJson(annotation: PythonAnnotation, writer: AnnotateJsonWriter) {
  const { range, kind, name, function: around, quantity, unit } = annotation;
  return {
    range: rangeJson(range),
    kind,
    name,
    function: around,
    ...(quantity !== undefined && { quantity: writer.quantity(quantity) }),
    ...(unit !== undefined && { unit: unit.name }),
    text: writer.text(annotation),
  };
}

function rangeJson({ row, column, endRow, endColumn }: SourceRange) {
  return [
    [row + 1, column],
    [endRow + 1, endColumn],
  ];
}

function functionJson(one: AnnotatedFunction, { quantity }: AnnotateJsonWriter) {
  const all = (values: ReadonlyMap<string, Quantity>) =>
    Object.fromEntries([...values].map(([name, value]) => [name, quantity(value)]));
  return {
    name: one.name,
    line: one.line,
    role: one.role,
    locals: all(one.locals),
    attributes: all(one.attributes),
    returns: one.returns === undefined ? null : quantity(one.returns),
    raises: one.raises ?? null,
    missing: one.missing,
    inputs: one.inputs,
  };
}
