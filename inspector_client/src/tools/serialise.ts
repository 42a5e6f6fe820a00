import { messageOf, recordOf } from '../basics';
import { ToolError } from '../failure';
import { limits } from '../protocol';

const MAX_DEPTH = 30;
const MAX_NODES = 100_000;
const LIST = /list$|collection$|array$/;
const ENTRIES = /^(headers|formdata|urlsearchparams)$/;
const OPAQUE = /^(window|promise|weak\w+|regexp)$/;

/** A JSON value that says as much as JSON can of any value, cycles and DOM nodes included. */
export function toJson(value: unknown): unknown {
  let nodes = 0;
  const above: object[] = [];

  function convert(item: unknown): unknown {
    nodes += 1;
    if (nodes > MAX_NODES) throw tooLarge(`more than ${MAX_NODES} values`);
    if (typeof item !== 'object' || item === null) return primitive(item);
    if (above.includes(item)) return '[Circular]';
    if (above.length >= MAX_DEPTH) return '[Object]';
    above.push(item);
    const readable = opened(item);
    const json = Array.isArray(readable) ? readable.map(convert) : fields(readable);
    above.pop();
    return json;
  }
  function fields(item: unknown): unknown {
    if (typeof item !== 'object' || item === null) return item;
    return recordOf(Object.keys(item), (key) => convert(read(item, key)));
  }
  return convert(value);
}

function primitive(item: unknown): unknown {
  if (typeof item === 'function') return `[Function ${item.name}]`;
  if (typeof item === 'bigint') return `${item}n`;
  if (typeof item === 'symbol' || (typeof item === 'number' && !Number.isFinite(item)))
    return String(item);
  return item ?? null;
}

/** A plain array, a plain object or a text for what hides its content. */
function opened(item: object): unknown {
  const type = typeOf(item);
  const { nodeName, toJSON } = item as Partial<Node & Date>;
  if (nodeName) return 'classList' in item ? elementText(item as Element) : `[${nodeName}]`;
  if (LIST.test(type) && 'length' in item) return Array.from(item as ArrayLike<unknown>);
  if (type === 'map' || type === 'set') return { [`[${type}]`]: [...(item as Set<unknown>)] };
  if (item instanceof Error || type === 'domexception') {
    const { name, message, stack } = item as Error;
    return { name, message, stack };
  }
  if (OPAQUE.test(type)) return type === 'regexp' ? String(item) : `[${type}]`;
  return typeof toJSON === 'function' ? toJSON.call(item as Date) : ofPlatform(item, type);
}

/** Of what the browser made, and what has no fields of its own: its entries, or what its getters say in a word. */
function ofPlatform(item: object, type: string): unknown {
  if ('getPropertyValue' in item) {
    const style = item as CSSStyleDeclaration;
    return recordOf(Array.from(style), (name) => style.getPropertyValue(name));
  }
  // Some getters of `navigator` log that nobody should use them.
  if (type === 'object' || type === 'navigator' || Object.keys(item).length > 0) return item;
  if (ENTRIES.test(type)) return [...(item as FormData).entries()];
  return recordOf(
    getters(item).filter((name) => isPlain(read(item, name))),
    (name) => read(item, name),
  );
}

function getters(item: object): string[] {
  const above = Object.getPrototypeOf(item);
  if (above === null || above === Object.prototype) return [];
  const own = Object.entries(Object.getOwnPropertyDescriptors(above));
  return [...own.filter(([, each]) => each.get).map(([name]) => name), ...getters(above)];
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function elementText({ localName, id, classList }: Element): string {
  return `<${[localName + (id && `#${id}`), ...classList].join('.')}>`;
}

function read(item: object, key: string): unknown {
  try {
    return Reflect.get(item, key);
  } catch (error) {
    return `[Thrown: ${messageOf(error)}]`;
  }
}

export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  return Object.prototype.toString.call(value).slice(8, -1).toLowerCase();
}

/** As `toJson`, within the limit for one result. */
export function toResult(value: unknown): unknown {
  const json = toJson(value);
  const size = new Blob([JSON.stringify(json)]).size;
  if (size > limits.resultBytes) throw tooLarge(`${size} bytes`);
  return json;
}

function tooLarge(size: string): ToolError {
  const message = `The result has ${size}; the limit is ${limits.resultBytes} bytes.`;
  return new ToolError('RESULT_TOO_LARGE', message);
}
