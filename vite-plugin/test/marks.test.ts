// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates as they stand in sources
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import MagicString from 'magic-string';
import { parseFragment } from 'parse5';
import { describe, expect, test } from 'vitest';
import { createMarker } from '../src/frameworks/marks.ts';
import { markJsx } from '../src/frameworks/solid.ts';
import { type CodeNode, parseModule } from '../src/frameworks/syntax.ts';
import { hasMarkup, markTemplates } from '../src/frameworks/tagged.ts';
import { random } from './support/random.ts';

type Mark = (program: CodeNode, marker: ReturnType<typeof createMarker>) => void;
const jsx: Mark = (program, marker) => markJsx(program, marker, false);

const MARK = /(?:data-pageside|__pageside)=["']([^"']*):(\d+):(\d+)["']/g;

/** The marked code, and for each mark what stands at its place in the source; null: left as it was. */
function marked(source: string, mark: Mark, file = 'app.tsx') {
  const program = parseModule(source, file);
  if (!program) return null;
  const text = new MagicString(source);
  mark(program, createMarker(text, file));
  const code = text.toString();
  const lines = source.split(/\r\n|\n|\r/);
  const places = [...code.matchAll(MARK)].map(([, , line, column]) =>
    (lines[Number(line) - 1] ?? '').slice(Number(column) - 1),
  );
  return { code, places, map: text.generateMap({ hires: 'boundary', source: file }) };
}

const names = (places: string[]) =>
  places.map((rest) => /^<(\$\{\w+\}|[^\s/>]*[\w$])/.exec(rest)?.[1]);

describe('JSX', () => {
  test.each<[string, string, string[]]>([
    ['elements and components', 'a = <ul><Row id={1} /></ul>', ['ul', 'Row']],
    ['fragments', 'a = <><li /><></></>', ['li']],
    ['generic components', 'a = <List<Row, "x"> each={b}>{c}</List>', ['List<Row']],
    ['generic arrows', 'const f = <T,>(x: T) => <b>{x}</b>', ['b']],
    ['members and namespaces', 'a = <a.b><svg:rect /></a.b>', ['a.b', 'svg:rect']],
    ['custom elements', 'a = <my-list />', ['my-list']],
    ['comments in tags', 'a = <p /* x > y */ // z\n id="q">{/* <b> */}</p>', ['p']],
    ['spreads', 'a = <p {...b} class="c" {...d} />', ['p']],
    ['Windows line ends', 'a = (\r\n  <p>\r\n    <b />\r\n  </p>)', ['p', 'b']],
    ['emoji before', 'a = "👩‍👩‍👧"; b = <p title="🌍"><i /></p>', ['p', 'i']],
    ['a byte order mark', '\uFEFFa = <p />', ['p']],
    ['decorators', '@x class A { @y() accessor z = 1; r() { return <p /> } }', ['p']],
    ['satisfies', 'a = { p: <p /> } satisfies B', ['p']],
    ['await using', 'async () => { await using a = b; return <p /> }', ['p']],
    ['import attributes', 'import a from "./a.json" with { type: "json" }; b = <p />', ['p']],
    [
      'nested in attributes',
      'a = <p t={<i />}>{c ? <b /> : d.map((e) => <u />)}</p>',
      'pibu'.split(''),
    ],
  ])('%s are marked where they stand', (_, source, expected) => {
    const { code, places } = marked(source, jsx) ?? { code: '', places: [] };
    expect(names(places)).toEqual(expected);
    expect(parseModule(code, 'app.tsx'), code).not.toBeNull();
  });

  test('syntax errors pass through, for the compiler to tell', () => {
    expect(marked('a = <p><b></p>', jsx)).toBeNull();
    expect(marked('const = 1', jsx)).toBeNull();
  });

  test('an attribute that is there already is kept', () => {
    const source = 'a = <p data-pageside="x" />';
    expect(marked(source, jsx)?.code).toBe(source);
  });

  test('on the server components get no prop', () => {
    const onServer: Mark = (program, marker) => markJsx(program, marker, true);
    expect(marked('a = <Row><p /></Row>', onServer)?.code).toBe(
      'a = <Row><p data-pageside="app.tsx:1:10" /></Row>',
    );
  });

  test('file names cannot break out', () => {
    const code = marked('a = <p />', jsx, 'a"b<&`${c}.tsx')?.code ?? '';
    expect(code).toBe('a = <p data-pageside="a&#34;b&#60;&#38;&#96;&#36;&#123;c&#125;.tsx:1:5" />');
  });
});

