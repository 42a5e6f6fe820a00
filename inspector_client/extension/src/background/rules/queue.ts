// One command of a tab after the other, each within its time.
import { CommandError, failureOf } from './failure';

export type Ended =
  | { success: true; result: unknown; error: null }
  | { success: false; result: null; error: ReturnType<typeof failureOf> };

export interface Task {
  id: string;
  limitMs: number;
  /** Ends by itself, or soon after the signal. */
  run(signal: AbortSignal): Promise<unknown>;
  taken(): void;
  /** Called once; `isWanted` false if it was withdrawn while it ran. */
  ended(how: Ended, isWanted: boolean): void;
}

export interface Queue {
  /** False if there are too many: it is not taken in. */
  add(task: Task): boolean;
  /** Drops one that waits; of one that runs nobody is told. */
  cancel(id: string): void;
  /** Drops all that wait, and ends what runs with that error. */
  clear(why: CommandError): void;
  /** What waits, without what runs. */
  readonly waiting: number;
  readonly running: Task | null;
}

interface Options {
  size: number;
  /** Ends, as far as possible, what a command that took too long left running; the next one waits for it. */
  stop(): Promise<void>;
  changed(): void;
}

export function createQueue({ size, stop, changed }: Options): Queue {
  const tasks: Task[] = [];
  let running: { task: Task; control: AbortController; isWanted: boolean } | null = null;

  async function work(first: Task): Promise<void> {
    for (let task: Task | undefined = first; task; task = tasks.shift()) {
      const run = { task, control: new AbortController(), isWanted: true };
      running = run;
      task.taken();
      changed();
      const how = await bounded(run);
      // Whoever is told may look at what runs: nothing does, unless what took too long has to be stopped first.
      if (run.control.signal.aborted) await stop();
      running = null;
      task.ended(how, run.isWanted);
      changed();
    }
  }
  return {
    add(task) {
      if (tasks.length + (running ? 1 : 0) >= size) return false;
      if (running) {
        tasks.push(task);
        changed();
      } else void work(task);
      return true;
    },
    cancel(id) {
      const index = tasks.findIndex((task) => task.id === id);
      if (index >= 0) tasks.splice(index, 1);
      else if (running?.task.id === id) running.isWanted = false;
      changed();
    },
    clear(why) {
      running?.control.abort(why);
      for (const task of tasks.splice(0)) task.ended(failed(why), true);
      changed();
    },
    get waiting() {
      return tasks.length;
    },
    get running() {
      return running?.task ?? null;
    },
  };
}

async function bounded({
  task,
  control,
}: {
  task: Task;
  control: AbortController;
}): Promise<Ended> {
  const { signal } = control;
  const timer = setTimeout(() => control.abort(late(task)), task.limitMs);
  const end = new Promise<never>((_, refuse) => {
    signal.addEventListener('abort', () => refuse(signal.reason));
  });
  try {
    return { success: true, result: await Promise.race([task.run(signal), end]), error: null };
  } catch (error) {
    return failed(error);
  } finally {
    clearTimeout(timer);
  }
}

const failed = (error: unknown): Ended => ({
  success: false,
  result: null,
  error: failureOf(error),
});

const late = ({ limitMs }: Task) =>
  new CommandError(
    'COMMAND_TIMEOUT',
    `The command did not end within ${limitMs / 1000} s, and was given up.`,
  );
