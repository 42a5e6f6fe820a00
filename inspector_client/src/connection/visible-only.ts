import type { DownListener, Downlink } from './downlink';

/** Without locks nobody can lead: only the page in view keeps a stream, or a few tabs would use up all connections. */
export function createVisibleOnly(
  document: Document,
  openStream: (down: DownListener) => Downlink,
  listener: DownListener,
): Downlink {
  const stream = openStream(listener);
  function follow(): void {
    if (document.visibilityState === 'visible') stream.start();
    else {
      stream.stop();
      listener({ kind: 'lost' });
    }
  }
  return {
    start() {
      document.addEventListener('visibilitychange', follow);
      follow();
    },
    stop() {
      document.removeEventListener('visibilitychange', follow);
      stream.stop();
    },
    wake: () => stream.wake(),
  };
}
