import { isRecord } from '../../../src/basics';

/** As much of JSON Schema as tools use for their arguments. */
export interface Schema {
  type?: string | string[];
  description?: string;
  title?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
}

export type FieldKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'choice'
  /** Text or number, whichever it looks like. */
  | 'scalar'
  /** Rows of `item`. */
  | 'list'
  /** Some of a few. */
  | 'several'
  | 'json'
  | 'null'
  /** One of `variants`. */
  | 'variants';

/** One argument, as the form shows it. */
export interface Field {
  name: string;
  kind: FieldKind;
  schema: Schema;
  required: boolean;
  description: string;
  choices: unknown[];
  item?: Field;
  variants: Field[];
  /** Longer than a line, perhaps. */
  isLong: boolean;
}

const LONG_NAMES = /code|script|expression|function|^text$|message|note/i;
const LONG_FROM = 5000;

/** The arguments of a tool, those that are required first. */
export function fieldsOf(inputSchema: unknown): Field[] {
  const schema = isRecord(inputSchema) ? (inputSchema as Schema) : {};
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    fieldOf(name, property, required.has(name)),
  );
  return [...fields.filter((each) => each.required), ...fields.filter((each) => !each.required)];
}

export function fieldOf(name: string, schema: Schema, required = false): Field {
  const field: Field = {
    ...{ name, schema, required, kind: 'json', variants: [] },
    description: schema.description ?? schema.title ?? '',
    choices: choicesOf(schema),
    isLong: (schema.maxLength ?? 0) >= LONG_FROM || LONG_NAMES.test(name),
  };
  const alternatives = alternativesOf(schema);
  if (field.choices.length) return { ...field, kind: 'choice' };
  if (alternatives.length > 1) return ofAlternatives(field, alternatives);
  return ofType(field, alternatives[0] ?? schema);
}

function choicesOf(schema: Schema): unknown[] {
  return schema.enum ?? ('const' in schema ? [schema.const] : []);
}

/** `anyOf`, `oneOf` and lists of types are the same to a form. */
function alternativesOf(schema: Schema): Schema[] {
  const given = schema.anyOf ?? schema.oneOf;
  if (given) return given;
  const types = Array.isArray(schema.type) ? schema.type : [];
  return types.map((type) => ({ ...schema, type, default: undefined, description: undefined }));
}

function ofAlternatives(field: Field, alternatives: Schema[]): Field {
  const types = new Set(alternatives.map(({ type }) => type));
  const isScalar = [...types].every((type) => /^(integer|number|string)$/.test(String(type)));
  if (isScalar) return { ...field, kind: 'scalar' };
  const variants = alternatives.map((each) => fieldOf(field.name, each, true));
  return { ...field, kind: 'variants', variants };
}

function ofType(field: Field, schema: Schema): Field {
  switch (schema.type) {
    case 'string':
      return { ...field, kind: 'text' };
    case 'integer':
    case 'number':
      return { ...field, kind: 'number' };
    case 'boolean':
      return { ...field, kind: 'boolean' };
    case 'null':
      return { ...field, kind: 'null' };
    case 'array':
      return ofItems(field, schema.items ?? {});
    default:
      return field;
  }
}

const IN_ROWS = new Set<FieldKind>(['text', 'number', 'scalar', 'choice']);

function ofItems(field: Field, items: Schema): Field {
  const item = fieldOf(field.name, items, true);
  if (item.kind === 'choice') return { ...field, kind: 'several', item };
  return IN_ROWS.has(item.kind) ? { ...field, kind: 'list', item } : field;
}

/** Something of the right shape to begin with, where a person writes JSON. */
export function sketchOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return sketchOf(first);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'array':
      return schema.items?.type === 'object' ? [sketchOf(schema.items)] : [];
    case 'object':
      return sketchOfObject(schema);
    case 'string':
      return '';
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    default:
      return null;
  }
}

const FEW = 6;

/** All of a few properties, else those that are required. */
function sketchOfObject({ properties = {}, required = [] }: Schema): object {
  const all = Object.entries(properties);
  const shown = all.length <= FEW ? all : all.filter(([name]) => required.includes(name));
  return Object.fromEntries(shown.map(([name, schema]) => [name, sketchOf(schema)]));
}
