import { beforeEach, expect, test } from 'vitest';
import { nameOf, roleOf } from '../src/element/a11y';
import { areaContextOf, areaOf, commonContainer } from '../src/element/area';
import { OVERLAY_TAG } from '../src/element/deep';
import { attributesOf, htmlOf } from '../src/element/html';
import { allMatches, firstMatch, queryDeep } from '../src/element/query';
import { collapsed, redactUrl, scrub } from '../src/element/redact';
import { selectorOf } from '../src/element/selector';
import { isFirstScript } from '../src/shield';
import { context } from './fakes';

beforeEach(() => {
  document.body.innerHTML = '';
});
function put(html: string): Element {
  document.body.innerHTML = html;
  return document.body.firstElementChild as Element;
}
const $ = (selector: string) => document.querySelector(selector) as Element;

test.each([
  ['<button>Save <b>now</b></button>', 'button', 'Save now'],
  ['<a href="/">Home</a>', 'link', 'Home'],
  ['<a>No link</a>', null, ''],
  ['<input type="checkbox" aria-label="Agree">', 'checkbox', 'Agree'],
  ['<input placeholder="Name">', 'textbox', 'Name'],
  ['<img alt="A cat">', 'img', 'A cat'],
  ['<img alt="">', 'presentation', ''],
  ['<div role="tab" title="t">Tab</div>', 'tab', 'Tab'],
  ['<h2>A <span aria-hidden="true">*</span>title</h2>', 'heading', 'A title'],
  ['<fieldset><legend>Address</legend></fieldset>', 'group', 'Address'],
  ['<div>plain</div>', null, ''],
])('%s has role %s and name %s', (html, role, name) => {
  const element = put(html);
  expect([roleOf(element), nameOf(element)]).toEqual([role, name]);
});

test('labels name their field', () => {
  put('<div><label for="f">E-mail</label><input id="f"><b id="b">Billing</b></div>');
  expect(nameOf($('#f'))).toBe('E-mail');
  $('#f').setAttribute('aria-labelledby', 'b');
  expect(nameOf($('#f'))).toBe('Billing');
});

test.each([
  ['<i id="go"></i>', 'i', '#go'],
  ['<i data-testid="x"></i><i></i>', 'i', 'i[data-testid="x"]'],
  ['<i class="css-1a2b3c big"></i><i></i>', 'i', '.big'],
  ['<ul><li></li><li></li></ul><ol><li></li></ol>', 'li:nth-child(2)', 'li:nth-of-type(2)'],
])('in %s the selector is unique and short', (html, of, selector) => {
  put(html);
  const element = $(of);
  expect(selectorOf(element)).toBe(selector);
  expect(queryDeep(selector)).toEqual([element]);
});

test('every element of a page has a selector that finds it alone', () => {
  const row = '<tr><td class="c">1</td><td class="c"><a href="#"><span>x</span></a></td></tr>';
  put(`<div><table><tbody>${row.repeat(4)}</tbody></table><p>a</p><p>b</p></div>`);
  for (const element of document.querySelectorAll('body *'))
    expect(queryDeep(selectorOf(element))).toEqual([element]);
});

test('selectors pierce shadow roots', () => {
  const host = put('<section id="host"></section>');
  const root = host.attachShadow({ mode: 'open' });
  root.append(document.createElement('p'));
  const inner = root.firstElementChild as Element;
  expect(selectorOf(inner)).toBe('#host >>> p');
  expect(queryDeep('#host >>> p')).toEqual([inner]);
});

function shadowIn(host: Element, html: string): ShadowRoot {
  const root = host.attachShadow({ mode: 'open' });
  root.innerHTML = html;
  return root;
}

