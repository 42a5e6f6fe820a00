import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fieldOf, fieldsOf, type Schema, sketchOf } from '../src/tools/fields';

const CONTRACT = join(import.meta.dirname, '../../../companion/pageside/contract');

interface Definition {
  name: string;
  inputSchema: Schema;
}

const definitions: Definition[] = readdirSync(CONTRACT)
  .filter((name) => name.endsWith('tools.json'))
  .flatMap((name) => JSON.parse(readFileSync(join(CONTRACT, name), 'utf8')));

const kindOf = (schema: Schema) => fieldOf('x', schema).kind;

test.each<[Schema, string]>([
  [{ type: 'string' }, 'text'],
  [{ type: 'integer', minimum: 1 }, 'number'],
  [{ type: 'number' }, 'number'],
  [{ type: 'boolean', default: true }, 'boolean'],
  [{ enum: ['a', 'b'] }, 'choice'],
  [{ type: 'string', enum: ['a'] }, 'choice'],
  [{ const: 1 }, 'choice'],
  [{ type: ['integer', 'string'] }, 'scalar'],
  [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, 'scalar'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'variants'],
  [{ type: ['object', 'string'] }, 'variants'],
  [{ type: 'array', items: { type: 'string' } }, 'list'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, 'several'],
  [{ type: 'array', items: { type: 'object' } }, 'json'],
  [{ type: 'array' }, 'json'],
  [{ type: 'object' }, 'json'],
  [{}, 'json'],
])('%j becomes a field of the kind %s', (schema, kind) => {
  expect(kindOf(schema)).toBe(kind);
});

test('required arguments come first, each with what it is about', () => {
  const schema = {
    properties: { a: { type: 'string' }, b: { type: 'number', description: 'How many' } },
    required: ['b'],
  };
  const [first, second] = fieldsOf(schema);
  expect(first).toMatchObject({ name: 'b', required: true, description: 'How many' });
  expect(second).toMatchObject({ name: 'a', required: false, description: '' });
});

test('a schema that is none has no fields', () => {
  expect(fieldsOf(undefined)).toEqual([]);
  expect(fieldsOf({ type: 'object' })).toEqual([]);
});

test('every argument of every tool has a field', () => {
  expect(definitions.length).toBeGreaterThan(70);
  for (const { name, inputSchema } of definitions) {
    const names = fieldsOf(inputSchema).map((field) => field.name);
    expect(new Set(names), name).toEqual(new Set(Object.keys(inputSchema.properties ?? {})));
  }
});

test('a sketch has the shape of the schema', () => {
  const point = { type: 'object', properties: { x: { type: 'number' }, on: { type: 'boolean' } } };
  expect(sketchOf({ type: 'array', items: point })).toEqual([{ x: 0, on: false }]);
  expect(sketchOf({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toBe('');
  expect(sketchOf({ type: 'object', default: { a: 1 } })).toEqual({ a: 1 });
});
