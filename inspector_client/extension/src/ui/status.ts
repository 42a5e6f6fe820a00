import { h, setText } from '../../../ui/dom';
import type { Connection, TabState } from '../shared/messages';
import { icon } from './icon';
import type { Part } from './part';
import { connections, texts } from './texts';

/** The state of the connection: a shape and a text, colour only besides. */
export function createStatus(): Part<TabState> {
  const shape = h('span', 'shape');
  const text = h('span', 'status-text', texts.waits);
  const element = h('p', { class: 'status', role: 'status' }, shape, text);
  let shown: Connection | null = null;
  return {
    element,
    show({ connection }) {
      setText(text, connections[connection]);
      if (connection === shown) return;
      shown = connection;
      element.dataset.connection = connection;
      shape.replaceChildren(icon(connection));
    },
  };
}
