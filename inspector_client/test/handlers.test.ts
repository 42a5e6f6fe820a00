import { expect, test } from 'vitest';
import type { Place, Resolved } from '../src/protocol';
import { createLocator } from '../src/source';
import { createExplainer } from '../src/source/explain';
import { createHandlers } from '../src/source/handlers';
import { eventOf, listeningOn } from '../src/source/handlers/listening';
import { createHeld } from '../src/source/held';

const button = (fields: object) => Object.assign(document.createElement('button'), fields);

test.each([
  ['onClick', 'click'],
  ['onDoubleClick', 'dblclick'],
  ['onClickCapture', 'click'],
  ['onGotPointerCapture', 'gotpointercapture'],
  ['@click.prevent', 'click'],
  ['v-on:update:model', 'update:model'],
  ['on:click|once', 'click'],
  ['onclick', 'click'],
])('%s is of %s', (attribute, event) => {
  expect(eventOf(attribute)).toBe(event);
});

test('each framework tells what listens; a property that does nothing does not listen', () => {
  const go = () => 1;
  const node = button({
    __reactProps$1: { onClick: go, children: 'x', onDead: null },
    __e: { onInput: go },
    l: { clickfalse: go, keydowntrue: go },
    [Symbol('_vei')]: { onWheel: Object.assign(() => 0, { value: [go] }) },
    [Symbol('events')]: { focusin: go },
    $$pointerdown: go,
    $$pointerdownData: 1,
    onclick: () => {},
    onkeyup: go,
  });
  expect(listeningOn(node).map(({ attribute, via }) => `${via} ${attribute}`)).toEqual([
    'react onClick',
    'preact onInput',
    'preact onclick',
    'preact onkeydownCapture',
    'vue onWheel',
    'svelte onfocusin',
    'solid onpointerdown',
    'dom onkeyup',
  ]);
});

const resolved = (more: Partial<Resolved>): Resolved => ({
  file: 'src/A.tsx',
  line: 1,
  column: 1,
  component: null,
  package: null,
  exact: true,
  ...more,
});

test('a handler is followed through props and spreads to where it is written', async () => {
  const App = { type: function App() {}, _debugSource: { fileName: 'main', lineNumber: 1 } };
  const Card = {
    type: function Card() {},
    _debugOwner: App,
    _debugSource: { fileName: 'app', lineNumber: 2 },
  };
  const Button = {
    type: function Button() {},
    _debugOwner: Card,
    _debugSource: { fileName: 'card', lineNumber: 3 },
  };
  const node = button({
    __reactFiber$1: { _debugOwner: Button, _debugSource: { fileName: 'button', lineNumber: 4 } },
    __reactProps$1: { onClick: function save() {} },
  });
  const at = (file: string) => ({ name: '', file, line: 9, column: 9 });
  const answers: Record<string, Resolved> = {
    button: resolved({
      line: 4,
      component: 'Button',
      attributes: [{ attribute: '...', prop: '...', ...at('button') }],
    }),
    card: resolved({
      line: 3,
      component: 'Card',
      attributes: [{ attribute: 'onClick', prop: 'onSave', ...at('card') }],
    }),
    app: resolved({
      line: 2,
      component: 'App',
      attributes: [{ attribute: 'onSave', ...at('app'), name: 'save' }],
    }),
  };
  const resolve = async (places: (Place | null)[]) =>
    places.map((place) => answers[place?.file ?? ''] ?? null);
  const locate = createLocator(resolve);
  const explain = createExplainer(locate, [createHeld(resolve), createHandlers(resolve)]);
  expect((await explain(node)).handlers).toEqual([
    { event: 'click', name: 'save', file: 'app', line: 9, column: 9, via: 'react' },
  ]);
  answers.app = resolved({ line: 2, component: 'App', attributes: [] });
  expect((await explain(node)).handlers).toMatchObject([{ event: 'click', file: '', line: 0 }]);
  // Its own attribute, and after it all that it was given: that has none, unless a spread hides one.
  const own = { attribute: 'onClick', ...at('button'), line: 5, spread: true } as const;
  answers.button?.attributes?.unshift(own);
  answers.card = resolved({ line: 3, component: 'Card' });
  expect((await explain(node)).handlers).toMatchObject([{ file: 'button', line: 5 }]);
  answers.card = resolved({ line: 3, attributes: [{ attribute: '...', ...at('card') }] });
  expect((await explain(node)).handlers).toMatchObject([{ file: '', line: 0 }]);
});
