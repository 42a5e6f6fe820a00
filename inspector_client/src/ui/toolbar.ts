import type { State } from '../basics';
import type { Connection } from '../connection/session';
import type { Mode, Picking, Turn } from '../picking';
import type { Queue } from '../queue/queue';
import { isOpen } from '../queue/status';
import { button, h, icons } from './dom';
import { connectionText, texts } from './texts';

interface ToolbarParts {
  picking: Picking;
  queue: Queue;
  connection: State<Connection>;
  panel: { readonly shown: State<boolean>; toggle(): void };
}

export function createToolbar({ picking, queue, connection, panel }: ToolbarParts): HTMLElement {
  const pick = button({
    label: texts.pickElement,
    text: texts.pick,
    icon: icons.pick,
    press: () => picking.forUser('element'),
  });
  const area = button({
    label: texts.pickArea,
    icon: icons.area,
    press: () => picking.forUser('area'),
  });
  const list = button({ label: texts.inspections, icon: icons.list, press: panel.toggle });
  const count = h('span', { class: 'count', hidden: true });
  list.append(count);
  const dot = h('span', { class: 'dot', role: 'img' });

  function showTurn(turn: Turn): void {
    const active = (mode: Mode) =>
      String(turn.who === 'user' && !turn.writing && turn.mode === mode);
    pick.ariaPressed = active('element');
    area.ariaPressed = active('area');
  }
  function showConnection(state: Connection): void {
    dot.className = `dot ${state.state}`;
    dot.title = connectionText(state);
    dot.ariaLabel = dot.title;
  }
  function showCount(): void {
    const open = queue.items().filter((item) => isOpen(item.status)).length;
    count.textContent = String(open);
    count.hidden = open === 0;
    list.title = texts.openPanel(open);
    list.ariaLabel = list.title;
  }
  picking.turn.watch(showTurn);
  connection.watch(showConnection);
  queue.onChange(showCount);
  panel.shown.watch((shown) => {
    list.ariaExpanded = String(shown);
  });
  list.ariaExpanded = 'false';
  showTurn(picking.turn.value);
  showConnection(connection.value);
  showCount();
  return h(
    'div',
    { class: 'bar', role: 'toolbar', 'aria-label': texts.toolbar },
    dot,
    pick,
    area,
    list,
  );
}
