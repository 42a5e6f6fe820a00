import type { DownListener, Downlink, DownMessage } from './downlink';

type Asked = { kind: 'ask' } | { kind: 'wake' };

/** The tab that holds the lock keeps the stream and passes everything on; when it closes, the next tab takes over. */
export function createLeader(
  locks: LockManager,
  bus: BroadcastChannel,
  openStream: (down: DownListener) => Downlink,
  listener: DownListener,
): Downlink {
  let leading = false;
  let last: DownMessage = { kind: 'lost' };

  const stream = openStream((message) => {
    if (message.kind !== 'event') last = message;
    bus.postMessage(message);
    listener(message);
  });
  function onMessage({ data }: MessageEvent<DownMessage | Asked>): void {
    if (data.kind === 'wake') wake();
    else if (data.kind !== 'ask') listener(data);
    else if (leading) bus.postMessage(last);
  }
  function wake(): void {
    if (leading) stream.wake();
  }

  return {
    start() {
      bus.onmessage = onMessage;
      bus.postMessage({ kind: 'ask' });
      void locks.request('pageside-stream', () => {
        leading = true;
        stream.start();
        // Led until the document is gone.
        return new Promise(() => {});
      });
    },
    stop() {
      stream.stop();
      bus.close();
    },
    wake() {
      bus.postMessage({ kind: 'wake' });
      wake();
    },
  };
}
