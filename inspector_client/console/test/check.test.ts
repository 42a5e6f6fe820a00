import { expect, test } from 'vitest';
import { check, problemOf } from '../src/tools/check';
import type { Schema } from '../src/tools/fields';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 4 },
    count: { type: 'integer', minimum: 1, maximum: 9 },
  },
  required: ['name'],
  additionalProperties: false,
};

test('arguments that fit have no problem', () => {
  expect(check(schema, { name: 'abc', count: 3 })).toEqual(new Map());
});

test('each argument that does not fit is named', () => {
  const problems = check(schema, { count: 12, other: 1 });
  expect([...problems.keys()].sort()).toEqual(['count', 'name', 'other']);
  expect(problems.get('count')).toBe('At most 9.');
  expect(problems.get('name')).toBe('This is required.');
});

test('arguments that nobody knows are fine where the schema is open', () => {
  expect(check({ type: 'object' }, { any: 1 })).toEqual(new Map());
});

test.each<[Schema, unknown, string]>([
  [{ type: 'number' }, 'abc', 'A number is needed.'],
  [{ type: 'integer' }, 1.5, 'A whole number is needed.'],
  [{ type: 'string' }, 1, 'The kind is wrong: string is needed.'],
  [{ type: 'number', exclusiveMinimum: 0 }, 0, 'More than 0.'],
  [{ type: 'string', minLength: 2 }, 'a', 'At least 2 characters.'],
  [{ type: 'string', pattern: '^a' }, 'b', 'It has to match ^a.'],
  [{ type: 'string', pattern: '(?<' }, 'b', ''],
  [{ enum: ['a', 'b'] }, 'c', 'One of: a, b.'],
  [{ type: 'array', minItems: 1 }, [], 'At least 1 entries.'],
  [{ type: 'array', items: { type: 'integer' } }, [1, 'x'], 'A whole number is needed.'],
  [{ type: 'object', required: ['x'] }, {}, 'x: This is required.'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null, ''],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, 'The kind is wrong: string is needed.'],
  [{ type: ['integer', 'string'] }, 'x', ''],
])('%j of %j: %s', (given, value, problem) => {
  expect(problemOf(given, value)).toBe(problem);
});
