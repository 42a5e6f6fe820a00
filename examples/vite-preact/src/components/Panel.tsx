import type { ComponentChildren } from 'preact';

interface PanelProps {
  title: string;
  note?: ComponentChildren;
  footer?: ComponentChildren;
  children?: ComponentChildren;
}

export function Panel({ title, note, footer, children }: PanelProps) {
  return (
    <aside class="panel">
      <div class="panel-head">
        <h2>{title}</h2>
        {note}
      </div>
      {children}
      <footer class="panel-foot">{footer}</footer>
    </aside>
  );
}
