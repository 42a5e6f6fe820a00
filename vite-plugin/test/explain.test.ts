import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createExplainer, type Explained, type WrittenAttribute } from '../src/source/explain.ts';
import { createSources } from '../src/source/sources.ts';

let root: string;
let server: ViteDevServer;
const read = createSources();

beforeAll(async () => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'explain-')));
  server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false },
    optimizeDeps: { noDiscovery: true },
    plugins: [
      {
        name: 'made-up',
        resolveId: (id) => (id === 'virtual:actions' ? '\0virtual:actions' : undefined),
      },
    ],
  });
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});

let folders = 0;

/** Explains the tag before which `§` stands, and shows places as the text that stands there. */
async function explain(files: Record<string, string>): Promise<Explained> {
  folders += 1;
  const folder = path.join(root, `case-${folders}`);
  mkdirSync(folder);
  const texts: Record<string, string> = {};
  let asked: { file: string; line: number; column: number } | undefined;
  for (const [name, marked] of Object.entries(files)) {
    const text = marked.replace('§', '');
    const file = path.join(folder, name);
    writeFileSync(file, text);
    texts[name] = text;
    const at = marked.indexOf('§');
    if (at < 0) continue;
    const before = text.slice(0, at).split('\n');
    asked = { file, line: before.length, column: (before.at(-1) ?? '').length + 1 };
  }
  if (!asked) throw new Error('no place is marked');
  const source = read(asked.file);
  if (!source) throw new Error('no source');
  const found = await createExplainer(server, folder, read)(source, asked.file, asked);
  shown = (each) => {
    const line = texts[each.file]?.split('\n')[each.line - 1] ?? '';
    return `${each.file}: ${line.slice(each.column - 1)}`;
  };
  return found;
}
let shown: (attribute: WrittenAttribute) => string;

/** The one attribute with code of the marked tag: its name, its function's name, and what stands at its place. */
async function only(files: Record<string, string> | string, name = 'App.tsx') {
  const found = await explain(typeof files === 'string' ? { [name]: files } : files);
  expect(found.attributes).toHaveLength(1);
  const [attribute] = found.attributes as [WrittenAttribute];
  return { attribute, at: shown(attribute) };
}

