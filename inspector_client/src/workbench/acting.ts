import type { AgentCall } from '../protocol';
import { h, iconButton, textButton } from '../ui/dom';
import { type AgentLog, isHeld, isRunning } from './agent-log';
import type { Brakes } from './brakes';
import { activityTexts } from './texts';

const PAUSE = 'M7 5v10M13 5v10';
const RESUME = 'M7 4v12l9-6z';
const STOP = 'M6 6h8v8H6z';
/** An agent that has just acted is still shown, so that quick calls do not flicker. */
const LINGER_MS = 2000;
/** Who listens is told no more often. */
const SAY_MS = 5000;

/** In the toolbar: which agent acts in this page right now, and the brakes. */
export function createActing(log: AgentLog, brakes: Brakes, open: () => void): HTMLElement {
  const name = textButton('', open, 'agent');
  const pause = iconButton('', PAUSE, brakes.toggle, '');
  const stop = iconButton(activityTexts.stop, STOP, brakes.stop, '');
  const status = createSaid();
  let shownUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function draw(): void {
    const held = isHeld(log.brakes.value);
    const running = log.calls().filter(isRunning);
    const last = running.at(-1);
    const now = Date.now();
    if (last) {
      shownUntil = now + LINGER_MS;
      drawAgent(last, running);
    }
    if (held) name.textContent = activityTexts.paused;
    name.hidden = !held && now >= shownUntil;
    name.classList.toggle('busy', !!last && !held);
    stop.hidden = !last;
    drawPause(held);
    status.say((held || last) && name.textContent ? name.textContent : '');
    clearTimeout(timer);
    if (!last && now < shownUntil) timer = setTimeout(draw, shownUntil - now);
  }
  function drawAgent({ agent, tool }: AgentCall, running: AgentCall[]): void {
    const others = new Set(running.map((call) => call.agent)).size - 1;
    name.textContent = activityTexts.acting(agent, others);
    name.title = activityTexts.running(tool);
  }
  function drawPause(held: boolean): void {
    pause.ariaLabel = pause.title = held ? activityTexts.resume : activityTexts.pause;
    pause.querySelector('path')?.setAttribute('d', held ? RESUME : PAUSE);
    pause.ariaPressed = String(held);
  }
  log.changed.on(draw);
  log.brakes.watch(draw);
  return h('div', 'row acting', name, stop, pause, status.element);
}

/** For who cannot see it: not every quick call is worth a word. */
function createSaid() {
  const element = h('span', { class: 'unseen', role: 'status' });
  let saidAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function say(words: string): void {
    clearTimeout(timer);
    if (words === element.textContent) return;
    const left = saidAt + SAY_MS - Date.now();
    if (left > 0) {
      timer = setTimeout(say, left, words);
      return;
    }
    saidAt = Date.now();
    element.textContent = words;
  }
  return { element, say };
}
