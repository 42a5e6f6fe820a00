import { attempt, clip } from '../../basics';
import { isSecretField, isSecretName, REDACTED, redactUrl } from '../../element/redact';

const DEPTH = 3;
const ITEMS = 8;
const CHARS = 200;
const SECRET_TEXT = /\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*|\b(bearer|basic)\s+[\w.~+/=-]{12,}/gi;
const FIELDS = 'input,textarea,select';
/** Shorter ones would take half of every text with them. */
const SECRET_CHARS = 3;

/** What a value is, in a few words; nothing of the page's is called. `name` says whether it is a secret. */
export type Telling = (value: unknown, name: string) => string;

/** With what stands in the page's secret fields at this moment taken out. */
export function createTelling(document: Document): Telling {
  const secrets = secretsIn(document);
  const clean = (text: string) =>
    secrets.reduce(
      (rest, secret) => rest.replaceAll(secret, REDACTED),
      redactUrl(text).replace(SECRET_TEXT, REDACTED),
    );
  return (value, name) =>
    attempt(() => clip(textOf(value, name, [], clean), CHARS), '(cannot be read)');
}

function secretsIn(document: Document): string[] {
  const fields = [...document.querySelectorAll<HTMLInputElement>(FIELDS)].filter(isSecretField);
  return fields.map(({ value }) => value).filter((value) => value.length >= SECRET_CHARS);
}

type Clean = (text: string) => string;

function textOf(value: unknown, name: string, above: object[], clean: Clean): string {
  const isOpen = value === null || ['undefined', 'boolean', 'function'].includes(typeof value);
  if (!isOpen && value !== '' && isSecretName(name)) return REDACTED;
  if (typeof value === 'string') return quoted(value, clean);
  if (typeof value === 'function') return `ƒ ${nameOf(value)}`.trim();
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (above.includes(value)) return '[Circular]';
  return ofPlatform(value, clean) ?? ofObject(value, [...above, value], clean);
}

/** Cut first: a text of megabytes is not worth a look at each of its characters. */
function quoted(text: string, clean: Clean): string {
  return JSON.stringify(clip(clean(text.slice(0, 20 * CHARS)), CHARS));
}

function nameOf(value: object): string {
  const name = Object.getOwnPropertyDescriptor(value, 'name')?.value;
  return typeof name === 'string' ? name : '';
}

/** Of what says more by its kind than by its fields. */
function ofPlatform(value: object, clean: Clean): string | undefined {
  const type = Object.prototype.toString.call(value).slice(8, -1);
  if (type === 'Date')
    return attempt(() => Date.prototype.toISOString.call(value), 'Invalid Date') ?? type;
  if (type === 'RegExp') return RegExp.prototype.toString.call(value);
  if (type === 'Error' || type === 'DOMException') {
    const { name, message } = value as Error;
    return `${name}: ${clean(String(message))}`;
  }
  if (/^(Promise|Weak\w+|Window|\w*Iterator|Generator)$/.test(type)) return type;
  if (/^(HTML|SVG|MathML)\w*Element$/.test(type)) return tagText(value as Element);
  if (attempt(() => 'nodeType' in value && 'nodeName' in value, false)) return type;
  return madeOf(value);
}

/** An element that a framework has not rendered yet: `<Row>`. */
function madeOf(value: object): string | undefined {
  const type = own(value, 'type');
  if (!own(value, '$$typeof') && !own(value, '__v_isVNode') && own(value, '__v') === undefined)
    return undefined;
  if (typeof type === 'string') return `<${type}>`;
  return typeof type === 'function' ? `<${nameOf(type)}>` : '<…>';
}

function tagText({ localName, id, classList }: Element): string {
  return `<${[localName + (id && `#${id}`), ...classList].join('.')}>`;
}

function ofObject(value: object, above: object[], clean: Clean): string {
  const tell = (item: unknown, name: string) => textOf(item, name, above, clean);
  const tooDeep = above.length > DEPTH;
  if (Array.isArray(value)) {
    const { length } = value;
    if (tooDeep && length > 0) return `[… ${length}]`;
    const items = Array.from({ length: Math.min(length, ITEMS) }, (_, index) =>
      tell(own(value, String(index)), ''),
    );
    return `[${[...items, ...rest(length)].join(', ')}]`;
  }
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag === 'Map' || tag === 'Set') return ofCollection(value, tag, tell);
  const keys = Object.keys(value);
  if (tooDeep && keys.length > 0) return '{…}';
  const fields = keys
    .slice(0, ITEMS)
    .map((key) => `${JSON.stringify(key)}: ${field(value, key, tell)}`);
  const kind = kindOf(value);
  return `${kind && `${kind} `}{${[...fields, ...rest(keys.length)].join(', ')}}`;
}

const rest = (length: number) => (length > ITEMS ? [`… ${length - ITEMS} more`] : []);

/** What a getter returns stays unknown: to call it might change something. */
function field(value: object, key: string, tell: Telling): string {
  const descriptor = Object.getOwnPropertyDescriptor(value, key);
  return descriptor?.get ? '(getter)' : tell(descriptor?.value, key);
}

function own(value: object, key: string): unknown {
  return attempt(() => Object.getOwnPropertyDescriptor(value, key)?.value);
}

function ofCollection(value: object, tag: 'Map' | 'Set', tell: Telling): string {
  const all =
    tag === 'Map' ? [...Map.prototype.entries.call(value)] : [...Set.prototype.values.call(value)];
  const items = all.slice(0, ITEMS).map((item: unknown) => {
    if (tag === 'Set') return tell(item, '');
    const [key, held] = item as [unknown, unknown];
    return `${tell(key, '')} => ${tell(held, String(key))}`;
  });
  return `${tag}(${all.length}) {${[...items, ...rest(all.length)].join(', ')}}`;
}

/** The class of an object that is not a plain one. */
function kindOf(value: object): string {
  const above: unknown = Object.getPrototypeOf(value);
  const maker = above && own(above, 'constructor');
  const name = typeof maker === 'function' ? nameOf(maker) : '';
  return name === 'Object' ? '' : name;
}
