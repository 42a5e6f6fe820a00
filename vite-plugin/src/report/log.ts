import { stripVTControlCharacters } from 'node:util';
import type { LogErrorOptions, Logger } from 'vite';

export type LogLevel = 'info' | 'warn' | 'error';
export type LogListener = (level: LogLevel, text: string, error: unknown) => void;

const MAX_CHARS = 8_000;

/** A logger outlives a restart when the app brings its own: then its new server hears it, and the old one no more. */
const listeners = new WeakMap<Logger, LogListener>();

/** Hears whatever Vite and its plugins log from now on, whether or not the log level shows it. */
export function hearLogger(logger: Logger, listener: LogListener): void {
  const isHeard = listeners.has(logger);
  listeners.set(logger, listener);
  if (!isHeard) wrap(logger);
}

function wrap(logger: Logger): void {
  const warned = new Set<string>();
  let inside = false;

  function hear(method: LogLevel | 'warnOnce', level: LogLevel): void {
    const original = logger[method];
    logger[method] = (message: string, options?: LogErrorOptions) => {
      const isOuter = !inside;
      inside = true;
      try {
        if (isOuter && isNews(method, message)) {
          const text = stripVTControlCharacters(String(message)).slice(0, MAX_CHARS);
          listeners.get(logger)?.(level, text, options?.error);
        }
        original.call(logger, message, options);
      } finally {
        if (isOuter) inside = false;
      }
    };
  }
  function isNews(method: string, message: string): boolean {
    if (method !== 'warnOnce') return true;
    const isNew = !warned.has(message);
    warned.add(message);
    return isNew;
  }
  hear('info', 'info');
  hear('warn', 'warn');
  hear('warnOnce', 'warn');
  hear('error', 'error');
}
