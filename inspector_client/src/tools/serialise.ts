import { messageOf, recordOf } from '../basics';
import { ToolError } from '../failure';
import { limits } from '../protocol';

const MAX_DEPTH = 30;
const MAX_NODES = 100_000;
const LIST = /list$|collection$|array$/;
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
  if (LIST.test(type)) return Array.from(item as ArrayLike<unknown>);
  if (type === 'map' || type === 'set') return { [`[${type}]`]: [...(item as Set<unknown>)] };
  if (item instanceof Error || type === 'domexception') {
    const { name, message, stack } = item as Error;
    return { name, message, stack };
  }
  if (OPAQUE.test(type)) return type === 'regexp' ? String(item) : `[${type}]`;
  return typeof toJSON === 'function' ? toJSON.call(item as Date) : item;
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
