/**
 * The JSON Schemas of the command line: they compile, accept the examples of the contract, refuse
 * each example that breaks one rule, and name the same ids and codes as the code does.
 */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020';
import Ajv2020 from 'ajv/dist/2020';
import { describe, expect, test } from 'vitest';
import { quantityUnitNames } from '../../src/core/sglang/quantityId';
import type { Example } from './schemaExamples';
import { examples } from './schemaExamples';

const folder = path.join(import.meta.dirname, '../../media/schema');

interface Schema {
  readonly $id: string;
  readonly $schema: string;
  readonly title: string;
  readonly description: string;
  readonly $defs?: Readonly<Record<string, unknown>>;
}

const schemas = new Map(
  readdirSync(folder).map(file => [
    file,
    JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Schema,
  ]),
);

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
for (const schema of schemas.values()) {
  ajv.addSchema(schema);
}

function validator(command: string): ValidateFunction {
  const validate = ajv.getSchema(`${command}.schema.json`);
  if (validate === undefined) {
    throw new Error(`no schema for ${command}`);
  }
  return validate;
}

const commands = ['explain', 'compare', 'solve', 'annotate', 'check', 'plan', 'forms'];

describe('the schemas', () => {
  test('are one for each command and one of shared definitions', () => {
    expect([...schemas.keys()].sort()).toEqual(
      [...commands, 'quantity'].map(name => `${name}.schema.json`).sort(),
    );
  });

  test.each([...schemas])(
    '%s compiles, says what it is, and is of draft 2020-12',
    (file, schema) => {
      expect(schema.$id).toBe(file);
      expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
      expect(schema.title).not.toBe('');
      expect(schema.description).toMatch(/\.$/);
      expect(ajv.getSchema(file)).toBeTypeOf('function');
    },
  );

  test('close every object whose properties they name', () => {
    const open = [...schemas].flatMap(([file, schema]) => openObjects(schema, file));
    // The base of two closed objects, and conditions inside a closed one.
    expect(open).toEqual(['quantity.schema.json/$defs/whatIfFields']);
  });

  test('name exactly the quantities of the code, each in its unit', () => {
    const shared = schemas.get('quantity.schema.json')?.$defs as unknown as {
      quantityId: { enum: string[] };
      quantities: { properties: Record<string, { $ref: string }> };
    } & Record<string, { allOf: [unknown, { properties: { unit: { const: string } } }] }>;
    expect(shared.quantityId.enum).toEqual(Object.keys(quantityUnitNames));
    const units = Object.entries(shared.quantities.properties).map(([id, { $ref }]) => [
      id,
      shared[$ref.replace('#/$defs/', '')]?.allOf[1].properties.unit.const,
    ]);
    expect(Object.fromEntries(units)).toEqual(quantityUnitNames);
  });
});

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Paths of typed objects with properties that admit further ones. */
function openObjects(schema: unknown, at: string): string[] {
  if (Array.isArray(schema)) {
    return schema.flatMap((item, index) => openObjects(item, `${at}/${index}`));
  }
  if (!isObject(schema)) {
    return [];
  }
  const isOpen =
    schema['type'] === 'object' &&
    schema['properties'] !== undefined &&
    schema['additionalProperties'] !== false &&
    schema['unevaluatedProperties'] !== false &&
    schema['propertyNames'] === undefined;
  return [
    ...(isOpen ? [at] : []),
    ...Object.entries(schema).flatMap(([key, value]) => openObjects(value, `${at}/${key}`)),
  ];
}

/** A copy with the value at the path replaced, or removed where it is undefined. */
function changed(
  value: unknown,
  [key, ...rest]: readonly (string | number)[],
  to: unknown,
): unknown {
  if (key === undefined) {
    return to;
  }
  const copy: Record<string | number, unknown> = Array.isArray(value)
    ? (Object.assign([], value) as unknown as Record<number, unknown>)
    : { ...(value as object) };
  const next = changed(copy[key], rest, to);
  if (next === undefined) {
    Reflect.deleteProperty(copy, key);
  } else {
    copy[key] = next;
  }
  return copy;
}

describe.each(Object.entries(examples))('%s --json', (command, example: Example) => {
  const validate = validator(command);

  test('accepts the example of the contract', () => {
    validate(example.valid);
    expect(validate.errors ?? []).toEqual([]);
  });

  test.each(example.broken)('refuses an example in which $why', ({ at, to }) => {
    expect(validate(changed(example.valid, at, to))).toBe(false);
  });
});

test('every command has an example and broken ones', () => {
  expect(Object.keys(examples).sort()).toEqual([...commands].sort());
  for (const { broken } of Object.values(examples)) {
    expect(broken.length).toBeGreaterThan(3);
  }
});
