import { attempt, createState, isRecord, type State } from './basics';
import { localKeys } from './protocol';
import type { Looks } from './ui/looks';

export type Action = 'element' | 'area' | 'panel' | 'answer';

/** How this user, at this origin, wants Pageside. */
export interface Settings extends Looks {
  /** As `Alt+I`; false: none. */
  shortcuts: Record<Action, string | false>;
  /** Whether the page stands still while the user picks. */
  freeze: boolean;
}

export interface SettingsStore extends State<Settings> {
  /** Reads again what the user keeps. */
  reload(): void;
}

const DEFAULTS: Settings = {
  shortcuts: { element: 'Alt+I', area: 'Alt+S', panel: false, answer: 'Alt+A' },
  theme: 'auto',
  side: 'right',
  freeze: true,
};
const ALLOWED: Record<string, unknown[]> = {
  theme: ['auto', 'light', 'dark', 'page'],
  side: ['right', 'left'],
  freeze: [true, false],
};
/** Never a key alone that types something. */
const KEYS = /^((Ctrl|Alt|Shift|Meta)\+)+\w+$|^F\d+$/;

/** `base` with all that is valid in `given`. */
export function merged(base: Settings, given: unknown): Settings {
  const { shortcuts, ...others } = isRecord(given) ? given : {};
  const fits = (name: string, value: unknown) => ALLOWED[name]?.includes(value);
  const fitsKeys = (name: string, keys: unknown) =>
    Object.hasOwn(base.shortcuts, name) && (keys === false || KEYS.test(String(keys)));
  const valid = (from: unknown, test: typeof fits) =>
    Object.fromEntries(Object.entries(from ?? {}).filter(([name, value]) => test(name, value)));
  return {
    ...base,
    ...valid(others, fits),
    shortcuts: { ...base.shortcuts, ...valid(shortcuts, fitsKeys) },
  };
}

/** The user's own settings over the project's, which came with the client. All tabs of an origin share them. */
export function createSettings(project: string | null, storage: () => Storage): SettingsStore {
  const base = merged(DEFAULTS, parsed(project));
  const kept = () => attempt(() => storage().getItem(localKeys.settings), null);
  const read = () => merged(base, parsed(kept()));
  const state = createState(read());
  const reload = () => state.set(read());
  addEventListener('storage', ({ key }) => {
    if (!key || key === localKeys.settings) reload();
  });
  // Not spread: its value is read anew each time.
  return Object.assign(state, { reload });
}

const parsed = (json: string | null): unknown => attempt(() => JSON.parse(json ?? '{}'), null);
