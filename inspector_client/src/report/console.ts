import type { Heard } from '../recorder';
import type { Tell } from '../reports';
import type { Updates } from './updates';

const LEVELS: Record<string, string> = { log: 'info', warn: 'warning' };

/** Tells what the recorder hears. What Vite's client says for debugging is told as updates. */
export function tellConsole(tell: Tell, updates: Updates): Heard {
  return (level, text, stack) => {
    updates.heard(level, text);
    if (level === 'debug' && text.startsWith('[vite] ')) return;
    const uncaught = stack === undefined ? {} : { uncaught: true, stack: stack || undefined };
    tell({ event: 'console', level: LEVELS[level] ?? level, text, ...uncaught });
  };
}
