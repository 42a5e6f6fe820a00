import tools from '../../../../companion/pageside/contract/kapture_tools.json';
import { commands as names } from '../../../../companion/pageside/contract/tabs.json';
import type { Command } from '../shared/messages';
import { texts } from './texts';

type Value = string | number | boolean;
export type Params = Record<string, unknown>;

/** What JSON Schema says of one parameter, as far as commands use it. */
export interface Schema {
  type?: string;
  description?: string;
  default?: Value;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

export interface Parameter {
  name: string;
  isRequired: boolean;
  schema: Schema;
}

export interface CommandForm {
  name: Command;
  title: string;
  description: string;
  parameters: Parameter[];
}

/** As it is on the wire: here it is always this tab. */
const OF_TOOLS_ONLY = new Set(['tabId']);

interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: { properties: Record<string, Schema | undefined>; required?: string[] };
}

function formOf(name: Command): CommandForm {
  const tool = (tools as Tool[]).find((each) => each.name === name);
  if (!tool) throw new Error(`kapture_tools.json lacks ${name}.`);
  const { properties, required = [] } = tool.inputSchema;
  const parameters = Object.entries(properties).flatMap(([parameter, schema]) =>
    schema && !OF_TOOLS_ONLY.has(parameter)
      ? [{ name: parameter, isRequired: required.includes(parameter), schema }]
      : [],
  );
  return { name, title: tool.title, description: tool.description, parameters };
}

/** All commands with their parameters, from the contract of the tools. */
export const commandForms: CommandForm[] = names.map(formOf);

const isNumber = ({ type }: Schema): boolean => type === 'number' || type === 'integer';

function numberProblem(text: string, { type, minimum, maximum }: Schema): string {
  const number = Number(text);
  if (!Number.isFinite(number)) return texts.notNumber;
  if (type === 'integer' && !Number.isInteger(number)) return texts.notWhole;
  if (minimum !== undefined && number < minimum) return texts.tooSmall(minimum);
  if (maximum !== undefined && number > maximum) return texts.tooLarge(maximum);
  return '';
}

function textProblem(text: string, schema: Schema): string {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (schema.enum && !schema.enum.includes(text)) return texts.notOf(schema.enum.join(', '));
  if (text.length < minLength) return texts.tooShort(minLength);
  if (text.length > maxLength) return texts.tooLong(maxLength);
  return '';
}

/** Whether an empty text means something of its own: `fill` empties a field by it. */
const mayBeEmpty = ({ schema, isRequired }: Parameter): boolean =>
  isRequired && schema.type === 'string' && !schema.minLength && !schema.enum;

/** What is wrong with what was typed for a parameter; the empty string if nothing is. */
export function problemOf(parameter: Parameter, text: string): string {
  const { schema, isRequired } = parameter;
  if (schema.type === 'boolean') return '';
  if (text.trim() === '' && !(mayBeEmpty(parameter) && text === ''))
    return isRequired ? texts.needed : '';
  return isNumber(schema) ? numberProblem(text, schema) : textProblem(text, schema);
}

function parsed(schema: Schema, text: string): Value {
  if (schema.type === 'boolean') return text === 'true';
  return isNumber(schema) ? Number(text) : text;
}

/** The parameters of a command from what was typed; optional ones left empty are left out. */
export function paramsOf(form: CommandForm, typed: Record<string, string>): Params {
  const params: Params = {};
  for (const parameter of form.parameters) {
    const text = typed[parameter.name] ?? '';
    if (text !== '' || mayBeEmpty(parameter))
      params[parameter.name] = parsed(parameter.schema, text);
  }
  return params;
}

/** The other way round: what to show in the form for parameters that were used before. */
export function typedOf(form: CommandForm, params: Params): Record<string, string> {
  const known = form.parameters.filter(({ name }) => params[name] !== undefined);
  return Object.fromEntries(known.map(({ name }) => [name, String(params[name])]));
}
