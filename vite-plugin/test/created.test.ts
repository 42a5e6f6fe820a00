import { runInNewContext } from 'node:vm';
import { Window } from 'happy-dom';
import { expect, onTestFinished, test } from 'vitest';
import { createdPlugin } from '../src/frameworks/created.ts';
import { resolveSettings } from '../src/options.ts';
import { createApp, startDev, withoutCompanion } from './support/server.ts';

/** What the page runs at the end of Vite's client, taken from a real dev server. */
async function served(dom: boolean | 'auto', plugins: { name: string }[] = []): Promise<string> {
  const app = createApp();
  const dev = await startDev(app.root, { ...withoutCompanion(app), dom }, { plugins });
  const code = await (await dev.fetch('/@vite/client')).text();
  return /^\{\n {2}const pageside =[\s\S]+?^\}$/m.exec(code)?.[0] ?? '';
}

test.each([
  ['auto', [], true],
  ['auto', [{ name: 'vite:vue' }], false],
  ['auto', [{ name: 'solid' }], false],
  ['auto', [{ name: 'react-router' }], false],
  [true, [{ name: 'vite:vue' }], true],
  [false, [], false],
] as [boolean | 'auto', { name: string }[], boolean][])(
  'dom: %s with the plugins %j: %s',
  async (dom, plugins, isOn) => {
    expect((await served(dom, plugins)) !== '').toBe(isOn);
  },
);

// happy-dom's documents do not use their prototype's `createElement`; the browser tests have it.
test('each way to make an element is noted, and only the elements that it made', async () => {
  const window = new Window();
  onTestFinished(() => window.happyDOM.close());
  const { document } = window;
  document.body.innerHTML = '<main><h1>there</h1><p></p></main>';
  runInNewContext(await served(true), window);
  const { made } = (window as unknown as { __PAGESIDE__: Notes }).__PAGESIDE__.created;
  const main = document.querySelector('main');
  const p = document.querySelector('p');
  if (!main || !p) throw new Error('no page');
  p.insertAdjacentHTML('beforeend', '<i><b></b></i>');
  p.insertAdjacentHTML('afterend', '<u></u>');
  main.append(document.querySelector('i')?.cloneNode(true) ?? '');
  const box = document.createElement('div');
  main.append(box);
  box.innerHTML = '<s></s>';
  box.outerHTML = '<q><a></a></q>';
  const noted = [...document.querySelectorAll('*')].map((element) => [
    element.localName,
    made.get(element)?.by,
  ]);
  expect(noted).toEqual([
    ['html', undefined],
    ['head', undefined],
    ['body', undefined],
    ['main', undefined],
    ['h1', undefined],
    ['p', undefined],
    ['i', 'insertAdjacentHTML'],
    ['b', 'insertAdjacentHTML'],
    ['u', 'insertAdjacentHTML'],
    ['i', 'cloneNode'],
    ['b', 'cloneNode'],
    ['q', 'outerHTML'],
    ['a', 'outerHTML'],
  ]);
});

interface Notes {
  created: { made: WeakMap<object, { by: string; error: Error }> };
}

test('the page is told which options are off', () => {
  const { transform } = createdPlugin(resolveSettings({ dom: false, markup: false }, {}));
  const { handler } = transform as unknown as { handler(code: string): { code: string } };
  expect(handler.call({}, 'client').code).toContain('.off = ["markup"];');
});
