import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createPanel } from '../src/panel/panel';
import type { TabState, ToWorker } from '../src/shared/messages';
import { texts } from '../src/ui/texts';
import { anOutcome, aState } from './state';

const PICTURE = { name: 'noon', mime: 'image/png', data: '', width: 2, height: 1 };
let kept: Record<string, unknown>;

beforeEach(() => {
  kept = {};
  const session = {
    get: async (key: string) => ({ [key]: kept[key] }),
    set: async (values: Record<string, unknown>) => void Object.assign(kept, values),
  };
  vi.stubGlobal('chrome', { storage: { session } });
});

function open(more: Partial<TabState> = {}) {
  const sent: ToWorker[] = [];
  const panel = createPanel((message) => sent.push(message));
  document.body.replaceChildren(panel.element);
  const show = (next: Partial<TabState> = {}) => panel.show(aState(next));
  show(more);
  const find = <E extends HTMLElement>(selector: string): E => {
    const found = panel.element.querySelector<E>(selector);
    if (!found) throw new Error(`No ${selector}`);
    return found;
  };
  const button = (name: string) => {
    const all = [...panel.element.querySelectorAll('button')];
    const found = all.find((each) =>
      [each.getAttribute('aria-label'), each.textContent].includes(name),
    );
    if (!found) throw new Error(`No button ${name}`);
    return found;
  };
  const commands = (): ToWorker[] => sent.filter(({ type }) => type === 'run');
  return { sent, show, find, button, commands, panel };
}

const connected = { connection: 'connected', connectedAt: 0 } as const;
const press = (element: HTMLElement) => element.click();

describe('connecting', () => {
  it('is one button that keeps the focus through all states', () => {
    const { sent, show, find } = open();
    const connect = find<HTMLButtonElement>('.top button');
    connect.focus();
    press(connect);
    for (const connection of ['connecting', 'connected', 'executing', 'disconnecting'] as const) {
      show({ connection });
      expect(document.activeElement).toBe(connect);
    }
    press(connect);
    show({ connection: 'connected' });
    press(connect);
    const told = sent.filter(({ type }) => type !== 'readConsole');
    expect(told).toEqual([{ type: 'connect' }, { type: 'disconnect' }]);
  });

  it('tells what is wrong by code, words and what to do', () => {
    const { find } = open({ problem: { code: 'NO_COMPANION', message: 'Nobody is there.' } });
    const { textContent } = find('.problem');
    expect(textContent).toContain('NO_COMPANION');
    expect(textContent).toContain('Nobody is there.');
    expect(textContent).toContain('change the port below');
  });

  it('is not offered where Chrome lets no extension in', () => {
    const { sent, find } = open({ url: 'chrome://settings/' });
    press(find('.top button'));
    expect(sent).not.toContainEqual({ type: 'connect' });
    expect(find('.trouble').textContent).toContain(texts.notThisPage);
  });

  it('goes to another port, but to no port that is none', () => {
    const { sent, find } = open();
    const [form, port] = [find<HTMLFormElement>('form.server'), find<HTMLInputElement>('.port')];
    port.value = '99999';
    form.dispatchEvent(new Event('submit'));
    expect(port.getAttribute('aria-invalid')).toBe('true');
    expect(find('.field-told').textContent).toBe(texts.badPort);
    port.value = '50000';
    form.dispatchEvent(new Event('submit'));
    expect(sent).toContainEqual({ type: 'setPort', port: 50000 });
  });

  it('leaves a port that is being typed as it is', () => {
    const { show, find } = open();
    find<HTMLInputElement>('.port').value = '500';
    show({ title: 'Another' });
    expect(find<HTMLInputElement>('.port').value).toBe('500');
  });
});

describe('scripts', () => {
  it('are asked for by a line that allows or dismisses', () => {
    const { sent, show, find, button } = open(connected);
    expect(find('.scripts .request').hidden).toBe(true);
    show({ ...connected, scriptWanted: true });
    expect(find('.scripts .request').hidden).toBe(false);
    press(button(texts.allow));
    press(button(texts.dismiss));
    expect(sent.filter(({ type }) => type === 'allowScripts')).toEqual([
      { type: 'allowScripts', allowed: true },
      { type: 'allowScripts', allowed: false },
    ]);
  });
});

