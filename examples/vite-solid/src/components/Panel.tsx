import type { JSX, ParentProps } from 'solid-js';

interface PanelProps {
  title: string;
  note?: JSX.Element;
  footer?: JSX.Element;
}

export function Panel(props: ParentProps<PanelProps>) {
  return (
    <aside class="panel">
      <div class="panel-head">
        <h2>{props.title}</h2>
        {props.note}
      </div>
      {props.children}
      <footer class="panel-foot">{props.footer}</footer>
    </aside>
  );
}
