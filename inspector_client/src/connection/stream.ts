import { explained, randomId } from '../basics';
import { createBackoff } from './backoff';
import type { DownListener, Downlink } from './downlink';

const EVENTS = ['call', 'cancel', 'inspections', 'activity', 'brakes'];
/** `EventSource.CLOSED`: it got an answer, but no stream. */
const CLOSED = 2;
const HELLO_WITHIN_MS = 10_000;

/** The event stream itself. Reconnects by itself, with a channel of its own each time. */
export function createStream(url: string, listener: DownListener): Downlink {
  const backoff = createBackoff();
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let started = false;
  let greeted = false;
  let message: string | undefined;

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
  /** An EventSource says nothing of an answer that is no stream. */
  async function explain(): Promise<void> {
    const signal = AbortSignal.timeout(HELLO_WITHIN_MS);
    const refusal = await fetch(`${url}?channel=${randomId()}`, { signal })
      .then((answer) => (answer.status === 409 ? answer.json() : null))
      .catch(() => null);
    message = refusal ? explained(refusal.error) : undefined;
    if (!greeted) listener({ kind: 'lost', message });
  }
  function lost(): void {
    const isRefused = source?.readyState === CLOSED;
    close();
    listener({ kind: 'lost', message });
    if (isRefused) void explain();
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