describe('a command', () => {
  const type = (field: HTMLInputElement, text: string) => {
    field.value = text;
    field.dispatchEvent(new Event('input'));
  };
  const runOf = (form: HTMLElement) =>
    form.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, cancelable: true }),
    );

  it('is not sent while something is missing; the field says so and has the focus', () => {
    const { find, commands } = open(connected);
    runOf(find('.commands form'));
    const field = find<HTMLInputElement>('input[name=url]');
    expect(commands()).toEqual([]);
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field);
    type(field, 'http://localhost:5173/');
    expect(field.hasAttribute('aria-invalid')).toBe(false);
  });

  it('runs once with what was typed, which is kept; it ends with its outcome', () => {
    const { find, commands, show } = open(connected);
    type(find('input[name=url]'), 'http://localhost:5173/');
    runOf(find('.commands form'));
    runOf(find('.commands form'));
    const params = { url: 'http://localhost:5173/' };
    expect(commands()).toEqual([{ type: 'run', command: 'kapturemcp_navigate', params }]);
    expect(find('.run').textContent).toContain('Running…');
    expect(kept['form kapturemcp_navigate']).toMatchObject(params);
    const outcome = anOutcome('own', {
      command: 'kapturemcp_navigate',
      params,
      result: { url: 'x' },
    });
    show({ ...connected, outcomes: [outcome] });
    expect(find('.run').textContent).not.toContain('Running…');
    expect(find('.response').textContent).toContain('took 12 ms');
  });

  it('does not run without a connection', () => {
    const { find, commands } = open();
    type(find('input[name=url]'), 'http://localhost:5173/');
    runOf(find('.commands form'));
    expect(commands()).toEqual([]);
    expect(find('.run').textContent).toContain(texts.connectFirst);
  });

  it('has what was typed before', async () => {
    kept = { command: 'kapturemcp_click', 'form kapturemcp_click': { selector: '#before' } };
    const { find } = open(connected);
    await vi.waitFor(() =>
      expect(find<HTMLInputElement>('input[name=selector]').value).toBe('#before'),
    );
  });

  it('is run again from the history, with its form filled', () => {
    const outcome = anOutcome('old', { by: 'agent' });
    const { find, button, commands } = open({ ...connected, outcomes: [outcome] });
    press(button(texts.againOf('click')));
    expect(commands()).toEqual([
      { type: 'run', command: 'kapturemcp_click', params: { selector: '#go' } },
    ]);
    expect(find<HTMLInputElement>('input[name=selector]').value).toBe('#go');
  });
});

describe('the response', () => {
  it('is the newest, until the user looks at another one', () => {
    const [one, two, three] = ['one', 'two', 'three'].map((id) => anOutcome(id, { result: id }));
    if (!one || !two || !three) throw new Error();
    const { find, show } = open({ ...connected, outcomes: [two, one] });
    expect(find('.response').textContent).toContain('"two"');
    press(find('[data-id=one] .entry'));
    show({ ...connected, outcomes: [three, two, one] });
    expect(find('.response').textContent).toContain('"one"');
    press(find('[data-id=three] .entry'));
    expect(find('.response').textContent).toContain('"three"');
  });

  it('shows a screenshot small, with a page of its own and a file', () => {
    const shot = anOutcome('a b', { command: 'kapturemcp_screenshot', result: PICTURE });
    const { find, panel, sent } = open({ ...connected, outcomes: [shot] });
    const asked = { type: 'readPicture', outcome: 'a b' };
    expect(sent.filter(({ type }) => type === 'readPicture')).toEqual([asked]);
    panel.showPicture('another', 'Ym8=');
    panel.showPicture('a b', 'aGk=');
    expect(find<HTMLImageElement>('.thumbnail img').getAttribute('src')).toBe(
      'data:image/png;base64,aGk=',
    );
    expect(find('.thumbnail').getAttribute('href')).toBe('picture.html?tab=7&outcome=a%20b');
    expect(find('[download]').getAttribute('download')).toBe('noon.png');
    expect(find('.tree').textContent).not.toContain('aGk=');
  });

  it('says so when a picture is no longer kept', () => {
    const shot = anOutcome('old', { command: 'kapturemcp_screenshot', result: PICTURE });
    const { find, panel } = open({ ...connected, outcomes: [shot] });
    panel.showPicture('old', '');
    expect(find('.outcome-body').textContent).toContain(texts.noPicture);
  });
});
