import { isRecord } from '../basics';
import type { Place } from '../protocol';
import { firstOwnFrame } from './frames';
import { notedFor } from './noted';
import { MAX_OWNERS, type RawSource, type SourceReader } from './raw';

interface JsxSource {
  fileName: string;
  lineNumber: number;
  columnNumber?: number;
}
interface Kept {
  source: JsxSource;
  /** Of the file's text that the place counts in. */
  version?: string;
  order: number;
}
type Props = object;
export interface Fiber {
  type?: unknown;
  name?: string;
  memoizedProps?: Props | null;
  alternate?: Fiber | null;
  _debugOwner?: Fiber | null;
  _debugSource?: JsxSource | null;
  _debugStack?: { stack?: string } | string | null;
  /** Server components' owners name it so. */
  debugStack?: { stack?: string } | null;
  owner?: Fiber | null;
}

export const react: SourceReader = {
  name: 'react',
  read,
  placeOf(element) {
    const fiber = keyed<Fiber>(element, '__reactFiber$');
    const committed = keyed<Props>(element, '__reactProps$');
    return fiber ? placeOf(fiber, element.localName, keptSources(element), committed) : null;
  },
};

function read(element: Element): RawSource | null {
  const fiber = keyed<Fiber>(element, '__reactFiber$');
  if (!fiber) return null;
  const committed = keyed<Props>(element, '__reactProps$');
  const kept = keptSources(element);
  const places = [placeOf(fiber, element.localName, kept, committed)];
  const owners: string[] = [];
  for (let owner = ownerOf(fiber); owner && owners.length < MAX_OWNERS; owner = ownerOf(owner)) {
    const name = componentName(owner);
    owners.push(name);
    places.push(placeOf(owner, name, kept));
  }
  return { framework: 'react', places, owners };
}

/** What React keeps on an element: the key ends in random characters. */
export function keyed<T>(element: Element, prefix: string): T | undefined {
  const key = Object.keys(element).find((name) => name.startsWith(prefix));
  return key && Reflect.get(element, key);
}

/** What the plugin's JSX runtime keeps. */
function keptSources(element: Element): WeakMap<Props, Kept> | undefined {
  return notedFor<{ props: WeakMap<Props, Kept> }>(element, 'react')?.props;
}

function placeOf(
  fiber: Fiber,
  tag: string,
  kept: WeakMap<Props, Kept> | undefined,
  committed?: Props,
): Place | null {
  // The fiber on the node may be the stale one of its pair; what was rendered last has the highest order.
  const newest = [committed, fiber.memoizedProps, fiber.alternate?.memoizedProps]
    .map((props) => (typeof props === 'object' && props ? kept?.get(props) : undefined))
    .filter((entry) => entry !== undefined)
    .reduce<Kept | undefined>(
      (best, entry) => (best && best.order > entry.order ? best : entry),
      undefined,
    );
  if (newest) {
    const { source, version } = newest;
    return { ...fromSource(source, tag, 'jsxDEV'), ...(version && { version }) };
  }
  if (fiber._debugSource) return fromSource(fiber._debugSource, tag, '_debugSource');
  const stack = fiber._debugStack ?? fiber.debugStack;
  const frame = firstOwnFrame((typeof stack === 'string' ? stack : stack?.stack) ?? '');
  return frame ? { frame, tag, via: '_debugStack' } : null;
}

function fromSource(
  { fileName, lineNumber, columnNumber }: JsxSource,
  tag: string,
  via: string,
): Place {
  return { file: fileName, line: lineNumber, column: columnNumber ?? 1, tag, via };
}

export function ownerOf(fiber: Fiber): Fiber | null {
  return fiber._debugOwner ?? fiber.owner ?? null;
}

export function componentName(fiber: Fiber): string {
  return fiber.name ?? nameOfType(fiber.type) ?? 'Anonymous';
}

/** Through memo (`type.type`) and forwardRef (`type.render`). */
function nameOfType(type: unknown): string | undefined {
  if (typeof type === 'string') return type;
  if (typeof type !== 'function' && !isRecord(type)) return undefined;
  const { displayName, name, render, type: inner } = type as Record<string, unknown>;
  if (typeof displayName === 'string' && displayName) return displayName;
  if (typeof name === 'string' && name) return name;
  return nameOfType(render) ?? nameOfType(inner);
}
