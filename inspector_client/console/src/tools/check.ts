import { attempt, isRecord } from '../../../src/basics';
import { checkTexts as texts } from '../texts';
import type { Schema } from './fields';

export type Args = Record<string, unknown>;
/** What is wrong, by the name of the argument. */
export type Problems = Map<string, string>;

/** Checks arguments as the form can show it: argument by argument, the deeper rules by the companion. */
export function check(inputSchema: unknown, args: Args): Problems {
  const schema = isRecord(inputSchema) ? (inputSchema as Schema) : {};
  const problems: Problems = new Map();
  for (const name of schema.required ?? [])
    if (args[name] === undefined) problems.set(name, texts.missing);
  for (const [name, value] of Object.entries(args)) {
    const property = schema.properties?.[name];
    const problem = property ? problemOf(property, value) : unknownProblem(inputSchema);
    if (problem) problems.set(name, problem);
  }
  return problems;
}

function unknownProblem(inputSchema: unknown): string {
  const isClosed = isRecord(inputSchema) && inputSchema.additionalProperties === false;
  return isClosed ? texts.unknown : '';
}

/** What is wrong with a value, or an empty text. */
export function problemOf(schema: Schema, value: unknown): string {
  if (schema.enum && !schema.enum.includes(value))
    return texts.choice(schema.enum.map(String).join(', '));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) {
    const found = alternatives.map((each) => problemOf(each, value));
    return found.includes('') ? '' : (found[0] ?? '');
  }
  return typeProblem(schema, value) || boundProblem(schema, value);
}

function typeProblem({ type }: Schema, value: unknown): string {
  const types = type === undefined ? [] : [type].flat();
  if (!types.length || types.some((each) => isOf(each, value))) return '';
  if (types.includes('integer') && !types.includes('string')) return texts.notInteger;
  if (types.includes('number') && !types.includes('string')) return texts.notNumber;
  return texts.type(types.join(', '));
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    default:
      // What is left: string, number, boolean.
      return typeof value === type;
  }
}

function boundProblem(schema: Schema, value: unknown): string {
  if (typeof value === 'number') return numberProblem(schema, value);
  if (typeof value === 'string') return textProblem(schema, value);
  if (Array.isArray(value)) return listProblem(schema, value);
  if (isRecord(value)) return objectProblem(schema, value);
  return '';
}

function numberProblem({ minimum, maximum, exclusiveMinimum }: Schema, value: number): string {
  if (minimum !== undefined && value < minimum) return texts.least(minimum);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return texts.above(exclusiveMinimum);
  return maximum !== undefined && value > maximum ? texts.most(maximum) : '';
}

function textProblem({ minLength, maxLength, pattern }: Schema, value: string): string {
  if (value.length < (minLength ?? 0)) return texts.short(minLength ?? 0);
  if (maxLength !== undefined && value.length > maxLength) return texts.long(maxLength);
  // A pattern in the dialect of another language is the companion's to check.
  const rule = pattern ? attempt(() => new RegExp(pattern, 'u')) : undefined;
  return rule?.test(value) === false ? texts.pattern(pattern ?? '') : '';
}

function listProblem({ minItems, maxItems, items }: Schema, value: unknown[]): string {
  if (value.length < (minItems ?? 0)) return texts.few(minItems ?? 0);
  if (maxItems !== undefined && value.length > maxItems) return texts.many(maxItems);
  return items ? (value.map((each) => problemOf(items, each)).find(Boolean) ?? '') : '';
}

function objectProblem({ properties = {}, required = [] }: Schema, value: Args): string {
  const missing = required.find((name) => value[name] === undefined);
  if (missing !== undefined) return `${missing}: ${texts.missing}`;
  for (const [name, schema] of Object.entries(properties)) {
    const problem = value[name] === undefined ? '' : problemOf(schema, value[name]);
    if (problem) return `${name}: ${problem}`;
  }
  return '';
}
