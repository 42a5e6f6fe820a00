import { button, freshId, h } from '../../../ui/dom';
import type { Connection, ConnectionState } from '../mcp/connection';
import { connectionTexts as texts } from '../texts';

const DOTS = { off: 'off', connecting: 'busy', on: 'good', failed: 'bad' };

/** Whether the console is connected as an agent, with a switch. */
export function connectionCard(connection: Connection): HTMLElement {
  const id = freshId('connection');
  const dot = h('span', { 'aria-hidden': 'true' });
  const state = h('b');
  const count = h('span', 'count');
  const why = h('p', 'failure');
  const toggle = button(texts.connect, () => {
    const isOn = connection.state.value.kind === 'on';
    void (isOn ? connection.disconnect() : connection.connect());
  });

  function show(now: ConnectionState): void {
    dot.className = `dot ${DOTS[now.kind]}`;
    state.textContent = texts.states[now.kind];
    count.textContent = now.kind === 'on' ? texts.tools(now.tools.length) : '';
    why.textContent = now.kind === 'failed' ? now.message : '';
    why.hidden = now.kind !== 'failed';
    toggle.textContent = now.kind === 'on' ? texts.disconnect : texts.connect;
    toggle.setAttribute('aria-disabled', String(now.kind === 'connecting'));
  }

  connection.state.watch(show);
  return h(
    'section',
    { class: 'card', 'aria-labelledby': id },
    h('h2', { id }, texts.name),
    h('p', { class: 'connection', role: 'status' }, dot, state, ' ', count),
    h('p', 'line', h('code', 'url', connection.url)),
    why,
    toggle,
  );
}