test('a plain selector looks into shadow roots only where the document has nothing', () => {
  put('<main><a-list></a-list><a-card></a-card></main>');
  const list = shadowIn($('a-list'), '<p id="1"></p><a-row></a-row><p id="4"></p>');
  shadowIn(list.querySelector('a-row') as Element, '<p id="2"></p><p id="3"></p>');
  shadowIn($('a-card'), '<p id="5"></p>');
  expect(allMatches('p').map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5']);
  expect(firstMatch('p')).toMatchObject({ element: { id: '1' }, matches: 5 });
  expect(allMatches('a-list >>> p').map(({ id }) => id)).toEqual(['1', '4']);
  expect(allMatches('a-card >>> i')).toEqual([]);
  $('main').append(document.createElement('p'));
  expect(allMatches('p')).toEqual([$('p')]);
});

test('no selector finds a part of our own overlay, unless it names it', () => {
  shadowIn(put(`<${OVERLAY_TAG}></${OVERLAY_TAG}>`), '<button></button>');
  expect(firstMatch('button')).toEqual({ element: null, matches: 0 });
  expect(allMatches(`${OVERLAY_TAG} >>> button`)).toHaveLength(1);
});

test('a bad selector is an error that names it', () => {
  expect(() => queryDeep('p[')).toThrow("'p[' is not a valid CSS selector.");
});

test.each([
  '<input type="password" value="hunter2">',
  '<input type="hidden" value="hunter2">',
  '<input autocomplete="cc-number" value="hunter2">',
  '<input name="api_key" value="hunter2">',
  '<meta name="csrf-token" content="hunter2">',
  '<a href="/?token=hunter2&x=1">x</a>',
  '<p data-auth="hunter2"></p>',
  '<form><div><input type="password" value="hunter2"></div></form>',
  '<textarea name="api_token">hunter2</textarea>',
  '<form><textarea id="secret">\n hunter2</textarea></form>',
  '<label><output name="token"><b>hunter2</b></output></label>',
  '<p contenteditable id="auth-note">hunter2</p>',
  '<div><section data-private><b>hunter2</b></section></div>',
  '<div><input data-private value="hunter2"></div>',
])('no secret leaves %s', (html) => {
  const element = put(html);
  expect(JSON.stringify([htmlOf(element), attributesOf(element)])).not.toContain('hunter2');
  expect(element.outerHTML).toContain('hunter2');
});

test('what was typed into a secret field is taken out of texts', () => {
  const form = put('<form><input type="password"></form>');
  ($('input') as HTMLInputElement).value = 'hunter2';
  expect(scrub('it is hunter2!', form)).toBe('it is [redacted]!');
});

test('a secret that stands in a field is taken out of texts, as typed and as it came', () => {
  const form = put('<form>Key <textarea name="api_token">\n old\n key</textarea></form>');
  ($('textarea') as HTMLTextAreaElement).value = 'new  key';
  expect(scrub(collapsed(form.textContent), form)).toBe('Key [redacted]');
  expect(scrub('it is new key', form)).toBe('it is [redacted]');
});

test('URLs lose their secrets only', () => {
  expect(redactUrl('https://u:p@h.test/a?x=1&access_token=abc#b')).toBe(
    'https://h.test/a?x=1&access_token=[redacted]#b',
  );
});

test('the container of several elements is the innermost around all', () => {
  put('<main><ul id="list"><li><b>1</b></li><li>2</li></ul></main>');
  expect(commonContainer([$('b'), $('li:last-child')])).toBe($('#list'));
  expect(commonContainer([$('b')])).toBe($('b'));
});

test('of an area the first 50 elements are named, and all are counted', async () => {
  put(`<ul>${'<li></li>'.repeat(60)}</ul>`);
  const bounds = { x: 0, y: 0, width: 9, height: 9 };
  const { sourceInfo } = context('List');
  const items = [...document.querySelectorAll('li')];
  const area = areaOf(await areaContextOf(bounds, items, null, async () => sourceInfo));
  expect([area.total, area.elements.length, area.bounds]).toEqual([60, 50, bounds]);
  expect(area.elements[1]).toEqual({
    selector: 'li:nth-of-type(2)',
    tag: 'li',
    file: 'src/App.tsx',
    line: 3,
    column: 5,
    component: 'List',
  });
});

const OWN = 'http://localhost/__pageside__/client.js';
const script = (attributes: object, text = '') =>
  Object.assign(document.createElement('script'), { type: 'module', ...attributes }, { text });

test.each([
  ['first', [{ src: OWN }, { src: 'http://localhost/src/main.tsx' }], true],
  ['after Vite’s own', [{ src: 'http://localhost/@vite/client' }, { src: OWN }], true],
  ['after data', [{ type: 'application/json' }, { src: OWN }], true],
  ['after another', [{ src: 'http://localhost/a.js' }, { src: OWN }], false],
  ['before a script that does not wait', [{ src: OWN }, { type: '', src: 'http://h/a.js' }], false],
  ['loaded by another', [{ src: 'http://localhost/a.js' }], false],
] as const)('a client that is %s is the first script: %s', (_, scripts, first) => {
  expect(
    isFirstScript(
      scripts.map((one) => script(one)),
      OWN,
    ),
  ).toBe(first);
});
