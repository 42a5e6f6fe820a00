import { button, h } from '../../../ui/dom';
import { toolTexts as texts } from '../texts';
import type { Runner, Running } from './runner';

const TICK_MS = 100;

export interface RunBarOptions {
  runner: Runner;
  execute(): void;
  clear(): void;
}

/** Execute, cancel and clear, and how a call goes on. */
export function createRunBar({ runner, execute, clear }: RunBarOptions): HTMLElement {
  const run = button(texts.execute, execute, 'primary');
  run.title = texts.executeKeys;
  const cancel = button(texts.cancel, () => runner.cancel());
  const elapsed = h('span', 'elapsed');
  const bar = h('progress', { max: 1, 'aria-label': texts.execute });
  const message = h('span', { class: 'progress-message', role: 'status' });
  let timer: ReturnType<typeof setInterval> | undefined;

  function tick(): void {
    const { running } = runner;
    if (!running.value) return;
    const { tool, startedAt } = running.value;
    elapsed.textContent = texts.running(tool, performance.now() - startedAt);
  }
  function show(running: Running): void {
    const isRunning = running !== undefined;
    // Disabled, it would lose the focus to nowhere.
    run.setAttribute('aria-disabled', String(isRunning));
    for (const element of [cancel, elapsed, bar]) element.hidden = !isRunning;
    clearInterval(timer);
    if (isRunning) {
      timer = setInterval(tick, TICK_MS);
      tick();
    }
    const { progress, total, message: text = '' } = running?.progress ?? { progress: 0 };
    if (total) bar.value = progress / total;
    else bar.removeAttribute('value');
    if (message.textContent !== text) message.textContent = text;
  }

  runner.running.watch(show);
  return h(
    'div',
    'actions run-bar',
    run,
    cancel,
    button(texts.clear, clear),
    elapsed,
    bar,
    message,
  );
}
