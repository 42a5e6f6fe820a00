import type { State } from '../basics';
import type { Connection } from '../connection/session';
import type { Mode, Picking } from '../picking';
import type { Queue } from '../queue/queue';
import { isOpen } from '../queue/status';
import type { Action, Settings } from '../settings';
import { h, iconButton, icons } from './dom';
import { connectionText, texts } from './texts';

export function createToolbar(
  picking: Picking,
  settings: State<Settings>,
  queue: Queue,
  connection: State<Connection>,
  panelShown: State<boolean>,
): HTMLElement {
  const picks = (mode: Mode) => () => picking.forUser(mode);
  const element = iconButton(texts.element, icons.pick, picks('element'), '');
  const area = iconButton(texts.area, icons.area, picks('area'), '');
  const toggle = () => panelShown.set(!panelShown.value);
  const list = iconButton(texts.inspections, icons.list, toggle, '');
  const count = h('span', 'count');
  const dot = h('span', { role: 'img' });
  element.append(texts.pick);
  list.append(count);

  settings.watch(({ shortcuts }) => {
    const named: [HTMLElement, Action, string][] = [
      [element, 'element', texts.element],
      [area, 'area', texts.area],
      [list, 'panel', texts.inspections],
    ];
    for (const [button, action, name] of named) {
      const keys = shortcuts[action];
      button.ariaLabel = button.title = keys ? `${name} (${keys})` : name;
    }
  });
  picking.turn.watch((turn) => {
    const active = turn.who === 'user' && !turn.writing ? turn.mode : '';
    element.ariaPressed = String(active === 'element');
    area.ariaPressed = String(active === 'area');
  });
  connection.watch((state) => {
    dot.className = `dot ${state.state}`;
    dot.ariaLabel = dot.title = connectionText(state);
  });
  queue.changed.on(() => {
    const open = queue.items().filter(({ status }) => isOpen(status)).length;
    count.textContent = String(open || '');
    count.hidden = !open;
    list.ariaLabel = `${list.title} ${count.textContent}`;
  });
  panelShown.watch((shown) => {
    list.ariaExpanded = String(shown);
  });
  const props = { class: 'bar', role: 'toolbar', 'aria-label': 'Pageside' };
  return h('div', props, dot, element, area, list);
}
