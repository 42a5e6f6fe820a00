import { For } from 'solid-js';

export const Wave = (props: { levels: number[] }) => (
  <svg class="wave" viewBox="0 0 100 26" preserveAspectRatio="none" aria-hidden="true">
    <For each={props.levels}>
      {(level, index) => (
        <rect
          class="bar"
          x={index() * 5 + 1}
          y={13 - level}
          width="3"
          height={level * 2}
          rx="1.5"
        />
      )}
    </For>
  </svg>
);