describe('handlers', () => {
  test.each([
    ['an inline function', 'const App = () => §<p onClick={() => go()} />', '', '() => go()} />'],
    [
      'a function of the component',
      'function App() {\n  function go() {}\n  return §<p onClick={go} />;\n}',
      'go',
      'function go() {}',
    ],
    [
      'a function in a variable',
      'function App() {\n  const go = useCallback(() => 1, []);\n  return §<p onClick={go} />;\n}',
      'go',
      'go = useCallback(() => 1, []);',
    ],
    [
      'a setter of a state',
      'function App() {\n  const [open, setOpen] = useState(1);\n  return §<p onClick={setOpen} />;\n}',
      'setOpen',
      'setOpen] = useState(1);',
    ],
    [
      'a function of the module, through types',
      'const go = () => 1;\nconst App = memo(() => §<p onClick={go as never} />);',
      'go',
      'go = () => 1;',
    ],
    [
      'the innermost of that name',
      'const go = 1;\nfunction App() {\n  const go = () => 2;\n  return [1].map(() => §<p onClick={go} />);\n}',
      'go',
      'go = () => 2;',
    ],
    [
      'a bound method of a class',
      'class App extends Component {\n  add() {}\n  render() {\n    return §<p onClick={this.add.bind(this)} />;\n  }\n}',
      'add',
      'add() {}',
    ],
    [
      'a method of an object',
      'const cart = { add() {} };\nconst App = () => §<p onClick={cart.add} />;',
      'add',
      'add() {} };',
    ],
    [
      'a function with data, as Solid has it',
      'const go = () => 1;\nconst App = () => §<p onClick={[go, 1]} />;',
      'go',
      'go = () => 1;',
    ],
    ['what a call returns', 'const App = () => §<p onClick={make(1)} />', '', 'make(1)} />'],
    ['an unknown name', 'const App = () => §<p onClick={who} />', 'who', 'who} />'],
    [
      'a parameter that is no prop',
      'const App = ({ all }) => all.map((each) => §<p onClick={each.go} />);',
      'each.go',
      'each.go} />);',
    ],
  ])('%s', async (_, code, name, at) => {
    const found = await only(code);
    expect(found.attribute).toMatchObject({ attribute: 'onClick', name });
    expect(found.at).toBe(`App.tsx: ${at}`);
    expect(found.attribute.prop).toBeUndefined();
  });

  test.each([
    ['a destructured prop', 'const App = ({ onGo }) => §<p onClick={onGo} />', 'onGo'],
    ['one with another name', 'const App = ({ onGo: go = 1 }) => §<p onClick={go} />', 'onGo'],
    ['one of props', 'function App(props) { return §<p onClick={props.onGo} />; }', 'onGo'],
    [
      'one taken from props later',
      'function App(props) { const { onGo } = props; return §<p onClick={onGo} />; }',
      'onGo',
    ],
    [
      'one of a class',
      'class App extends X { render() { return §<p onClick={this.props.onGo} />; } }',
      'onGo',
    ],
    [
      'through forwardRef',
      'const App = forwardRef(({ onGo }, ref) => §<p onClick={onGo} />)',
      'onGo',
    ],
  ])('%s comes from whoever uses the component', async (_, code, prop) => {
    expect((await only(code)).attribute.prop).toBe(prop);
  });

  test.each([
    ['a function', 'export function go() {}', 'go', 'function go() {}'],
    ['a constant', 'export const go = () => 1;', 'go', 'go = () => 1;'],
    ['a list', 'const go = () => 1;\nexport { go };', 'go', 'go = () => 1;'],
    ['another name', 'function run() {}\nexport { run as go };', 'run', 'function run() {}'],
  ])('an import leads to its module, exported as %s', async (_, module, name, at) => {
    const code = "import { go } from './actions';\nconst App = () => §<p onClick={go} />;";
    const found = await only({ 'App.tsx': code, 'actions.ts': module });
    expect(found.attribute.name).toBe(name);
    expect(found.at).toBe(`actions.ts: ${at}`);
  });

  test('an import is followed through modules that hand it on, and as default and namespace', async () => {
    const found = await explain({
      'App.tsx':
        "import first from './a';\nimport * as all from './a';\nconst App = () => §<p onClick={first} onInput={all.second} />;",
      'a.ts': "export default function first() {}\nexport { inner as second } from './b';",
      'b.ts': 'export const inner = () => 1;',
    });
    expect(found.attributes?.map(shown)).toEqual([
      'a.ts: function first() {}',
      'b.ts: inner = () => 1;',
    ]);
  });

  test.each([
    ['is not there', 'nowhere'],
    ['a plugin made up', 'virtual:actions'],
  ])('an import of what %s leads to the import', async (_, module) => {
    const code = `import { go } from '${module}';\nconst App = () => §<p onClick={go} />;`;
    expect((await only(code)).at).toBe(`App.tsx: go } from '${module}';`);
  });

  test.each([
    ['props', 'const App = (props) => §<p {...props} />', true],
    ['what is left of them', 'const App = ({ a, ...rest }) => §<p {...rest} />', true],
    [
      'taken later',
      'function App(props) { const { a, ...rest } = props; return §<p {...rest} />; }',
      true,
    ],
    [
      'split, as Solid does',
      "function App(props) { const [own, rest] = splitProps(props, ['a']); return §<p {...rest} />; }",
      true,
    ],
    ['something else', 'const App = ({ a }) => §<p {...a} />', false],
    ['of a call', 'const App = (props) => §<p {...use(props)} />', false],
  ])('a spread of %s', async (_, code, isGiven) => {
    expect((await only(code)).attribute.prop).toBe(isGiven ? '...' : undefined);
  });

  test('a spread after an attribute may replace it', async () => {
    const found = await explain({
      'App.tsx': 'const App = (p) => §<p onClick={() => 1} {...p} onInput={() => 2} />',
    });
    expect(found.attributes?.map(({ attribute, spread }) => [attribute, spread])).toEqual([
      ['onClick', true],
      ['...', undefined],
      ['onInput', undefined],
    ]);
  });
});

const SETUP = '<script setup lang="ts">\nfunction add(): void {}\n</script>\n';
const OPTIONS = '<script>\nexport default { methods: { add() {} } };\n</script>\n';
const SVELTE = '<script lang="ts">\n  const add = () => 1;\n</script>\n';

