import { For, type JSX } from 'solid-js';

interface ListProps<Item> {
  items: Item[];
  class: string;
  children: (item: Item) => JSX.Element;
}

export function List<Item>(props: ListProps<Item>) {
  return (
    <ul class={props.class}>
      <For each={props.items}>{(item) => <li class="item">{props.children(item)}</li>}</For>
    </ul>
  );
}
