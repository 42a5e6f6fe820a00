import { afterEach, expect, test, vi } from 'vitest';
import { elementOf, idOf, publish, secret } from '../src/element/registry';
import { encode } from '../src/picture/encode';
import { hideSecrets, keepState } from '../src/picture/mask';
import { createPicture } from '../src/tools/picture';

const signal = new AbortController().signal;

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
  document.head.replaceChildren();
  document.body.replaceChildren();
});

test('an element keeps its id, and another gets another', () => {
  const [one, two] = [document.createElement('b'), document.createElement('b')];
  expect(idOf(one)).toBe(idOf(one));
  expect(idOf(two)).not.toBe(idOf(one));
  expect(idOf(one)).toMatch(/^p\d+-[\w-]{8}$/);
  expect(elementOf(idOf(two))).toBe(two);
  expect(elementOf('p1')).toBeNull();
});

test('who looks in finds the page and its elements, once and for all', () => {
  publish();
  const key = Symbol.for('pageside.page');
  const page = Reflect.get(globalThis, key) as { secret: string; id(element: Element): string };
  expect(page.secret).toBe(secret);
  expect(page.id(document.body)).toBe(idOf(document.body));
  expect(Object.getOwnPropertyDescriptor(globalThis, key)).toMatchObject({
    enumerable: false,
    writable: false,
    configurable: false,
  });
  expect(Object.isFrozen(page)).toBe(true);
});

test('an element that left the page has no picture', async () => {
  const load = vi.fn();
  const picture = createPicture(load, document.body);
  for (const element of [idOf(document.createElement('b')), 'p1', undefined])
    await expect(picture({ element }, signal)).rejects.toMatchObject({ code: 'ELEMENT_NOT_FOUND' });
  expect(load).not.toHaveBeenCalled();
});

test('why a picture fails is told', async () => {
  const failing = createPicture(async () => {
    throw new TypeError('Failed to fetch picture.js');
  }, document.body);
  const answer = failing({ element: idOf(document.body) }, signal);
  await expect(answer).rejects.toMatchObject({
    code: 'NO_PICTURE',
    message: 'Failed to fetch picture.js',
  });
});

async function restrictions(headers: Record<string, string>) {
  const ask = vi.fn(async () => new Response(null, { headers }));
  vi.stubGlobal('fetch', ask);
  const { restrictionsOf } = await import('../src/picture/policy');
  const asked = await restrictionsOf(document).finally(() => vi.unstubAllGlobals());
  expect(ask).toHaveBeenCalledWith(document.URL, expect.objectContaining({ method: 'HEAD' }));
  return asked;
}
const policy = (value: string) => restrictions({ 'content-security-policy': value });

test.each([
  "img-src 'self'",
  "default-src 'self'",
  "script-src 'self'; Img-Src blob: https:",
  "img-src data:, default-src 'none'",
])('%s forbids pictures', async (value) => {
  await expect(policy(value)).rejects.toThrow('forbids data: images');
});

test('so does a policy that is only reported, and one in the document', async () => {
  const reported = { 'content-security-policy-report-only': "require-trusted-types-for 'script'" };
  await expect(restrictions(reported)).rejects.toThrow('Trusted Types');
  const meta = document.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content = "img-src 'none'";
  document.head.append(meta);
  vi.resetModules();
  await expect(restrictions({})).rejects.toThrow('forbids data: images');
});

test.each([
  ["script-src 'self'", false],
  ["img-src 'self' data:; connect-src 'self'", true],
  ["default-src 'self' data:", true],
])('%s allows them', async (value, ownOnly) => {
  await expect(policy(value)).resolves.toEqual({ ownOnly });
});

test('what is secret is not even in the copy', () => {
  const root = document.createElement('form');
  root.innerHTML =
    '<input name="city"><input type="password"><p data-private>1 <b style="visibility: visible">2</b></p><i>3</i>';
  hideSecrets(root, false);
  const hidden = [...root.querySelectorAll<HTMLElement>('*')]
    .filter((element) => element.style.visibility === 'hidden')
    .map((element) => element.localName);
  expect(hidden).toEqual(['input', 'p', 'b']);
  hideSecrets(root, true);
  expect(root.style.visibility).toBe('hidden');
});

test('what fields show becomes what they are', () => {
  const form = document.createElement('form');
  form.innerHTML =
    '<input type="checkbox" checked><textarea value="typed">old</textarea><select value="b"><option selected>a</option><option>b</option></select>';
  const [box, area, list] = form.children as unknown as [
    HTMLInputElement,
    HTMLTextAreaElement,
    HTMLSelectElement,
  ];
  box.checked = false;
  for (const field of form.children) keepState(field);
  expect(box.hasAttribute('checked')).toBe(false);
  expect(area.textContent).toBe('typed');
  expect([...list.options].map((option) => option.hasAttribute('selected'))).toEqual([false, true]);
});

/** A canvas whose PNG and JPEG have these many characters, the latter times `smaller`. */
function canvas(png: number, jpeg: number) {
  return (smaller: number) =>
    ({
      toDataURL: (mime: string) =>
        `data:${mime};base64,${'A'.repeat(mime === 'image/png' ? png : Math.round(jpeg * smaller))}`,
    }) as HTMLCanvasElement;
}
const box = { width: 10, height: 20 };
const MOST = 933_000;

test.each([
  [MOST, 0, { mime: 'image/png', scale: 0.5 }],
  [MOST + 1, MOST, { mime: 'image/jpeg', scale: 0.5 }],
  [MOST + 1, MOST + 1, { mime: 'image/jpeg', scale: 0.35 }],
])('a picture of %i or %i characters fits', (png, jpeg, expected) => {
  expect(encode(canvas(png, jpeg), box, 0.5)).toMatchObject({ ...box, ...expected });
});

test('a picture that fits in no way, or that the browser cannot encode, is an error', () => {
  expect(() => encode(canvas(MOST + 1, 100 * MOST), box, 1)).toThrow('small enough');
  const empty = { toDataURL: () => 'data:,' } as unknown as HTMLCanvasElement;
  expect(() => encode(() => empty, box, 1)).toThrow('cannot encode image/png');
});
