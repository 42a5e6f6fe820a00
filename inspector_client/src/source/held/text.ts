import { attempt, clip } from '../../basics';
import { isSecretField, isSecretName, REDACTED, redactUrl } from '../../element/redact';
import { everyElement } from '../search';

const DEPTH = 3;
const ITEMS = 8;
const CHARS = 200;
/** What values have for names, besides fields of forms. */
const SECRET_NAME =
  /jwt|bearer|cookie|session[-_]?id|\bsid\b|(private|access|signing|encryption)[-_]?key|(card|account)[-_]?num|credit[-_]?card|\bpin([-_]?code)?\b|\bssn\b|\biban\b/i;
/** Tokens, keys of well-known services, private keys and card numbers. */
const SECRET_TEXTS = [
  /\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*|\b(bearer|basic)\s+[\w.~+/=-]{12,}/gi,
  /\b(gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|npm_\w{30,}|xox[a-z]-[\w-]{10,}|AIza[\w-]{30,}|(AKIA|ASIA)[A-Z\d]{16})/g,
  /\b([rsw]k|whsec)[-_][\w-]{16,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY[\s\S]*/g,
  /\b[3-6]\d{3}([ -]?)\d{4}\1\d{4}\1\d{4}\b/g,
];
const JSON_PAIR = /("([^"\\]{1,60})"\s*:\s*)"(?:[^"\\]|\\.)*(?:"|$)/g;
/** Shorter ones would take half of every text with them. */
const SECRET_CHARS = 3;

/** What a value is, in a few words; nothing of the page's is called. `name` says whether it is a secret. */
export type Telling = (value: unknown, name: string) => string;

/** With what stands in the page's secret fields and cookies at this moment taken out. */
export function createTelling(document: Document): Telling {
  const secrets = secretsIn(document);
  const clean = (text: string) =>
    secrets.reduce(
      (rest, secret) => rest.replaceAll(secret, REDACTED),
      SECRET_TEXTS.reduce(
        (rest, secret) => rest.replace(secret, REDACTED),
        redactUrl(withoutPairs(text)),
      ),
    );
  return (value, name) =>
    attempt(() => clip(textOf(value, name, [], clean), CHARS), '(cannot be read)');
}

/** Of a text that is JSON, perhaps cut, the values of secret names. */
function withoutPairs(text: string): string {
  return text.replace(JSON_PAIR, (pair, start: string, name: string) =>
    isSecret(name) ? `${start}"${REDACTED}"` : pair,
  );
}

function secretsIn(document: Document): string[] {
  const fields = [...everyElement(document)].filter(isSecretField);
  return [
    ...fields.map((field) => (field as HTMLInputElement).value ?? ''),
    ...attempt(() => document.cookie.split('; ').map(secretOf), []),
  ].filter((value) => value.length >= SECRET_CHARS);
}

/** Of `theme=dark` all of it, of `sid=8f14e45fce` its value: that is none of the page's words. */
function secretOf(cookie: string): string {
  const value = cookie.slice(cookie.indexOf('=') + 1);
  return value.length >= 8 && /\d/.test(value) ? value : cookie;
}

type Clean = (text: string) => string;

function textOf(value: unknown, name: string, above: object[], clean: Clean): string {
  const isOpen = value === null || ['undefined', 'boolean', 'function'].includes(typeof value);
  if (!isOpen && value !== '' && isSecret(name)) return REDACTED;
  if (typeof value === 'string') return quoted(value, clean);
  if (typeof value === 'function') return `ƒ ${nameOf(value)}`.trim();
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (above.includes(value)) return '[Circular]';
  return ofPlatform(value, clean) ?? ofObject(value, [...above, value], clean);
}

function isSecret(name: string): boolean {
  return isSecretName(name) || SECRET_NAME.test(name);
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
    // Headers and entries: `['authorization', '…']`.
    const name = length === 2 ? own(value, '0') : '';
    const items = Array.from({ length: Math.min(length, ITEMS) }, (_, index) =>
      tell(own(value, String(index)), index === 1 && typeof name === 'string' ? name : ''),
    );
    return `[${[...items, ...rest(length)].join(', ')}]`;
  }
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag === 'Map' || tag === 'Set') return ofCollection(value, tag, tell);
  const keys = Object.keys(value);
  if (tooDeep && keys.length > 0) return '{…}';
  const fields = keys
    .slice(0, ITEMS)
    .map((key) => `${quoted(key, clean)}: ${field(value, key, tell)}`);
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
