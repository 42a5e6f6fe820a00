import type { ReactNode } from 'react';

interface PanelProps {
  title: string;
  note?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
}

export function Panel({ title, note, footer, children }: PanelProps) {
  return (
    <section className="panel">
      <div className="panel-head">
        <h2>{title}</h2>
        {note && <small>{note}</small>}
      </div>
      {children}
      {footer && <div className="panel-foot">{footer}</div>}
    </section>
  );
}
