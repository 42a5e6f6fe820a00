import type { Change, ChangeResult, ChangesAnswer, InspectionItem } from '../protocol';
import { createBackoff } from './backoff';
import { PostError } from './post';

export interface OutboxQueue {
  unsent(): Change[];
  settle(results: ChangeResult[]): void;
  receive(items: InspectionItem[]): void;
  onUnsent(listener: () => void): void;
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
  queue.onUnsent(() => void flush());

  async function deliver(changes: Change[]): Promise<void> {
    try {
      const answer = (await post({ changes })) as ChangesAnswer;
      queue.receive(answer.items);
      queue.settle(answer.results);
      backoff.reset();
    } catch (error) {
      const [only, ...rest] = changes;
      const tooMuch = error instanceof PostError && [400, 413].includes(error.status);
      if (!tooMuch || !only) throw error;
      if (rest.length === 0) queue.settle([refusal(only, error)]);
      else for (const change of changes) await deliver([change]);
    }
  }
  async function flush(): Promise<void> {
    if (!isOpen || sending) return;
    sending = true;
    try {
      for (let left = queue.unsent(); isOpen && left.length > 0; left = queue.unsent())
        await deliver(left.slice(0, BATCH));
    } catch (error) {
      if (!(error instanceof PostError) || error.passing) {
        clearTimeout(retry);
        retry = setTimeout(() => void flush(), backoff.next());
      }
    } finally {
      sending = false;
    }
  }
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

function refusal(change: Change, { code, message, fix }: PostError): ChangeResult {
  return { change: change.change, ok: false, error: { code, message, fix } };
}
