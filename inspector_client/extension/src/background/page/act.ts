// Doing to an element what a person would: wait until it can be done, do it with real input, wait until the page reacted.
import { CommandError } from '../rules/failure';
import type { Call } from './calls';
import { ask, type Handle } from './documents';
import { find } from './find';
import { place } from './history';
import type { Page } from './page';
import { jsonOf } from './results';

const READY_MS = 2000;
const MARGIN_MS = 3000;

/** `note`: what came of it that one would not expect. */
export interface Acted {
  success: true;
  element: string;
  url: string;
  value?: string;
  note?: string;
}

interface Spot {
  x: number;
  y: number;
  what: string;
}
type Readiness = Spot | { why: string; what: string };
interface Filling {
  done?: string;
  click?: true;
  type?: true;
  error?: string;
  note?: string;
}
interface Did {
  element: string;
  value?: string;
  note?: string;
}

export interface Acts {
  click(selector: string): Promise<Acted>;
  hover(selector: string): Promise<Acted>;
  fill(selector: string, value: string): Promise<Acted>;
  select(selector: string, value: string): Promise<Acted>;
}

/** `keepSecret` is told what was typed into a field that is nobody else's business. */
export function createActs(page: Page, call: Call, keepSecret: (value: string) => void): Acts {
  async function acting(
    selector: string,
    work: (element: Handle, did: Did, input: () => Promise<unknown>) => Promise<void>,
  ): Promise<Acted> {
    const { activity } = page;
    await activity.loaded();
    const element = await find(page, call, selector);
    // Meanwhile the element is looked at; no input before it has come to its end.
    const armed = activity.arm(call);
    const did: Did = { element: selector };
    try {
      await Promise.all([work(element, did, () => armed), armed]);
      await activity.settle(call);
    } catch (error) {
      // The action was done where it opened a dialog itself.
      const isDone = error instanceof CommandError && error.code === 'DIALOG_OPEN' && page.dialog;
      if (!isDone) throw error;
      did.note = `A dialog opened (${isDone.type}): ${JSON.stringify(isDone.message)}. The user has to answer it.`;
    }
    const { url } = await place(call);
    return { success: true, url, ...did };
  }

  function mouse(element: Handle, { x, y }: Spot, type: string, more: object = {}) {
    const { session } = element.doc;
    return call('Input.dispatchMouseEvent', { type, x, y, ...more }, { session });
  }
  async function press(element: Handle, spot: Spot): Promise<void> {
    const button = { button: 'left', clickCount: 1 };
    // Together: Chrome keeps their order, and each waits for the page.
    await Promise.all([
      mouse(element, spot, 'mouseMoved'),
      mouse(element, spot, 'mousePressed', { ...button, buttons: 1 }),
      mouse(element, spot, 'mouseReleased', button),
    ]);
  }
  async function spotOf(element: Handle, enabled: boolean): Promise<Spot> {
    const needs = { enabled, hit: true, editable: false };
    return usable(
      element,
      await ask<Readiness>(
        call,
        element.doc,
        'ready',
        [element, needs, READY_MS],
        READY_MS + MARGIN_MS,
      ),
    );
  }

  async function fillIn(
    element: Handle,
    value: string,
    did: Did,
    input: () => Promise<unknown>,
  ): Promise<void> {
    await input();
    if (await isSecret(element)) keepSecret(value);
    const given = [element, value, READY_MS];
    let outcome = await ask<Readiness & Filling>(
      call,
      element.doc,
      'prepare',
      given,
      READY_MS + MARGIN_MS,
    );
    did.element = usable(element, outcome).what;
    if (outcome.click) await press(element, await spotOf(element, true));
    if (outcome.type) outcome = await type(element, value);
    if (outcome.error)
      throw new CommandError(
        'INVALID_ARGUMENTS',
        `Cannot fill ${did.element} (${element.label}): ${outcome.error}.`,
        { argument: 'value' },
      );
    did.value = value;
    if (outcome.note) did.note = outcome.note;
  }
  async function type(element: Handle, text: string): Promise<Readiness & Filling> {
    const how = { session: element.doc.session };
    if (text) await call('Input.insertText', { text }, how);
    else
      for (const kind of ['rawKeyDown', 'keyUp'])
        await call('Input.dispatchKeyEvent', { type: kind, ...DELETE }, how);
    return ask(call, element.doc, 'filled', [element, text]);
  }
  async function isSecret(element: Handle): Promise<boolean> {
    const [about] = await ask<[string, boolean][]>(call, element.doc, 'uidsOf', [element]);
    return about?.[1] ?? false;
  }

  return {
    click: (selector) =>
      acting(selector, async (element, did, input) => {
        const spot = await spotOf(element, true);
        did.element = spot.what;
        await input();
        await press(element, spot);
      }),
    hover: (selector) =>
      acting(selector, async (element, did, input) => {
        const spot = await spotOf(element, false);
        did.element = spot.what;
        await input();
        await mouse(element, spot, 'mouseMoved');
      }),
    fill: (selector, value) =>
      acting(selector, (element, did, input) => fillIn(element, value, did, input)),
    select: (selector, value) =>
      acting(selector, async (element, did, input) => {
        const name = await nameOf(call, element);
        if (name !== 'select')
          throw new CommandError(
            'INVALID_ARGUMENTS',
            `${element.label} is no <select>, but <${name}>: fill or click such an element.`,
            { argument: 'selector' },
          );
        await fillIn(element, value, did, input);
      }),
  };
}

const DELETE = { key: 'Delete', code: 'Delete', windowsVirtualKeyCode: 46 };

/** Where the element can be used; throws what is in the way. */
function usable(element: Handle, seen: Readiness): Spot {
  if (!('why' in seen)) return seen;
  throw new CommandError(
    'ELEMENT_NOT_READY',
    `Cannot use ${seen.what} (${element.label}): ${seen.why} (waited ${READY_MS / 1000} s).`,
    { element: seen.what, why: seen.why },
  );
}

async function nameOf(call: Call, { doc, objectId }: Handle): Promise<unknown> {
  const params = {
    objectId,
    functionDeclaration: 'function () { return this.localName }',
    returnByValue: true,
  };
  return jsonOf(await call('Runtime.callFunctionOn', params, { session: doc.session }));
}
