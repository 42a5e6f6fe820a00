import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export function Shell({ children }: { children: ReactNode }) {
  return (
    <div className="shell">
      <header className="top">
        <strong>Harbour library</strong>
        <nav>
          <Link className="to-shelf" to="/">
            Shelf
          </Link>
          <Link className="to-about" to="/about">
            About
          </Link>
        </nav>
      </header>
      {children}
    </div>
  );
}
