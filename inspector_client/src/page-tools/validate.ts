// Checks arguments against a schema of the page. In the page: a schema that takes for ever takes only its own page's time.
import { isRecord } from '../basics';
import { typeOf } from '../tools/serialise';

type Schema = Record<string, unknown>;
/** Looks at `value`, whose place is `path`; returns what is wrong, or ''. */
type Check = (value: never, schema: Schema, path: string, check: Nested) => string;
type Nested = (value: unknown, schema: unknown, path: string) => string;

/** More than any honest schema of 8 KB needs. */
const MAX_STEPS = 20_000;
const MAX_DEPTH = 64;

/** What is wrong with the arguments: the first that was found, naming its place; '' when they fit. */
export function mismatch(args: unknown, schema: Schema): string {
  let steps = 0;
  let depth = 0;

  const check: Nested = (value, given, path) => {
    steps += 1;
    if (given === true || given === undefined) return '';
    if (given === false) return `${path} is not allowed`;
    if (!isRecord(given)) return '';
    if (steps > MAX_STEPS || depth > MAX_DEPTH) return "the tool's own inputSchema never ends";
    depth += 1;
    const found = first(Object.keys(given), (keyword) =>
      applies(keyword, value) ? (CHECKS[keyword]?.(value as never, given, path, nested) ?? '') : '',
    );
    depth -= 1;
    return found;
  };
  const nested: Nested = (value, given, path) => check(value, resolved(given, schema), path);
  return nested(args, schema, 'arguments');
}

function first<T>(each: Iterable<T>, look: (item: T) => string): string {
  for (const item of each) {
    const problem = look(item);
    if (problem) return problem;
  }
  return '';
}

/** What a reference within the schema names; others are left alone, and nothing is fetched. */
function resolved(schema: unknown, root: Schema): unknown {
  const seen = new Set<unknown>();
  let at = schema;
  while (isRecord(at) && typeof at.$ref === 'string' && !seen.has(at)) {
    seen.add(at);
    if (!/^#(\/|$)/.test(at.$ref)) return true;
    at = at.$ref.split('/').slice(1).reduce<unknown>(stepInto, root);
  }
  return at;
}

function stepInto(at: unknown, part: string): unknown {
  const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  return isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined;
}

const KINDS: Record<string, string> = {
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  items: 'array',
  minItems: 'array',
  maxItems: 'array',
  uniqueItems: 'array',
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
};

/** A keyword says nothing of values of another type. */
function applies(keyword: string, value: unknown): boolean {
  return Object.hasOwn(CHECKS, keyword) && [undefined, typeOf(value)].includes(KINDS[keyword]);
}

function limit(
  keyword: string,
  measure: (value: never) => number,
  isWithin: (size: number, bound: number) => boolean,
  words: string,
): Record<string, Check> {
  return {
    [keyword]: (value, schema, path) => {
      const bound = Number(schema[keyword]);
      return isWithin(measure(value), bound) ? '' : `${path} has to be ${words} ${bound}`;
    },
  };
}

const same = (value: unknown) => JSON.stringify(value);
const size = (value: string | unknown[]) => [...value].length;
const itself = (value: number) => value;
const atLeast = (value: number, bound: number) => !(value < bound);
const atMost = (value: number, bound: number) => !(value > bound);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const CHECKS: Record<string, Check> = {
  type(value, { type }, path) {
    const kinds = [type].flat();
    const own = typeOf(value);
    const isInteger = Number.isInteger(value) && kinds.includes('integer');
    return isInteger || kinds.includes(own)
      ? ''
      : `${path} has to be of type ${kinds.join(' or ')}, and is ${own}`;
  },
  enum: (value, schema, path) =>
    list(schema.enum).some((each) => same(each) === same(value))
      ? ''
      : `${path} has to be one of ${same(schema.enum)}`,
  const: (value, schema, path) =>
    same(schema.const) === same(value) ? '' : `${path} has to be ${same(schema.const)}`,
  required: (value: Schema, { required }, path) =>
    first(list(required), (name) =>
      Object.hasOwn(value, String(name)) ? '' : `${path}.${String(name)} is missing`,
    ),
  properties: (value: Schema, { properties }, path, check) =>
    isRecord(properties)
      ? first(Object.keys(properties), (name) =>
          Object.hasOwn(value, name) ? check(value[name], properties[name], `${path}.${name}`) : '',
        )
      : '',
  additionalProperties(value: Schema, { properties, additionalProperties }, path, check) {
    const known = isRecord(properties) ? properties : {};
    const others = Object.keys(value).filter((name) => !Object.hasOwn(known, name));
    return first(others, (name) => check(value[name], additionalProperties, `${path}.${name}`));
  },
  items: (value: unknown[], { items, prefixItems }, path, check) =>
    first(value.entries(), ([index, item]) =>
      index < list(prefixItems).length ? '' : check(item, items, `${path}[${index}]`),
    ),
  uniqueItems: (value: unknown[], { uniqueItems }, path) =>
    uniqueItems === true && new Set(value.map(same)).size < value.length
      ? `${path} has to have no item twice`
      : '',
  pattern: (value: string, { pattern }, path) =>
    new RegExp(String(pattern), 'u').test(value) ? '' : `${path} has to match ${String(pattern)}`,
  allOf: (value, { allOf }, path, check) => first(list(allOf), (each) => check(value, each, path)),
  anyOf: (value, { anyOf }, path, check) =>
    list(anyOf).some((each) => !check(value, each, path)) ? '' : `${path} fits none of anyOf`,
  oneOf(value, { oneOf }, path, check) {
    const fitting = list(oneOf).filter((each) => !check(value, each, path)).length;
    return fitting === 1 ? '' : `${path} fits ${fitting} of oneOf, and has to fit one`;
  },
  not: (value, { not }, path, check) => (check(value, not, path) ? '' : `${path} is not allowed`),
  ...limit('minItems', size, atLeast, 'of a length of at least'),
  ...limit('maxItems', size, atMost, 'of a length of at most'),
  ...limit('minLength', size, atLeast, 'of a length of at least'),
  ...limit('maxLength', size, atMost, 'of a length of at most'),
  ...limit('minimum', itself, atLeast, 'at least'),
  ...limit('maximum', itself, atMost, 'at most'),
  ...limit('exclusiveMinimum', itself, (value, bound) => !(value <= bound), 'more than'),
  ...limit('exclusiveMaximum', itself, (value, bound) => !(value >= bound), 'less than'),
  ...limit(
    'multipleOf',
    itself,
    (value, bound) => Math.abs(value / bound - Math.round(value / bound)) < 1e-9,
    'a multiple of',
  ),
};
