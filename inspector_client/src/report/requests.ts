import { attempt } from '../basics';
import { redactUrl } from '../element/redact';
import type { Tell } from '../reports';

/** Tells requests that failed, from what the browser notes of each by itself. */
export function watchRequests(tell: Tell, own: string): void {
  function onEntries(list: PerformanceObserverEntryList): void {
    for (const entry of list.getEntries() as PerformanceResourceTiming[]) {
      const { name, responseStatus: status, duration, startTime } = entry;
      // Of other origins the browser may not say how it went.
      const failed = status >= 400 || (status === 0 && name.startsWith(`${location.origin}/`));
      if (!failed || name.startsWith(own)) continue;
      const durationMs = Math.round(duration);
      tell({ event: 'request', url: redactUrl(name), status, durationMs }, startTime + duration);
    }
  }
  attempt(() => new PerformanceObserver(onEntries).observe({ type: 'resource', buffered: true }));
}
