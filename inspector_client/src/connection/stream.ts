import { randomId } from '../basics';
import { createBackoff } from './backoff';
import type { DownListener, Downlink } from './downlink';

const EVENTS = ['call', 'cancel', 'inspections'];
const HELLO_WITHIN_MS = 10_000;

/** The event stream itself. Reconnects by itself, with a channel of its own each time. */
export function createStream(url: string, listener: DownListener): Downlink {
  const backoff = createBackoff();
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let started = false;
  let greeted = false;

  function connect(): void {
    const channel = randomId();
    source = new EventSource(`${url}?channel=${channel}`);
    timer = setTimeout(lost, HELLO_WITHIN_MS);
    source.onerror = lost;
    source.addEventListener('hello', () => {
      clearTimeout(timer);
      greeted = true;
      backoff.reset();
      listener({ kind: 'open', channel });
    });
    for (const name of EVENTS) {
      source.addEventListener(name, (event: MessageEvent<string>) =>
        listener({ kind: 'event', name, data: JSON.parse(event.data) }),
      );
    }
  }
  function close(): void {
    clearTimeout(timer);
    source?.close();
    source = undefined;
    greeted = false;
  }
  function lost(): void {
    close();
    listener({ kind: 'lost' });
    timer = setTimeout(connect, backoff.next());
  }

  return {
    start() {
      if (started) return;
      started = true;
      connect();
    },
    stop() {
      started = false;
      close();
    },
    wake() {
      if (!started || greeted || source) return;
      clearTimeout(timer);
      backoff.reset();
      connect();
    },
  };
}
