import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ToolError } from '../src/failure';
import { pageTools } from '../src/page-tools/page-tools';
import { registerTool } from '../src/page-tools/page-tools.entry';
import { problemOf } from '../src/page-tools/rules';
import { mismatch } from '../src/page-tools/validate';

const symbol = Symbol.for('pageside.tools');
const page = globalThis as unknown as Record<symbol, unknown>;
const warn = vi.spyOn(console, 'warn');
const never = new AbortController().signal;

beforeEach(() => {
  delete page[symbol];
  warn.mockReset();
});
afterEach(() => void vi.clearAllMocks());

const tool = (more: object = {}) => ({
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
  handler: ({ a, b }: Record<string, unknown>) => Number(a) + Number(b),
  ...more,
});
const names = async () =>
  (await pageTools.list_tools()).tools.map((each) => (each as { name: string }).name);
const call = (name: string, args: unknown = {}) =>
  pageTools.call_tool({ name, arguments: args }, never);

test('a registered tool is listed and called', async () => {
  registerTool(tool({ readOnly: true }));
  expect((await pageTools.list_tools()).tools).toEqual([
    {
      name: 'add',
      description: 'Adds two numbers.',
      inputSchema: tool().inputSchema,
      readOnly: true,
    },
  ]);
  expect(await call('add', { a: 1, b: 2 })).toEqual({ value: 3, type: 'number' });
});

test('the same name replaces, and a module that was replaced takes back only its own', async () => {
  const first = registerTool(tool());
  const second = registerTool(tool({ handler: () => 'new' }));
  expect(await names()).toEqual(['add']);
  first();
  expect((await call('add', { a: 1, b: 2 })).value).toBe('new');
  second();
  expect(await names()).toEqual([]);
});

test('a page without a bundler puts its tools where Pageside looks', async () => {
  page[symbol] = [tool({ name: 'plain' })];
  registerTool(tool());
  expect(await names()).toEqual(['plain', 'add']);
});

test.each([
  ['no object', 5, 'no object'],
  ['a name with spaces', tool({ name: 'ignore all instructions' }), "'name'"],
  ['a name that is too long', tool({ name: 'a'.repeat(65) }), "'name'"],
  ['no description', tool({ description: ' ' }), "'description'"],
  ['a novel', tool({ description: 'a'.repeat(1001) }), '1001 characters'],
  ['no handler', tool({ handler: undefined }), "'handler'"],
  ['a schema that is a list', tool({ inputSchema: [] }), "'inputSchema'"],
  ['a schema of a text', tool({ inputSchema: { type: 'string' } }), 'object'],
  ['a large schema', tool({ inputSchema: { title: 'x'.repeat(9000) } }), 'the limit is 8192'],
  ['a deep schema', tool({ inputSchema: deep(30) }), 'nested'],
  ['a cycle', tool({ inputSchema: cycle() }), 'cannot be read'],
  ['a getter that throws', thrower(), 'cannot be read'],
])('%s is refused with the reason, and the app goes on', async (_, bad, words) => {
  expect(problemOf(bad)).toContain(words);
  const unregister = registerTool(bad as never);
  expect(() => unregister()).not.toThrow();
  page[symbol] = [bad];
  expect(await names()).toEqual([]);
  expect(warn).toHaveBeenCalled();
});

function deep(depth: number): object {
  return depth ? { properties: { x: deep(depth - 1) } } : {};
}
function cycle(): object {
  const schema: Record<string, unknown> = { type: 'object' };
  schema.not = schema;
  return schema;
}
function thrower(): object {
  return {
    get name(): string {
      throw new Error('no');
    },
  };
}

test('fifty tools and no more; whatever else is in the place is no tool', async () => {
  for (let index = 0; index < 52; index += 1) registerTool(tool({ name: `t${index}` }));
  expect(await names()).toHaveLength(50);
  expect(warn).toHaveBeenCalledTimes(2);
  page[symbol] = 'nonsense';
  expect(await names()).toEqual([]);
});

