import { createState } from '../basics';
import type { AgentCall } from '../protocol';
import { h, textButton } from '../ui/dom';
import { type AgentLog, isHeld, isRunning } from './agent-log';
import type { Brakes } from './brakes';
import { createCallFilter } from './call-filter';
import { type CallRow, createCallRow } from './call-row';
import type { PanelView } from './panel';
import { createPermissions } from './permissions';
import { activityTexts } from './texts';

const SHOWN = 100;
const SECOND_MS = 1000;

/** What agents did in this page, the newest first, and what they may do. */
export function createActivityView(log: AgentLog, brakes: Brakes): PanelView {
  const rows = new Map<number, CallRow>();
  const count = createState(0);
  let cleared = 0;
  let visible = false;
  let timer: ReturnType<typeof setInterval> | undefined;

  const who = createCallFilter(activityTexts.agent, activityTexts.allAgents, draw);
  const what = createCallFilter(activityTexts.tool, activityTexts.allTools, draw);
  const clear = textButton(activityTexts.clear, () => {
    cleared = log.calls().at(-1)?.id ?? 0;
    draw();
  });
  const list = h('ul', { class: 'list calls', 'aria-label': activityTexts.calls });
  const empty = h('div', 'empty', activityTexts.none);
  const filters = h('div', 'row filters', who.element, what.element, h('span', 'grow'), clear);
  const element = h(
    'div',
    {},
    createBrakesBar(log, brakes),
    createPermissions(log, brakes),
    filters,
    empty,
    list,
  );

  function draw(): void {
    const calls = log.calls().reverse();
    count.set(calls.filter(isRunning).length);
    clearInterval(timer);
    if (!visible) return;
    for (const { agent, tool } of calls) {
      who.know(agent);
      what.know(tool);
    }
    const shown = calls.filter(isWanted).slice(0, SHOWN);
    place(shown);
    for (const id of rows.keys()) if (!calls.some((call) => call.id === id)) rows.delete(id);
    empty.hidden = shown.length > 0;
    // "running 3 s" goes on as long as one looks at it.
    if (shown.some(isRunning)) timer = setInterval(draw, SECOND_MS);
  }
  function isWanted(call: AgentCall): boolean {
    const isCleared = call.id <= cleared && !isRunning(call);
    return !isCleared && who.takes(call.agent) && what.takes(call.tool);
  }
  function place(shown: AgentCall[]): void {
    for (const [index, call] of shown.entries()) {
      const row = rows.get(call.id) ?? createCallRow();
      rows.set(call.id, row);
      row.show(call);
      const there = list.children[index] ?? null;
      if (there !== row.element) list.insertBefore(row.element, there);
    }
    while (list.children.length > shown.length) list.lastChild?.remove();
  }
  log.changed.on(draw);
  return {
    name: activityTexts.activity,
    element,
    count,
    shown(value) {
      visible = value;
      draw();
    },
  };
}

function createBrakesBar(log: AgentLog, brakes: Brakes): HTMLElement {
  const pause = textButton('', brakes.toggle);
  const stop = textButton(activityTexts.stopHere, brakes.stop);
  const everywhere = textButton(activityTexts.pauseEverywhere, () => {
    void brakes.set({ everywhere: true });
  });
  const state = h('div', 'notice');
  log.brakes.watch((value) => {
    const held = isHeld(value);
    pause.textContent = held ? activityTexts.resume : activityTexts.pauseHere;
    everywhere.hidden = value.everywhere;
    state.hidden = !held;
    state.textContent = value.everywhere ? activityTexts.heldEverywhere : activityTexts.heldHere;
  });
  return h('div', {}, h('div', 'row held', pause, stop, everywhere), state);
}
