/** The user's own settings, in the overlay's panel, go before these. */
export interface OverlayOptions {
  /**
   * Keys such as `'Alt+I'` or `'Ctrl+Shift+P'`: at least one of Ctrl, Alt, Shift and Meta (none before F1 to F24), and
   * a letter, a digit or the `code` of another key. False: no shortcut. They do nothing while somebody types.
   */
  shortcuts?: {
    /** @default 'Alt+I' */
    element?: string | false;
    /** @default 'Alt+S' */
    area?: string | false;
    /** Opens and closes the panel. @default false */
    panel?: string | false;
    /** To the card of an agent that asks. @default 'Alt+A' */
    answer?: string | false;
  };
  /**
   * `auto` follows the system, `page` the page's own colour scheme.
   * @default 'auto'
   */
  theme?: 'auto' | 'light' | 'dark' | 'page';
  /**
   * Where toolbar and panel are.
   * @default 'right'
   */
  side?: 'right' | 'left';
  /**
   * Whether the page's animations, timers and frames stand still while the user picks. For that, the page's timers are
   * noted as they are set.
   * @default true
   */
  freeze?: boolean;
}

const ALLOWED: Record<string, readonly unknown[]> = {
  theme: ['auto', 'light', 'dark', 'page'],
  side: ['right', 'left'],
  freeze: [true, false],
};
const ACTIONS = ['element', 'area', 'panel', 'answer'];
const MODIFIERS = ['Ctrl', 'Alt', 'Shift', 'Meta'];

/** The same with keys as the inspector client compares them; throws for what is none of the above. */
export function checkedOverlay(given: OverlayOptions = {}): OverlayOptions {
  const { shortcuts = {}, ...others } = given;
  for (const [name, value] of Object.entries(others)) {
    const allowed = ALLOWED[name];
    if (!allowed) throw unknown(`overlay.${name}`, [...Object.keys(ALLOWED), 'shortcuts']);
    if (value !== undefined && !allowed.includes(value))
      throw wrong(`overlay.${name}`, value, allowed);
  }
  const keys = Object.entries(shortcuts)
    .filter(([, value]) => value !== undefined)
    .map(([action, value]) => [action, checkedKeys(action, value)]);
  return { ...others, ...(keys.length > 0 && { shortcuts: Object.fromEntries(keys) }) };
}

function checkedKeys(action: string, value: string | false): string | false {
  const name = `overlay.shortcuts.${action}`;
  if (!ACTIONS.includes(action)) throw unknown(name, ACTIONS);
  if (value === false) return false;
  const parts = String(value)
    .split('+')
    .map((part) => part.trim());
  const key = parts.pop() ?? '';
  const held = parts.map((part) =>
    MODIFIERS.find((one) => one.toLowerCase() === part.toLowerCase()),
  );
  const isFunction = /^f\d{1,2}$/i.test(key);
  if (!/^\w+$/.test(key) || held.includes(undefined) || !(held.length > 0 || isFunction))
    throw new Error(
      `pageside: '${name}' is ${JSON.stringify(value)}: write keys as 'Alt+I', or false for none.`,
    );
  const code = key.length === 1 || isFunction ? key.toUpperCase() : key;
  return [...MODIFIERS.filter((one) => held.includes(one)), code].join('+');
}

function wrong(name: string, value: unknown, allowed: readonly unknown[]): Error {
  const choices = allowed.map((one) => JSON.stringify(one)).join(', ');
  return new Error(`pageside: '${name}' is ${JSON.stringify(value)}: set it to one of ${choices}.`);
}

function unknown(name: string, known: string[]): Error {
  return new Error(`pageside: there is no option '${name}': known are ${known.join(', ')}.`);
}
