import type { Tool } from '@modelcontextprotocol/client';
import { freshId, h } from '../../../ui/dom';
import { toolTexts as texts } from '../texts';
import { groupsOf } from './groups';

export interface ToolList {
  element: HTMLElement;
  show(tools: readonly Tool[]): void;
  /** Marks the tool that is shown. */
  mark(name: string): void;
}

const STEPS: Record<string, (index: number, last: number) => number> = {
  ArrowDown: (index, last) => Math.min(index + 1, last),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/** Tools by toolset, and a search; arrows walk, one stop for Tab. */
export function createToolList(
  toolsets: Record<string, string[]>,
  choose: (tool: Tool) => void,
): ToolList {
  const id = freshId('tools');
  const count = h('span', 'count');
  const search = h('input', {
    ...{ type: 'search', 'aria-label': texts.search, placeholder: texts.search },
    oninput: draw,
    onkeydown(event: KeyboardEvent) {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      buttons()[0]?.focus();
    },
  });
  const list = h('div', { class: 'tool-list', onkeydown: walk });
  let tools: readonly Tool[] = [];
  let marked = '';

  function buttons(): HTMLButtonElement[] {
    return [...list.querySelectorAll('button')];
  }
  function walk(event: KeyboardEvent): void {
    const all = buttons();
    const next = STEPS[event.key]?.(all.indexOf(event.target as HTMLButtonElement), all.length - 1);
    if (next === undefined) return;
    event.preventDefault();
    all[next]?.focus();
  }
  function toolButton(tool: Tool): HTMLElement {
    const props = { type: 'button', class: 'tool', 'data-tool': tool.name, tabindex: -1 };
    return h(
      'li',
      {},
      h('button', { ...props, title: tool.title, onclick: () => choose(tool) }, tool.name),
    );
  }
  function draw(): void {
    const groups = groupsOf(tools, toolsets, search.value.trim());
    list.replaceChildren(
      ...groups.flatMap(({ name, tools: own }) => {
        const heading = freshId('toolset');
        return [
          h(
            'h3',
            { id: heading },
            texts.groups[name] ?? name,
            ' ',
            h('span', 'count', String(own.length)),
          ),
          h('ul', { 'aria-labelledby': heading }, ...own.map(toolButton)),
        ];
      }),
    );
    if (!groups.length) list.append(h('p', 'empty', tools.length ? texts.none : texts.offline));
    count.textContent = tools.length ? String(tools.length) : '';
    mark(marked);
  }
  function mark(name: string): void {
    marked = name;
    const all = buttons();
    for (const each of all) {
      const isMarked = each.dataset.tool === name;
      each.tabIndex = isMarked ? 0 : -1;
      if (isMarked) each.setAttribute('aria-current', 'true');
      else each.removeAttribute('aria-current');
    }
    const [first] = all;
    if (first && !all.some(({ tabIndex }) => tabIndex === 0)) first.tabIndex = 0;
  }
  list.addEventListener('focusin', ({ target }) => {
    for (const each of buttons()) each.tabIndex = each === target ? 0 : -1;
  });

  draw();
  return {
    element: h(
      'section',
      { class: 'card tools-card', 'aria-labelledby': id },
      h('h2', { id }, texts.tools, ' ', count),
      search,
      list,
    ),
    show(given) {
      tools = given;
      draw();
    },
    mark,
  };
}
