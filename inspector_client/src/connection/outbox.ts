import type { Signal } from '../basics';
import type { Change, ChangeResult, ChangesAnswer, InspectionItem } from '../protocol';
import { createBackoff } from './backoff';
import { isPassing, PostError } from './post';

export interface OutboxQueue {
  unsent(): Change[];
  settle(results: ChangeResult[]): void;
  receive(items: InspectionItem[]): void;
  readonly waiting: Signal<[]>;
}

export interface Outbox {
  open(): void;
  close(): void;
}

const BATCH = 20;

/** Sends the queue's unsent changes, in order, one batch at a time; what is refused is dropped and shown. */
export function createOutbox(
  queue: OutboxQueue,
  post: (body: { changes: Change[] }) => Promise<unknown>,
): Outbox {
  const backoff = createBackoff();
  let isOpen = false;
  let sending = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  async function deliver(changes: Change[]): Promise<void> {
    try {
      const { items, results } = (await post({ changes })) as ChangesAnswer;
      queue.receive(items);
      queue.settle(results);
    } catch (error) {
      if (!(error instanceof PostError) || ![400, 413].includes(error.status)) throw error;
      // One of them is too much: find out which.
      if (changes.length > 1) for (const change of changes) await deliver([change]);
      else queue.settle(changes.map(({ change }) => ({ change, ok: false, error: error.failure })));
    }
  }
  async function flush(): Promise<void> {
    if (!isOpen || sending) return;
    sending = true;
    try {
      for (let left = queue.unsent(); isOpen && left.length > 0; left = queue.unsent())
        await deliver(left.slice(0, BATCH));
      backoff.reset();
    } catch (error) {
      // Other refusals (this page is unknown now) end with the next hello.
      clearTimeout(retry);
      if (isPassing(error)) retry = setTimeout(flush, backoff.next());
    }
    sending = false;
  }
  queue.waiting.on(() => void flush());
  return {
    open() {
      isOpen = true;
      void flush();
    },
    close() {
      isOpen = false;
      clearTimeout(retry);
    },
  };
}