describe('templates', () => {
  test.each([
    [
      'Vue',
      'A.vue',
      `${SETUP}<template>\n§<b class="x" @click="add" /></template>`,
      '@click',
      'add',
      'function add(): void {}',
    ],
    [
      'Vue, long',
      'A.vue',
      `${SETUP}<template>\n  §<b\n  v-on:click.once="add"\n/></template>`,
      'v-on:click.once',
      'add',
      'function add(): void {}',
    ],
    [
      'Vue, script below',
      'A.vue',
      `<template>\n§<b @click='add' /></template>\n${SETUP}`,
      '@click',
      'add',
      'function add(): void {}',
    ],
    [
      'Vue, options',
      'A.vue',
      `<template>\n§<b @click="add" /></template>\n${OPTIONS}`,
      '@click',
      'add',
      'add() {} } };',
    ],
    [
      'Vue, statement',
      'A.vue',
      `${SETUP}<template>\n§<b @click="n > 1 && n++" /></template>`,
      '@click',
      '',
      'n > 1 && n++" /></template>',
    ],
    [
      'Vue, statements',
      'A.vue',
      `${SETUP}<template>\n§<b @click="n++; add()" /></template>`,
      '@click',
      '',
      'n++; add()" /></template>',
    ],
    ['Svelte', 'A.svelte', `${SVELTE}§<b onclick={add}>x</b>`, 'onclick', 'add', 'add = () => 1;'],
    [
      'Svelte, inline',
      'A.svelte',
      `${SVELTE}§<b class="{n}"\n  onclick={() => { n += '}'; }}>x</b>`,
      'onclick',
      '',
      "() => { n += '}'; }}>x</b>",
    ],
    [
      'Svelte, directive',
      'A.svelte',
      `${SVELTE}§<b on:click|once={add}>x</b>`,
      'on:click|once',
      'add',
      'add = () => 1;',
    ],
    [
      'Lit',
      'a.ts',
      `class A extends LitElement {\n  add() {}\n  render() {\n    return html\`§<b @click=$\{this.add}>x</b>\`;\n  }\n}`,
      '@click',
      'add',
      'add() {}',
    ],
    ['HTML', 'a.html', '<p>\n§<b id=x onclick="go(1)">x</b>', 'onclick', '', 'go(1)">x</b>'],
  ])('%s', async (_, file, code, attribute, name, at) => {
    const { attributes = [] } = await explain({ [file]: code });
    const found = attributes.filter((each) => each.attribute === attribute);
    expect(found.map(shown)).toEqual([`${file}: ${at}`]);
    expect(found[0]?.name).toBe(name);
  });

  test('Svelte’s short form and spread', async () => {
    const code = `${SVELTE}§<b {onclick} {...rest} {add}>x</b>`;
    const { attributes = [] } = await explain({ 'A.svelte': code });
    expect(attributes.map((each) => [each.attribute, each.spread ?? false])).toEqual([
      ['onclick', true],
      ['add', false],
    ]);
  });

  test('a tag that never ends is no trouble', async () => {
    expect(await explain({ 'a.html': `§<b ${'x="1" '.repeat(5000)}` })).toEqual({});
    expect(await explain({ 'A.svelte': '§<b onclick={() => {' })).toMatchObject({
      attributes: [{ attribute: 'onclick' }],
    });
  });
});

describe('hooks', () => {
  const hooksOf = async (body: string, before = '') =>
    (
      await explain({ 'App.tsx': `${before}\nfunction App() {\n${body}\n  return §<p />;\n}` })
    ).hooks?.map(({ hook, name }) => `${name} = ${hook}`);

  test('of the component’s own body, with their variables, in the order in which they run', async () => {
    const body = `
      const [open, setOpen] = useState(false);
      const [, setOther] = React.useState(0);
      const box = useRef<HTMLElement>(null)!;
      const { items, add } = useCart(useId());
      const total = useMemo(() => { const x = useless(); return useState(1); }, []);
      useEffect(() => { useNothing(); }, []);
      const both = useA() ?? useB();`;
    expect(await hooksOf(body)).toEqual([
      'open = useState',
      ' = useState',
      'box = useRef',
      ' = useId',
      ' = useCart',
      'total = useMemo',
      ' = useEffect',
      ' = useA',
      ' = useB',
    ]);
  });

  test('and what makes Solid’s signals', async () => {
    expect(
      await hooksOf('const [n, setN] = createSignal(0); const e = document.createElement("p");'),
    ).toEqual(['n = createSignal']);
  });

  test('not those of another component in the file', async () => {
    expect(
      await hooksOf('const [a] = useState(1);', 'function B() { const [b] = useState(2); }'),
    ).toEqual(['a = useState']);
  });

  test('a hook that is imported under another name makes all of them uncertain', async () => {
    expect(
      await hooksOf(
        'const [a] = state(1); const [b] = useState(2);',
        "import { useState as state } from 'react';",
      ),
    ).toBeUndefined();
  });
});
