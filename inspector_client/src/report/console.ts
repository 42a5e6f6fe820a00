import type { Heard } from '../recorder';
import type { Tell } from '../reports';
import type { Trace } from './trace';
import type { Updates } from './updates';

const LEVELS: Record<string, string> = { log: 'info', warn: 'warning' };

/** Tells what the recorder hears. What Vite's client says for debugging is told as updates. */
export function tellConsole(tell: Tell, updates: Updates, trace: Trace): Heard {
  return (level, text, stack) => {
    updates.heard(level, text);
    if (level === 'debug' && text.startsWith('[vite] ')) return;
    const uncaught = stack === undefined ? {} : { uncaught: true, stack: stack || undefined };
    const happening = { event: 'console', level: LEVELS[level] ?? level, text, ...uncaught };
    tell(happening);
    trace(happening, stack);
  };
}
