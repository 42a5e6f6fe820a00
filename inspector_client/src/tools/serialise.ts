import { messageOf } from '../basics';
import { ToolError } from '../failure';
import { limits } from '../protocol';

const MAX_DEPTH = 30;
const MAX_NODES = 100_000;

/** A JSON value that says as much as JSON can of any value, cycles and DOM nodes included. */
export function toJson(value: unknown): unknown {
  let nodes = 0;
  const above: object[] = [];

  function convert(item: unknown): unknown {
    nodes += 1;
    if (nodes > MAX_NODES) throw tooLarge(`more than ${MAX_NODES} values`);
    if (typeof item !== 'object' || item === null) return primitive(item);
    if (above.includes(item)) return '[Circular]';
    if (above.length >= MAX_DEPTH) return Array.isArray(item) ? '[Array]' : '[Object]';
    above.push(item);
    try {
      const known = special(item);
      if (typeof known === 'object') return convert(known);
      return known ?? (Array.isArray(item) ? Array.from(item, convert) : fields(item));
    } finally {
      above.pop();
    }
  }
  function fields(item: object): unknown {
    const own = withToJson(item);
    if (own !== item) return convert(own);
    return Object.fromEntries(Object.keys(item).map((key) => [key, convert(readable(item, key))]));
  }
  return convert(value);
}

function primitive(item: unknown): unknown {
  switch (typeof item) {
    case 'bigint':
      return `${item}n`;
    case 'function':
      return `[Function ${item.name || 'anonymous'}]`;
    case 'symbol':
      return String(item);
    case 'undefined':
      return null;
    case 'number':
      return Number.isFinite(item) ? item : String(item);
    default:
      return item;
  }
}

/** Text for what has no fields worth reading, a plain object or array for what hides its content. */
function special(item: object): string | object | undefined {
  if ('nodeType' in item && 'nodeName' in item) return nodeText(item as Node);
  if (item === window || Object.prototype.toString.call(item) === '[object Window]')
    return '[Window]';
  if (item instanceof Error) {
    const { name, message, stack } = item;
    return { name, message, stack };
  }
  if (item instanceof Map) return { '[Map]': [...item] };
  if (item instanceof Set) return { '[Set]': [...item] };
  if (item instanceof RegExp) return String(item);
  if (item instanceof Date && Number.isNaN(item.getTime())) return 'Invalid Date';
  if (item instanceof Promise || item instanceof WeakMap || item instanceof WeakSet)
    return Object.prototype.toString.call(item);
  if (ArrayBuffer.isView(item) && !(item instanceof DataView)) return [...(item as Uint8Array)];
  if (isCollection(item)) return Array.from(item as ArrayLike<unknown>);
  return undefined;
}

function isCollection(item: object): boolean {
  return /^\[object (NodeList|HTMLCollection|DOMTokenList|FileList)\]$/.test(
    Object.prototype.toString.call(item),
  );
}

function nodeText(node: Node): string {
  if (node.nodeType !== 1) return `[${node.nodeName}]`;
  const element = node as Element;
  const id = element.id ? `#${element.id}` : '';
  const classes = [...element.classList].slice(0, 3).map((name) => `.${name}`);
  return `<${element.localName}${id}${classes.join('')}>`;
}

function withToJson(item: object): unknown {
  const { toJSON } = item as { toJSON?: unknown };
  return typeof toJSON === 'function' ? toJSON.call(item) : item;
}

function readable(item: object, key: string): unknown {
  try {
    return Reflect.get(item, key);
  } catch (error) {
    return `[Thrown: ${messageOf(error)}]`;
  }
}

export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  return (
    /^\[object (.*)\]$/.exec(Object.prototype.toString.call(value))?.[1]?.toLowerCase() ?? 'object'
  );
}

/** As `toJson`, within the limit for one result. */
export function toResult(value: unknown): unknown {
  const json = toJson(value);
  const size = new TextEncoder().encode(JSON.stringify(json)).length;
  if (size > limits.resultBytes) throw tooLarge(`${size} bytes`);
  return json;
}

function tooLarge(size: string): ToolError {
  return new ToolError(
    'RESULT_TOO_LARGE',
    `The result has ${size}; the limit is ${limits.resultBytes} bytes.`,
  );
}
