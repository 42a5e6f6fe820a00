import { isTextField, type KeyWatcher } from './gate';
import type { Mode } from './picking';

/** Alt+I and Alt+S, by the key's place, because Alt changes what it types on a Mac. Never while somebody types. */
export function createShortcuts(pick: (mode: Mode) => void): KeyWatcher {
  return (event) => {
    const { type, code, altKey, ctrlKey, metaKey, shiftKey, repeat } = event;
    const mode = code === 'KeyI' ? 'element' : code === 'KeyS' && 'area';
    if (type !== 'keydown' || !mode || !altKey || ctrlKey || metaKey || shiftKey) return false;
    if (repeat || isTextField(event.composedPath()[0])) return false;
    pick(mode);
    return true;
  };
}
