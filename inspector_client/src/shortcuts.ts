import type { State } from './basics';
import { isTextField, type KeyWatcher } from './gate';
import type { Action, Settings } from './settings';

/** What is pressed, as settings have it: by the key's place, because Alt changes what it types on a Mac. */
export function keysOf({ code, ctrlKey, altKey, shiftKey, metaKey }: KeyboardEvent): string {
  const held = [ctrlKey && 'Ctrl', altKey && 'Alt', shiftKey && 'Shift', metaKey && 'Meta'];
  return [...held, code.replace(/^(Key|Digit)/, '')].filter(Boolean).join('+');
}

/** Never while somebody types. */
export function createShortcuts(
  settings: State<Settings>,
  actions: Partial<Record<Action, () => void>>,
): KeyWatcher {
  return (event) => {
    if (event.type !== 'keydown' || event.repeat || isTextField(event.composedPath()[0]))
      return false;
    const { shortcuts } = settings.value;
    const keys = keysOf(event);
    const action = (Object.keys(actions) as Action[]).find((name) => shortcuts[name] === keys);
    if (action) actions[action]?.();
    return !!action;
  };
}
