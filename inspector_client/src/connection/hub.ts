import type { DownListener, Downlink, DownMessage } from './downlink';

export type UpMessage =
  | { kind: 'page'; page: string; key: string; lock: string | null }
  | { kind: 'wake' }
  | { kind: 'bye' };

export interface Port {
  postMessage(message: DownMessage): void;
  onmessage: ((event: MessageEvent<UpMessage>) => void) | null;
}

export interface Hub {
  add(port: Port): void;
}

interface HubParts {
  openStream(down: DownListener): Downlink;
  closePage(page: string, key: string): void;
  /** Resolves when the lock is free, that is when its page is gone; null where there are no locks. */
  untilFree: ((lock: string) => Promise<void>) | null;
}

/** Inside the SharedWorker: one stream for all tabs, each of which gets every message. */
export function createHub({ openStream, closePage, untilFree }: HubParts): Hub {
  const ports = new Map<Port, { page: string; key: string } | null>();
  let last: DownMessage = { kind: 'lost' };

  const stream = openStream((message) => {
    if (message.kind !== 'event') last = message;
    for (const port of ports.keys()) port.postMessage(message);
  });

  function drop(port: Port): void {
    ports.delete(port);
    if (ports.size > 0) return;
    stream.stop();
    last = { kind: 'lost' };
  }
  async function watch(port: Port, page: string, lock: string): Promise<void> {
    await untilFree?.(lock);
    const known = ports.get(port);
    if (known?.page !== page) return;
    closePage(known.page, known.key);
    drop(port);
  }
  function receive(port: Port, message: UpMessage): void {
    if (message.kind === 'wake') stream.wake();
    else if (message.kind === 'bye') drop(port);
    else {
      const isNew = ports.get(port)?.page !== message.page;
      ports.set(port, { page: message.page, key: message.key });
      if (isNew && message.lock) void watch(port, message.page, message.lock);
    }
  }

  return {
    add(port) {
      ports.set(port, null);
      port.onmessage = (event) => receive(port, event.data);
      port.postMessage(last);
      stream.start();
    },
  };
}
