import type { State } from '../basics';
import type { Connection } from '../connection/session';
import type { Mode, Picking } from '../picking';
import type { Queue } from '../queue/queue';
import { isOpen } from '../queue/status';
import { h, iconButton, icons } from './dom';
import { connectionText, texts } from './texts';

export function createToolbar(
  picking: Picking,
  queue: Queue,
  connection: State<Connection>,
  panelShown: State<boolean>,
): HTMLElement {
  const pickButton = (mode: Mode, path: string) =>
    iconButton(texts[mode], path, () => picking.forUser(mode), '');
  const modes = {
    element: pickButton('element', icons.pick),
    area: pickButton('area', icons.area),
  };
  const toggle = () => panelShown.set(!panelShown.value);
  const list = iconButton(texts.inspections, icons.list, toggle, '');
  const count = h('span', { class: 'count' });
  const dot = h('span', { role: 'img' });
  modes.element.append(texts.pick);
  list.append(count);

  picking.turn.watch((turn) => {
    const active = turn.who === 'user' && !turn.writing ? turn.mode : '';
    modes.element.ariaPressed = String(active === 'element');
    modes.area.ariaPressed = String(active === 'area');
  });
  connection.watch((state) => {
    dot.className = `dot ${state.state}`;
    dot.ariaLabel = dot.title = connectionText(state);
  });
  queue.changed.on(() => {
    const open = queue.items().filter(({ status }) => isOpen(status)).length;
    count.textContent = String(open || '');
    count.hidden = !open;
  });
  panelShown.watch((shown) => {
    list.ariaExpanded = String(shown);
  });
  const props = { class: 'bar', role: 'toolbar', 'aria-label': 'Pageside' };
  return h('div', props, dot, modes.element, modes.area, list);
}
