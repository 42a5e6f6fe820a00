import type { ReactNode } from 'react';

interface StatProps {
  label: string;
  value: ReactNode;
  note: string;
  urgent?: boolean;
}

export function Stat({ label, value, note, urgent = false }: StatProps) {
  return (
    <div className={urgent ? 'stat urgent' : 'stat'}>
      <dt>{label}</dt>
      <dd>{value}</dd>
      <small>{note}</small>
    </div>
  );
}
