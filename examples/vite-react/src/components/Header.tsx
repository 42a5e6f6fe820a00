import type { ReactNode } from 'react';
import { Sun } from './icons';

export function Header({ children }: { children: ReactNode }) {
  return (
    <header className="header">
      <a className="brand" href="/">
        <Sun />
        Noon
      </a>
      <div className="controls">{children}</div>
    </header>
  );
}
