import { beforeEach, expect, test } from 'vitest';
import { watchActions } from '../src/report/actions';
import { watchMoves } from '../src/report/moves';
import type { Happening } from '../src/reports';

const told: Happening[] = [];
watchActions((happening) => void told.push(happening));
watchMoves((happening) => void told.push(happening));

beforeEach(() => {
  told.length = 0;
  document.body.innerHTML = `
    <form aria-label="Sign in">
      <input name="getAttribute" aria-label="Odd">
      <label>Name <input name="who" value="Ada"></label>
      <label>Password <input type="password" name="pw" value="hunter2"></label>
      <input name="card" autocomplete="cc-number" aria-label="Card" value="4111">
      <input name="code" autocomplete="one-time-code" aria-label="Code" value="123456">
      <div data-private><input name="diary" aria-label="Dear diary" value="secret"></div>
      <select name="size" aria-label="Size"><option>large</option></select>
      <button><b>Save</b></button>
    </form>`;
});

/** What a user does, as far as happy-dom lets us. */
function does(selector: string, event: Event): void {
  Object.defineProperty(event, 'isTrusted', { value: true });
  document.querySelector(selector)?.dispatchEvent(event);
}

const bubbling = { bubbles: true, composed: true, cancelable: true };
const changed = (name: string) => does(`[name=${name}]`, new Event('change', bubbling));
const key = (selector: string, name: string) =>
  does(selector, new KeyboardEvent('keydown', { ...bubbling, key: name }));

test('a click is told with the control that it was for', () => {
  does('b', new MouseEvent('click', bubbling));
  expect(told).toMatchObject([{ event: 'action', action: 'click', role: 'button', label: 'Save' }]);
});

test('of fields their length is told, of secret ones nothing, and of none the value', () => {
  for (const name of ['who', 'pw', 'card', 'code', 'diary', 'size']) changed(name);
  expect(told.map(({ label, chars }) => [label, chars])).toEqual([
    ['Name', 3],
    ['Password', undefined],
    ['Card', undefined],
    ['Code', undefined],
    [undefined, undefined],
    ['Size', undefined],
  ]);
  expect(JSON.stringify(told)).not.toMatch(/Ada|hunter2|4111|123456|secret|large/);
});

test('Enter in a field and Escape are told, other keys are not', () => {
  key('[name=who]', 'Enter');
  key('[name=who]', 'x');
  key('button', 'Enter');
  key('button', 'Escape');
  expect(told.map(({ action, key }) => `${action} ${key}`)).toEqual(['key Enter', 'key Escape']);
});

test('what a script does is not told, and a form with odd names breaks nothing', () => {
  document.querySelector('b')?.dispatchEvent(new MouseEvent('click', bubbling));
  expect(told).toEqual([]);
  expect(() => does('form', new Event('submit', bubbling))).not.toThrow();
});

test('another URL of the same document is told once, without its secrets', () => {
  history.replaceState({}, '', '/cart?token=abcdefgh#top');
  dispatchEvent(new Event('popstate'));
  dispatchEvent(new Event('hashchange'));
  const { href } = location;
  expect(told).toEqual([
    { event: 'navigated', type: 'traverse', url: href.replace('abcdefgh', '[redacted]') },
  ]);
});
