import type { Call, ElementContext, HookCall, InspectionItem } from '../src/protocol';
import { createQueue, type Queue } from '../src/queue/queue';
import { createEntryStorage } from '../src/queue/storage';

export function context(component = 'Card'): ElementContext {
  return {
    elementId: 'p1',
    sourceInfo: {
      file: 'src/App.tsx',
      component,
      line: 3,
      column: 5,
      exact: true,
      stack: [],
      framework: 'react',
      elementInfo: {
        tagName: 'button',
        textContent: 'Save',
        className: '',
        id: '',
        role: 'button',
        name: 'Save',
        attributes: {},
        html: '<button>Save</button>',
        styles: {},
        boundingBox: { x: 0, y: 0, width: 10, height: 10 },
        computedStyles: {},
      },
    },
    selector: 'button',
    url: 'http://localhost:5173/',
    title: 'App',
  };
}

export function item(id: string, more: Partial<InspectionItem> = {}): InspectionItem {
  return {
    ...context(),
    id,
    description: `about ${id}`,
    status: 'pending',
    timestamp: 1,
    updated: 1,
    rev: 1,
    author: 'user',
    ...more,
  };
}

export function call(id: string, more: Partial<Call> = {}): Call {
  return { page: 'p', id, tool: 'look', args: {}, timeoutMs: 1000, ...more };
}

/** A storage in memory that can be told to fail. */
export function fakeStorage(initial: Record<string, string> = {}) {
  const data = new Map(Object.entries(initial));
  const state = { room: Number.POSITIVE_INFINITY };
  const storage = {
    getItem: (key: string) => data.get(key) ?? null,
    setItem(key: string, value: string) {
      if (value.length > state.room) throw new DOMException('no room', 'QuotaExceededError');
      data.set(key, value);
    },
    removeItem: (key: string) => void data.delete(key),
  };
  return { storage: storage as unknown as Storage, data, state };
}

/** What tabs tell each other. */
interface Said {
  entries: { id: string }[];
  answered: string[];
}

/** Tabs of one origin: one storage, one broadcast channel. */
export function createTabs() {
  const { storage, data, state } = fakeStorage();
  /** To spy on. */
  const said = (message: Said): unknown => message;
  const tabs = { open, data, state, said };
  const ports: { onmessage: ((event: MessageEvent) => void) | null }[] = [];
  function open(broadcasts = true, home: string | null = null): Queue {
    const port = {
      onmessage: null as ((event: MessageEvent) => void) | null,
      postMessage(message: unknown) {
        tabs.said(message as Said);
        const copy = structuredClone(message);
        for (const other of ports)
          if (other !== port) other.onmessage?.({ data: copy } as MessageEvent);
      },
    };
    if (broadcasts) ports.push(port);
    const queue = createQueue({
      storage: createEntryStorage(() => storage),
      session: () => storage,
      bus: broadcasts ? port : null,
      locks: null,
      home,
    });
    queue.start();
    return queue;
  }
  return tabs;
}

/** 'name=hook …', in the order in which they are written. */
export const hookCalls = (text: string): HookCall[] =>
  text.split(' ').map((each) => {
    const [name = '', hook = ''] = each.split('=');
    return { name, hook };
  });
