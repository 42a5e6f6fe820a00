import type { Companion } from '../companion/registry.ts';
import { CHANNEL } from '../contract.ts';
import { ask } from './ask.ts';

const WAIT_MS = 30;
const RETRY_MS = 1_000;
const POST_WITHIN_MS = 5_000;
const BATCH = 200;
const MAX_QUEUED = 1_000;
const MAX_QUEUED_CHARS = 512 * 1024;
/** Of a queue that is full the middle goes: what the dev server said when it started is worth keeping. */
const KEPT_FIRST = 100;

/** Whom to tell, and the lease under which. */
export interface Target {
  companion: Companion;
  lease: string;
}

/** Tells the companion what happens in this dev server, in batches; nobody ever waits for it. */
export interface Teller {
  tell(event: { event: string } & Record<string, unknown>): void;
  /** From now on the target is asked for; to be called again whenever there is a new one. */
  start(target: () => Target | null): void;
  /** Sends what is left, if there is somebody to take it. */
  stop(): Promise<void>;
}

interface Queued {
  at: number;
  json: string;
}

export function createTeller(): Teller {
  const queue: Queued[] = [];
  let chars = 0;
  let dropped = 0;
  let find: () => Target | null = () => null;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  function trim(): void {
    while (queue.length > MAX_QUEUED || (chars > MAX_QUEUED_CHARS && queue.length > 1)) {
      const [gone] = queue.splice(queue.length > KEPT_FIRST ? KEPT_FIRST : 0, 1);
      chars -= gone?.json.length ?? 0;
      dropped += 1;
    }
  }
  function unplan(): void {
    clearTimeout(timer);
    timer = undefined;
  }
  function plan(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void flush();
    }, ms).unref();
  }
  function flush(): Promise<void> {
    sending ??= send().finally(() => {
      sending = undefined;
    });
    return sending;
  }
  async function send(): Promise<void> {
    const target = find();
    if (!target || (queue.length === 0 && dropped === 0)) return;
    const batch = queue.splice(0, BATCH);
    const lost = dropped;
    dropped = 0;
    const status = await post(target, lost, batch);
    if (status === 400 || status === 413) dropped += lost + batch.length;
    else if (status !== 204) {
      queue.unshift(...batch);
      dropped += lost;
      trim();
      plan(RETRY_MS);
      return;
    }
    chars = queue.reduce((sum, { json }) => sum + json.length, 0);
    if (queue.length > 0) plan(0);
  }

  return {
    tell(event) {
      const json = JSON.stringify(event);
      queue.push({ at: performance.now(), json });
      chars += json.length;
      trim();
      plan(WAIT_MS);
    },
    start(target) {
      find = target;
      unplan();
      plan(WAIT_MS);
    },
    async stop() {
      unplan();
      await sending;
      await flush();
      unplan();
      find = () => null;
    },
  };
}

/** The status of the answer; 0 when there was none. */
function post({ companion, lease }: Target, dropped: number, batch: Queued[]): Promise<number> {
  const now = performance.now();
  const events = batch.map(({ at, json }) => `{"ago":${Math.round(now - at)},${json.slice(1)}`);
  const body = `{"lease":${JSON.stringify(lease)},"dropped":${dropped},"sent":${Date.now()},"events":[${events.join()}]}`;
  return new Promise((resolve) => {
    const request = ask(companion, CHANNEL.routes.tell, body);
    request.setTimeout(POST_WITHIN_MS, () => request.destroy());
    request.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once('error', () => resolve(0));
    request.once('close', () => resolve(0));
    request.end(body);
  });
}
