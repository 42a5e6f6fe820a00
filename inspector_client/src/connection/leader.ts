import type { DownListener, Downlink, DownMessage } from './downlink';

type Asked = { kind: 'ask' } | { kind: 'wake' };

/** The tab that holds the lock keeps the stream and passes everything on; when it closes, the next tab takes over. */
export function createLeader(
  locks: LockManager,
  bus: BroadcastChannel,
  openStream: (down: DownListener) => Downlink,
  listener: DownListener,
): Downlink {
  const ended = new AbortController();
  let leading = false;
  let opened: DownMessage | null = null;

  const stream = openStream((message) => {
    if (message.kind === 'open') opened = message;
    if (message.kind === 'lost') opened = null;
    bus.postMessage(message);
    listener(message);
  });

  function lead(): Promise<void> {
    leading = true;
    stream.start();
    return new Promise((resolve) => {
      ended.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
  function onMessage({ data }: MessageEvent<DownMessage | Asked>): void {
    if (data.kind === 'ask') {
      if (opened) bus.postMessage(opened);
    } else if (data.kind === 'wake') {
      if (leading) stream.wake();
    } else listener(data);
  }

  return {
    start() {
      bus.onmessage = onMessage;
      bus.postMessage({ kind: 'ask' });
      // A stopped tab withdraws its request; that rejection is the expected end.
      locks.request('pageside-stream', { signal: ended.signal }, lead).catch(() => undefined);
    },
    stop() {
      ended.abort();
      stream.stop();
      bus.close();
    },
    wake() {
      if (leading) stream.wake();
      else bus.postMessage({ kind: 'wake' });
    },
  };
}
