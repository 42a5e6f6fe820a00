import { onTestFinished } from 'vitest';
import { type Companion, findRegistered, registryFiles } from '../../src/companion/registry.ts';
import { type App, until } from './server.ts';
import type { Told } from './tell.ts';

interface State {
  leases: { root: string; urls: string[]; pid: number; vite: string }[];
  streams: number;
  /** What the plugin told, each with its lease. */
  told: Told[];
}

/** What the test sees of an app's fake companion. */
export function companionOf(app: App) {
  const pids = new Set<number>();
  onTestFinished(async () => {
    const last = await findRegistered(files.record);
    for (const pid of new Set([...pids, ...(last ? [last.pid] : [])])) end(pid);
  });
  const files = registryFiles(app.state, app.folder.split('/').at(-1) ?? '');

  const running = async (): Promise<Companion> => {
    const companion = await until(() => findRegistered(files.record));
    pids.add(companion.pid);
    return companion;
  };
  const state = async (): Promise<State> => {
    const { port } = await running();
    const response = await fetch(`http://127.0.0.1:${port}/fake/state`);
    return (await response.json()) as State;
  };
  /** Waits until the companion is in a state. */
  const when = (check: (state: State) => boolean) =>
    until(async () => {
      const now = await state();
      return check(now) ? now : null;
    });
  return { files, running, state, when };
}

export function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
