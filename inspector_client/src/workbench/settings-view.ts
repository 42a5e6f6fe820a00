import { attempt, isRecord } from '../basics';
import { localKeys } from '../protocol';
import type { Action, Settings, SettingsStore } from '../settings';
import { keysOf } from '../shortcuts';
import { h, on, textButton } from '../ui/dom';
import type { PanelView } from './panel';
import { settingsTexts } from './texts';

type Change = Partial<Omit<Settings, 'shortcuts'>> & { shortcuts?: Partial<Settings['shortcuts']> };

const MODIFIER = /^(Control|Alt|Shift|Meta|AltGraph)/;
/** Keys that do something of their own in a form. */
const LEAVES = /^(Tab|Escape)$/;
const THEMES = ['auto', 'light', 'dark', 'page'] as const;
const SIDES = ['right', 'left'] as const;

/** The user's own settings: kept in the browser, for all pages of the origin. */
export function createSettingsView(settings: SettingsStore, storage: () => Storage): PanelView {
  const change = (what: Change) => keep(settings, storage, what);
  const keys = (Object.keys(settingsTexts.actions) as Action[]).map((action) => {
    const { element, show } = keysField(settingsTexts.actions[action], (value) =>
      change({ shortcuts: { [action]: value } }),
    );
    settings.watch(({ shortcuts }) => show(shortcuts[action]));
    return element;
  });
  const theme = choice(settingsTexts.theme, THEMES, settingsTexts.themes, (value) =>
    change({ theme: value }),
  );
  const side = choice(settingsTexts.side, SIDES, settingsTexts.sides, (value) =>
    change({ side: value }),
  );
  const freeze = h('input', { type: 'checkbox' });
  on(freeze, { change: () => change({ freeze: freeze.checked }) });
  settings.watch((value) => {
    theme.show(value.theme);
    side.show(value.side);
    freeze.checked = value.freeze;
  });
  const freezes = h('label', 'row', freeze, settingsTexts.freeze);
  const reset = textButton(settingsTexts.reset, () => keep(settings, storage, null));
  const element = h(
    'div',
    'settings',
    h('h3', {}, settingsTexts.shortcuts),
    h('p', 'muted', settingsTexts.hint),
    ...keys,
    h('h3', {}, settingsTexts.looks),
    theme.element,
    side.element,
    freezes,
    reset,
  );
  return { name: settingsTexts.name, element };
}

/** Only what differs from the project's settings is kept; null: nothing. */
function keep(settings: SettingsStore, storage: () => Storage, what: Change | null): void {
  const name = localKeys.settings;
  const raw = attempt<unknown, unknown>(() => JSON.parse(storage().getItem(name) ?? '{}'), {});
  const before: Change = isRecord(raw) ? raw : {};
  const shortcuts = { ...before.shortcuts, ...what?.shortcuts };
  attempt(() => {
    if (what) storage().setItem(name, JSON.stringify({ ...before, ...what, shortcuts }));
    else storage().removeItem(name);
  });
  settings.reload();
}

/** A field that takes the keys that are pressed in it, and a button to have none. */
function keysField(label: string, changed: (keys: string | false) => void) {
  const field = h('input', { type: 'text', readonly: true, 'aria-label': label });
  const none = textButton(settingsTexts.none, () => changed(false), 'small');
  none.ariaLabel = `${label}: ${settingsTexts.none}`;
  on(field, {
    keydown(event) {
      const pressed = event as KeyboardEvent;
      const { key, code, ctrlKey, altKey, metaKey } = pressed;
      if (LEAVES.test(key)) return;
      event.preventDefault();
      const isKeys = ctrlKey || altKey || metaKey || /^F\d+$/.test(code);
      if (isKeys && !MODIFIER.test(key) && code) changed(keysOf(pressed));
    },
  });
  const element = h('label', 'row', h('span', 'grow', label), field, none);
  const show = (keys: string | false) => {
    field.value = keys || settingsTexts.noKeys;
    none.disabled = !keys;
  };
  return { element, show };
}

function choice<T extends string>(
  label: string,
  values: readonly T[],
  names: Record<T, string>,
  changed: (value: T) => void,
) {
  const select = h('select');
  for (const value of values) select.append(h('option', { value }, names[value]));
  on(select, { change: () => changed(select.value as T) });
  const element = h('label', 'row', h('span', 'grow', label), select);
  const show = (value: T) => {
    select.value = value;
  };
  return { element, show };
}
