import { keyed } from '../react';

/** A function that a framework calls when an event reaches an element. */
export interface Listening {
  /** As the framework has it: `onClick`. */
  attribute: string;
  /** What the function is called; '' if nothing. */
  name: string;
  via: string;
}

/** What the frameworks, and the element's own properties, tell of an element. */
export function listeningOn(element: Element): Listening[] {
  return [
    ...ofRecord(keyed(element, '__reactProps$'), 'react', /^on[A-Z]/),
    // Preact 11; before it, the names ended in whether they capture.
    ...ofRecord(Reflect.get(element, '__e'), 'preact', /^on/),
    ...ofRecord(Reflect.get(element, 'l'), 'preact', /^\w+(true|false)$/, (name) =>
      name.replace(/^(\w+?)(true|false)$/, (_, event, captures) =>
        captures === 'true' ? `on${event}Capture` : `on${event}`,
      ),
    ),
    ...ofRecord(symbolic(element, '_vei'), 'vue', /^on/),
    ...ofRecord(symbolic(element, 'events'), 'svelte', /./, (name) => `on${name}`),
    ...ofRecord(element, 'solid', /^\$\$(?!.*Data$)/, (name) => `on${name.slice(2)}`),
    ...ofProperties(element),
  ];
}

function ofRecord(
  value: unknown,
  via: string,
  isEvent: RegExp,
  attributeOf = (name: string) => name,
): Listening[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value)
    .filter((name) => isEvent.test(name))
    .flatMap((name) => {
      const called = functionsOf(Reflect.get(value, name));
      return called.map((each) => ({ attribute: attributeOf(name), name: each.name, via }));
    });
}

/** Vue's invokers keep theirs in `value`, Svelte's and Solid's come with arguments in a list. */
function functionsOf(held: unknown): { name: string }[] {
  if (Array.isArray(held)) return held.filter((each) => typeof each === 'function');
  if (typeof held !== 'function') return [];
  const inner: unknown = Object.getOwnPropertyDescriptor(held, 'value')?.value;
  return inner === undefined ? [held] : functionsOf(inner);
}

/** `element.onclick = …` and `<p onclick="…">`. */
function ofProperties(element: Element): Listening[] {
  const names = new Set<string>();
  for (const { name } of element.attributes) if (name.startsWith('on')) names.add(name);
  for (const name of HANDLER_PROPERTIES) if (name in element) names.add(name);
  return [...names].flatMap((attribute) => {
    const held: unknown = Reflect.get(element, attribute);
    return typeof held === 'function' && !DOES_NOTHING.test(Function.prototype.toString.call(held))
      ? [{ attribute, name: held.name, via: 'dom' }]
      : [];
  });
}

/** React sets such a one, so that Safari on phones sends clicks at all. */
const DOES_NOTHING = /\{\s*\}$/;
const HANDLER_PROPERTIES =
  'onclick ondblclick onchange oninput onsubmit onreset onkeydown onkeyup onfocus onblur onmousedown onmouseup onmouseover onmouseout onmousemove onmouseenter onmouseleave onpointerdown onpointerup onpointermove ontouchstart ontouchend onwheel onscroll oncontextmenu ondragstart ondragover ondrop onpaste oncopy ontoggle oninvalid onload onerror'.split(
    ' ',
  );

function symbolic(element: Element, description: string): unknown {
  const key = Object.getOwnPropertySymbols(element).find(
    (symbol) => symbol.description === description,
  );
  return key && Reflect.get(element, key);
}

/** `click` for `onClick`, `@click.prevent`, `on:click|once`, `v-on:click`; captured or not. */
export function eventOf(attribute: string): string {
  const event = attribute
    .replace(/^(@|v-on:|on:|oncapture:|on)/, '')
    .replace(/[.|].*$/, '')
    .toLowerCase();
  const plain = /^(got|lost)pointercapture$/.test(event)
    ? event
    : event.replace(/(once|passive|capture)+$/, '');
  return plain === 'doubleclick' ? 'dblclick' : plain;
}
