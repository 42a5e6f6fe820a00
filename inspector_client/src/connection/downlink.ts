import { routes } from '../protocol';
import type { Endpoints } from './endpoints';
import { createLeader } from './leader';
import { createStream } from './stream';
import { createVisibleOnly } from './visible-only';
import { createWorkerLink } from './worker-link';

/** What comes down: the stream opened (its hello arrived), was lost, or carried an event. */
export type DownMessage =
  | { kind: 'open'; channel: string }
  /** With a message: the companion does not want this page. */
  | { kind: 'lost'; message?: string }
  | { kind: 'event'; name: string; data: unknown };

export type DownListener = (message: DownMessage) => void;

export interface Downlink {
  start(): void;
  stop(): void;
  /** The network or the page came back: do not wait for the next try. */
  wake(): void;
  /** Tells who keeps the stream which page this is, so that it can close the page when the tab dies. */
  introduce?(page: string, key: string): void;
}

/** One stream per browser and origin where the browser allows it, else one only while the page is visible. */
export function createDownlink(endpoints: Endpoints, listener: DownListener): Downlink {
  let current: Downlink | undefined;
  const stream = (down: DownListener) => createStream(endpoints.at(routes.stream), down);

  function withoutWorker(): Downlink {
    return 'locks' in navigator && 'BroadcastChannel' in globalThis
      ? createLeader(navigator.locks, new BroadcastChannel('pageside-stream'), stream, listener)
      : createVisibleOnly(document, stream, listener);
  }
  function begin(next: Downlink): void {
    current = next;
    next.start();
  }

  return {
    start() {
      // With Trusted Types enforced, the worker's plain URL would be a violation.
      if (!('SharedWorker' in globalThis) || endpoints.trustedTypes) begin(withoutWorker());
      else
        begin(
          createWorkerLink(endpoints.at(routes.worker), listener, () => begin(withoutWorker())),
        );
    },
    stop: () => current?.stop(),
    wake: () => current?.wake(),
    introduce: (page, key) => current?.introduce?.(page, key),
  };
}
