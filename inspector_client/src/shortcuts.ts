import { isTextField, type KeyWatcher } from './gate';
import type { Mode } from './picking';

const MODES: Record<string, Mode> = { KeyI: 'element', KeyS: 'area' };

/** Alt+I and Alt+S, by the key's place, because Alt changes what it types on a Mac. Never while somebody types. */
export function createShortcuts(pick: (mode: Mode) => void): KeyWatcher {
  return (event) => {
    const { code, altKey, ctrlKey, metaKey, shiftKey, repeat } = event;
    const mode = Object.hasOwn(MODES, code) ? MODES[code] : undefined;
    if (!mode || !altKey || ctrlKey || metaKey || shiftKey) return false;
    if (isTextField(event.composedPath()[0])) return false;
    if (!repeat) pick(mode);
    return true;
  };
}
