// What was logged, as text, as DevTools would show it: placeholders filled, objects shallow, errors with their stack.
import { LIMITS } from '../../shared/contract';

/** CDP's `Runtime.ObjectPreview`, and its properties. */
interface Preview {
  type: string;
  subtype?: string;
  description?: string;
  overflow?: boolean;
  properties?: Property[];
  entries?: { key?: Preview; value: Preview }[];
}
interface Property {
  name: string;
  type: string;
  value?: string;
  valuePreview?: Preview;
}

/** CDP's `Runtime.RemoteObject`. */
export interface Remote {
  type: string;
  subtype?: string;
  className?: string;
  value?: unknown;
  unserializableValue?: string;
  description?: string;
  preview?: Preview;
  objectId?: string;
}

const LONGEST_FUNCTION = 120;
const PLACEHOLDER = /%([sdifoOc%])/g;

/** The text of a console call. */
export function messageOf(given: Remote[]): string {
  const [first, ...rest] = given;
  if (!first) return '';
  const begins = typeof first.value === 'string' ? filled(first.value, rest) : shown(first);
  return cut([begins, ...rest.map(shown)].join(' '));
}

export const cut = (text: string): string =>
  text.length <= LIMITS.entryChars
    ? text
    : `${text.slice(0, LIMITS.entryChars)}… [${text.length - LIMITS.entryChars} more characters]`;

/** The pattern with its placeholders filled; what it used is taken out of `rest`. */
function filled(pattern: string, rest: Remote[]): string {
  return pattern.replace(PLACEHOLDER, (whole, kind: string) => {
    if (kind === '%') return '%';
    const value = rest.shift();
    return value ? FILLS[kind as keyof typeof FILLS](value) : whole;
  });
}

const plain = ({ value, unserializableValue, description }: Remote): string =>
  String(value ?? unserializableValue ?? description ?? '');

const integer = (value: Remote): string =>
  value.type === 'bigint' ? plain(value) : String(Number.parseInt(plain(value), 10));

const FILLS = {
  s: (value: Remote) => shown(value),
  d: integer,
  i: integer,
  f: (value: Remote) => String(Number.parseFloat(plain(value))),
  o: (value: Remote) => shown(value),
  O: (value: Remote) => shown(value),
  c: () => '',
};

/** One value, on one line where it can be. */
export function shown(value: Remote): string {
  if (value.type === 'string') return String(value.value ?? '');
  if (value.type === 'function') return functionOf(value.description ?? '');
  if (value.subtype === 'error') return value.description ?? '';
  if (value.preview && value.subtype !== 'node') return previewed(value.preview);
  if (value.unserializableValue) return value.unserializableValue;
  if (value.description !== undefined) return value.description;
  return 'value' in value ? JSON.stringify(value.value) : value.type;
}

function functionOf(source: string): string {
  const head = source.split('{', 1)[0] ?? '';
  return `ƒ ${head.replace(/\s+/g, ' ').trim().slice(0, LONGEST_FUNCTION)}`;
}

function previewed(preview: Preview): string {
  const { type, subtype, description = '', entries, properties = [] } = preview;
  if (type === 'function') return functionOf(description);
  if (subtype === 'error') return description.split('\n', 1)[0] ?? '';
  const dots = preview.overflow ? ['…'] : [];
  if (entries) return `${description} {${[...entries.map(entryOf), ...dots].join(', ')}}`;
  if (subtype === 'array' || subtype === 'typedarray') {
    const items = properties.filter(({ name }) => /^\d+$/.test(name));
    const name = subtype === 'array' ? '' : `${description} `;
    return `${name}[${[...items.map(itemOf), ...dots].join(', ')}]`;
  }
  if (subtype && subtype !== 'proxy' && subtype !== 'iterator') return description;
  const name = description === 'Object' || !description ? '' : `${description} `;
  const fields = properties.map((each) => `${each.name}: ${itemOf(each)}`);
  return `${name}{${[...fields, ...dots].join(', ')}}`;
}

function entryOf({ key, value }: { key?: Preview; value: Preview }): string {
  const told = inner(value);
  return key ? `${inner(key)} => ${told}` : told;
}

function inner(preview: Preview): string {
  if (preview.type === 'object' && preview.subtype !== 'null') return previewed(preview);
  const { description = preview.type } = preview;
  return preview.type === 'string' ? JSON.stringify(description) : description;
}

function itemOf({ type, value, valuePreview }: Property): string {
  if (valuePreview) return previewed(valuePreview);
  if (type === 'accessor') return '(…)';
  if (type === 'function') return 'ƒ';
  return type === 'string' ? JSON.stringify(value ?? '') : (value ?? type);
}
