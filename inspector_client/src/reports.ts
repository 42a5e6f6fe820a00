import { isPassing } from './connection/post';

const MAX_QUEUED = 500;
/** Of a queue that is full the middle goes: how it began, and what came last, tell more. */
const KEPT_FIRST = 100;
const BATCH_CHARS = 64_000;
/** What a page may still send while it goes. */
const LAST_CHARS = 50_000;
const URGENT_MS = 80;
const PATIENT_MS = 400;
const RETRY_MS = 2000;
/** With the urgent ones' own time less than an agent waits for news after an update. */
const HELD_MS = 150;

export interface Happening {
  event: string;
  text?: string;
  [field: string]: unknown;
}

/** Takes note of what happened, now or at a moment of `performance.now()`. Never throws, and nobody waits for it. */
export type Tell = (happening: Happening, at?: number) => void;

export interface Reports {
  tell: Tell;
  /** What is still being found out about something told: the next batch waits for it, but not for long. */
  hold(found: Promise<unknown>): void;
  /** Whether the companion takes reports now. */
  open(is: boolean): void;
  /** The document goes away. */
  leave(): void;
}

type Batch = { events: object[]; dropped: number };
type Noted = { happening: Happening; at: number; chars: number };

/** Sends what happens in this page to the companion, in batches; what happens before it is connected, then. */
export function createReports(send: (batch: Batch, last: boolean) => Promise<unknown>): Reports {
  let queue: Noted[] = [];
  let dropped = 0;
  let isOpen = false;
  let wasOpen = false;
  let sending = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = 0;
  let held: Promise<unknown> | undefined;

  let chars = 0;
  const reckon = () => {
    chars = queue.reduce((sum, noted) => sum + noted.chars, 0);
  };
  /** With slack not at each event: a flood must cost the page nothing. */
  function trim(slack = 0): void {
    let over = queue.length - MAX_QUEUED;
    if (over <= slack) return;
    dropped += over;
    queue = queue.filter(({ happening }, at) => {
      const goes = over > 0 && at >= KEPT_FIRST && isNoise(happening);
      if (goes) over -= 1;
      return !goes;
    });
    queue.splice(KEPT_FIRST, over);
    reckon();
  }
  function plan(ms: number): void {
    const wanted = performance.now() + ms;
    if (!isOpen || sending || (timer && due <= wanted)) return;
    clearTimeout(timer);
    due = wanted;
    timer = setTimeout(flush, ms);
  }
  function take(): Batch {
    const now = performance.now();
    const events = queue.map(({ happening, at }) => ({ ...happening, ago: Math.max(0, now - at) }));
    const batch = { events, dropped };
    queue = [];
    dropped = chars = 0;
    return batch;
  }
  async function flush(): Promise<void> {
    timer = undefined;
    if (!isOpen || sending || !(queue.length || dropped)) return;
    sending = true;
    await held;
    trim();
    const noted = queue;
    const batch = take();
    let pause = PATIENT_MS;
    try {
      await send(batch, false);
    } catch (error) {
      // A refusal is for good; of a page that is not known any more, the next hello finds the reports here.
      const again = isPassing(error) || (error as { status?: number }).status === 410;
      if (again) queue.unshift(...noted);
      dropped += batch.dropped + (again ? 0 : noted.length);
      reckon();
      trim();
      pause = RETRY_MS;
    }
    sending = false;
    if (queue.length) plan(pause);
  }

  return {
    tell(happening, at = performance.now()) {
      const noted = { happening, at, chars: (happening.text?.length ?? 0) + 300 };
      queue.push(noted);
      chars += noted.chars;
      trim(KEPT_FIRST);
      const isUrgent = /warn|err|applied|fail|load/.test(`${happening.level ?? happening.event}`);
      plan(chars > BATCH_CHARS ? 0 : isUrgent ? URGENT_MS : PATIENT_MS);
    },
    hold(found) {
      // Of one moment the first will do: all are asked for together.
      if (held) return;
      const late = new Promise((done) => setTimeout(done, HELD_MS));
      held = Promise.race([found, late]).then(() => {
        held = undefined;
      });
    },
    open(is) {
      isOpen = is;
      wasOpen ||= is;
      if (queue.length) plan(URGENT_MS);
    },
    leave() {
      for (; chars > LAST_CHARS; dropped++) chars -= queue.shift()?.chars ?? chars;
      // The dev server may be back before its stream is.
      if (wasOpen && queue.length) send(take(), true).catch(() => {});
    },
  };
}

/** What comes in floods. All else is little, and somebody may wait for it. */
function isNoise({ event }: Happening): boolean {
  return event === 'console' || event === 'request';
}