describe('templates', () => {
  test.each<[string, string, string[]]>([
    ['tagged ones', 'a = html`<p><b>${c}</b></p>`; d = svg`<path />`', ['p', 'b', 'path']],
    ['ones of other names', 'import { html as h } from "x"; a = h`<p>`', ['p']],
    ['ones of members', 'a = lit.html`<p>`', ['p']],
    ['others', 'a = css`<p>`; b = `<p>`; c = "<p>"', []],
    ['attributes with expressions', 'a = html`<p class="${b}>" .c=${d} ?e=${"f"}><i>`', ['p', 'i']],
    ['text in values', `a = html\`<p title="a <b> c" alt='<i>'><u>\``, ['p', 'u']],
    ['comments', 'a = html`<!-- <p> ${b} <i> --><u>`', ['u']],
    ['scripts and styles', 'a = html`<style>a<b{}</style><script>x<y</script><u>`', ['u']],
    ['names that expressions give', 'a = html`<${b} class="c"><h${d}></h${d}></${b}>`', ['${b}']],
    ['comparisons', 'a.innerHTML = `<p>1 < 2 and 3 <${b} or <4</p>`', ['p']],
    ['nested tagged ones', 'a = html`<ul>${b.map((c) => html`<li>${c}</li>`)}</ul>`', ['ul', 'li']],
    ['innerHTML', 'a!.innerHTML = `<p>`; b.outerHTML = "<i>"; c["innerHTML"] = d', ['p', 'i']],
    ['insertAdjacentHTML', "a?.insertAdjacentHTML('beforeend', `<p>`)", ['p']],
    ['unsafe ones', 'a = html`<p>${unsafeHTML(`<b>`)}</p>`', ['p']],
    [
      'lists',
      'a.innerHTML = `<ul>${b.map((c) => { if (c) return `<li>`; return `<i>` }).join("")}</ul>`',
      ['ul', 'li', 'i'],
    ],
    ['choices', 'a.innerHTML = `<p>${b ? "<i>" : c && \'<u>\'}</p>`', ['p', 'i', 'u']],
    ['attributes in choices', 'a.innerHTML = `<p ${b ? "<i>" : ""}></p>`', ['p']],
    ['calls in between', 'a.innerHTML = `<p>${escape(`<i>`)}</p>`', ['p']],
    ['sums', `a.innerHTML = '<p title="' + b + '"><i>' + "<u a='b'>"`, ['p', 'i', 'u']],
  ])('%s are marked where they stand', (_, source, expected) => {
    expect(hasMarkup(source) || expected.length === 0).toBe(true);
    const { code, places } = marked(source, markTemplates, 'app.ts') ?? { code: '', places: [] };
    expect(names(places)).toEqual(expected);
    expect(parseModule(code, 'app.ts'), code).not.toBeNull();
  });
});

const ATOMS = [
  '<p>',
  '</p>',
  '<br/>',
  '<a href="x>y">',
  "<i title='<b>'>",
  '<my-el class=${x}>',
  '${y}',
  '< ',
  'a<b',
  '<!-- <q> -->',
  '<!--${z}-->',
  '<style>a>b{}</style>',
  '<textarea><p></textarea>',
  '"',
  "'",
  '=',
  '>',
  '😀',
  '\r\n',
  '<svg:g/>',
  '<${t} id="1">',
  '</${t}>',
  ' ',
  '<input disabled value="${v}"/>',
  '&lt;',
  '<1>',
]; // prettier-ignore

test('random markup stays the same but for the marks, and each mark is right', () => {
  const pick = random(7);
  for (let round = 0; round < 400; round += 1) {
    const body = Array.from({ length: 1 + pick(12) }, () => ATOMS[pick(ATOMS.length)]).join('');
    const source = `// ${round}\nconst a = html\`${body}\`;\nb.innerHTML = \`${body}\`;`;
    const result = marked(source, markTemplates, 'app.ts');
    if (!result) continue;
    const { code, places, map } = result;
    expect(code.replaceAll(/ data-pageside="[^"]*"/g, ''), source).toBe(source);
    expect(parseModule(code, 'app.ts'), code).not.toBeNull();
    for (const rest of places) expect(rest, code).toMatch(/^<[a-z$]/);
    const trace = new TraceMap(map as never);
    const statement = code.split('\n').findIndex((line) => line.startsWith('b.innerHTML'));
    const at = originalPositionFor(trace, { line: statement + 1, column: 0 });
    expect(source.split('\n')[Number(at.line) - 1]).toMatch(/^b\.innerHTML/);
  }
});

test('what a browser reads of random markup has the same elements, and marks only as attributes', () => {
  const pick = random(11);
  const plain = ATOMS.filter((atom) => !atom.includes('$'));
  for (let round = 0; round < 400; round += 1) {
    const body = Array.from({ length: 1 + pick(12) }, () => plain[pick(plain.length)]).join('');
    const code = marked(`a.innerHTML = \`${body}\``, markTemplates, 'app.ts')?.code ?? '';
    expect(outline(code.slice(code.indexOf('`') + 1, -1)), code).toEqual(outline(body));
  }
});

interface Tree {
  nodeName: string;
  value?: string;
  attrs?: { name: string; value: string }[];
  childNodes?: Tree[];
}

function outline(markup: string): unknown {
  const of = ({ nodeName, value, attrs, childNodes }: Tree): unknown => [
    nodeName,
    value,
    attrs?.filter(({ name }) => name !== 'data-pageside'),
    childNodes?.map(of),
  ];
  return of(parseFragment(markup) as unknown as Tree);
}