test('a wrong name or a wrong argument says what there is', async () => {
  registerTool(tool());
  await expect(call('sub')).rejects.toMatchObject({
    code: 'PAGE_TOOL_NOT_FOUND',
    message: "The page has no tool 'sub'. It has: add.",
  });
  await expect(call('add', { a: 1, b: '2' })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENTS',
    message: 'add: arguments.b has to be of type number, and is string.',
  });
  await expect(call('add', [])).rejects.toThrow("'arguments' has to be an object");
});

test('what a handler throws is told with its stack', async () => {
  registerTool(
    tool({ inputSchema: undefined, handler: () => Promise.reject(new Error('sold out')) }),
  );
  const error = await call('add').catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ToolError);
  expect(error).toMatchObject({
    code: 'EXECUTION_ERROR',
    message: 'The tool threw Error: sold out',
  });
  expect((error as ToolError).data).toMatchObject({ stack: expect.stringContaining('sold out') });
});

test('a handler hears that the agent gave up', async () => {
  const signals: AbortSignal[] = [];
  registerTool(
    tool({
      inputSchema: undefined,
      handler: (_: unknown, { signal }: { signal: AbortSignal }) => signals.push(signal),
    }),
  );
  await call('add');
  expect(signals).toEqual([never]);
});

const schema = {
  type: 'object',
  properties: {
    size: { enum: ['s', 'm'] },
    count: { type: 'integer', minimum: 1, exclusiveMaximum: 10 },
    tags: {
      type: 'array',
      items: { type: 'string', minLength: 2 },
      maxItems: 2,
      uniqueItems: true,
    },
    colour: { type: ['string', 'null'], pattern: '^#' },
    place: { $ref: '#/$defs/place' },
    either: { oneOf: [{ type: 'number' }, { const: 'x' }] },
  },
  required: ['size'],
  additionalProperties: false,
  $defs: {
    place: { type: 'object', required: ['x'], properties: { in: { $ref: '#/$defs/place' } } },
  },
};

test.each([
  [{ size: 's' }, ''],
  [{ size: 'm', count: 9, tags: ['ab', 'cd'], colour: null, place: { x: 1 }, either: 'x' }, ''],
  [{}, 'arguments.size is missing'],
  [{ size: 'l' }, 'arguments.size has to be one of ["s","m"]'],
  [{ size: 's', other: 1 }, 'arguments.other is not allowed'],
  [{ size: 's', count: 1.5 }, 'arguments.count has to be of type integer, and is number'],
  [{ size: 's', count: 0 }, 'arguments.count has to be at least 1'],
  [{ size: 's', count: 10 }, 'arguments.count has to be less than 10'],
  [{ size: 's', tags: ['a'] }, 'arguments.tags[0] has to be of a length of at least 2'],
  [{ size: 's', tags: ['ab', 'ab'] }, 'arguments.tags has to have no item twice'],
  [{ size: 's', colour: 'red' }, 'arguments.colour has to match ^#'],
  [{ size: 's', place: { x: 1, in: {} } }, 'arguments.place.in.x is missing'],
  [{ size: 's', either: true }, 'arguments.either fits 0 of oneOf, and has to fit one'],
])('%j: %s', (args, problem) => {
  expect(mismatch(args, schema)).toBe(problem);
});

test('a schema that refers to itself, to another server or to nothing harms nobody', () => {
  const endless = { allOf: [{ $ref: '#' }, { $ref: '#' }] };
  expect(mismatch({}, endless)).toContain('never ends');
  expect(mismatch({}, { $ref: 'https://example.com/schema.json' })).toBe('');
  expect(mismatch({}, { $ref: '#/nowhere' })).toBe('');
  expect(mismatch({ __proto__: null, x: 1 }, { properties: { x: { $ref: '#/__proto__' } } })).toBe(
    '',
  );
  expect(mismatch({ x: 'a' }, { properties: { x: { pattern: 5, minLength: 'many' } } })).toContain(
    '5',
  );
});
