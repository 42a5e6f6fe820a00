import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { markHtml } from '../src/frameworks/html.ts';
import { resolve } from './support/example.ts';
import { createApp, startDev, until, withoutCompanion } from './support/server.ts';

const marks = (html: string) =>
  [...html.matchAll(/<([\w:-]+) data-pageside="page\.html:(\d+):(\d+)"/g)].map(
    ([, name, line, column]) => `${name} ${line}:${column}`,
  );

test('every visible tag of a page is marked, and nothing else changes', () => {
  const page = `<!doctype html>
<html lang="en"><head><title><b></title><script>"<p>"</script><style>a>b{}</style></head>
<body class="x" data-a='1>2'>
  <!-- <p> --><table><tr><td>1<td>2</table><p>open<p>again<br><img src=a.png alt="<i>">
  <svg viewBox="0 0 1 1"><path d=""/><foreignObject><div></div></foreignObject></svg>
  <template id=t><li><b>x</b></li></template><noscript><p>n</p></noscript><textarea><p></textarea>
  <script>document.title = '<em>'</script><my-el></my-el><image src=b></image>
</body></html>`;
  const marked = markHtml(page, page, 'page.html');
  expect(marked.replaceAll(/ data-pageside="[^"]*"/g, '')).toBe(page);
  expect(marks(marked)).toEqual([
    'body 3:1',
    'table 4:15',
    'tr 4:22',
    'td 4:26',
    'td 4:31',
    'p 4:44',
    'p 4:51',
    'br 4:59',
    'img 4:63',
    'svg 5:3',
    'path 5:26',
    'foreignObject 5:38',
    'div 5:53',
    'li 6:18',
    'b 6:22',
    'textarea 6:75',
    'my-el 7:43',
    'image 7:58',
  ]);
});

test('implied tags, wrong nesting and marks that are there get none twice', () => {
  const page = '<p><b>one<p>two</b><i data-pageside="x">';
  expect(markHtml(page, page, 'page.html')).toBe(
    '<p data-pageside="page.html:1:1"><b data-pageside="page.html:1:4">one' +
      '<p data-pageside="page.html:1:10">two</b><i data-pageside="x">',
  );
});

test('what others have put into a page has no place; what is around it has that of the file', () => {
  const file = '<body>\n<header></header>\n<main><!--app--></main>\n<footer></footer></body>';
  const page = file.replace('<!--app-->', '<h1>From the\nserver</h1>');
  const marked = markHtml(page, file, 'page.html');
  expect(marks(marked)).toEqual(['body 1:1', 'header 2:1', 'main 3:1', 'footer 4:1']);
  expect(marked).toContain('<h1>From');
});

test('the page that Vite serves has marks that lead to index.html, not when markup is off', async () => {
  const page = '<!doctype html>\n<main>\n  <h1>Hi</h1>\n</main>';
  const app = createApp({ 'index.html': page });
  const dev = await startDev(app.root, withoutCompanion(app));
  expect(await (await dev.fetch('/')).text()).toContain('<h1 data-pageside="index.html:3:3">Hi');
  const place = { file: 'index.html', line: 3, column: 3, tag: 'h1', via: 'attribute' };
  expect(await resolve(dev, [place])).toMatchObject([{ file: 'index.html', line: 3, exact: true }]);
  // The page has the lines as they were; the server knows where they are now.
  writeFileSync(
    path.join(app.root, 'index.html'),
    page.replace('<main>', '<main>\n  <h1>New</h1>'),
  );
  expect(await resolve(dev, [place])).toMatchObject([{ line: 4, exact: true }]);
  const off = await startDev(app.root, { ...withoutCompanion(app), markup: false });
  expect(await (await off.fetch('/')).text()).not.toContain('data-pageside=');
});

test('a place counts in the text that was compiled, until the next is', async () => {
  const app = createApp({ 'main.ts': 'const a = html`\n<p>1</p>\n`;' });
  const dev = await startDev(app.root, withoutCompanion(app));
  const served = async () => (await dev.fetch('/main.ts')).text();
  expect(await served()).toContain('<p data-pageside="main.ts:2:1">');
  const place = { file: 'main.ts', line: 2, column: 1, tag: 'p', via: 'attribute' };
  const file = path.join(app.root, 'main.ts');
  writeFileSync(file, 'const a = html`\n<p>0</p>\n<p>1</p>\n`;');
  expect(await resolve(dev, [place])).toMatchObject([{ line: 3, exact: true }]);
  writeFileSync(file, 'const a = html`\n<p>0</p>\n<p>2</p>\n`;');
  const [gone] = await resolve(dev, [place]);
  expect(gone).toMatchObject({ exact: false, fix: expect.stringContaining('reload') });
  // Text that cannot be compiled is not what the page has.
  writeFileSync(file, 'const a = html`\n<p>0</p>\n<p>1</p>\n`; const');
  await until(async () => (await dev.fetch('/main.ts')).status === 500);
  expect(await resolve(dev, [place])).toMatchObject([{ line: 3, exact: true }]);
});
