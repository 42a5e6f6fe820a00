import { attempt } from '../basics';
import { hostOf, PIERCE } from './deep';

/** A unique selector, shadow roots and frames joined by ' >>> '. */
export function selectorOf(element: Element): string {
  const root = element.getRootNode() as Document | ShadowRoot;
  const host = hostOf(root);
  const own = selectorWithin(element, root);
  return host ? selectorOf(host) + PIERCE + own : own;
}

/** Names that the page's author gave, most telling first. */
const NAMES = ['data-testid', 'data-test', 'name', 'aria-label', 'alt', 'title'];
/** Made by a tool, so another one after the next build: css-1x2y3z, Button_root__3kD9f, sc-bdfBwQ, :r1:. */
const GENERATED = /\d{3}|[_-](?=\w*\d)[\w]{5,}$|^(css|sc|jsx|svelte)-|:/;

function selectorWithin(element: Element, root: Document | ShadowRoot): string {
  const isUnique = (selector: string) =>
    attempt(() => root.querySelectorAll(selector).length, 0) === 1;
  let below = '';
  for (let at: Element | null = element; at; at = at.parentElement) {
    const candidates = candidatesFor(at).map((own) => own + below);
    const unique = candidates.find(isUnique);
    if (unique) return unique;
    below = ` > ${positioned(at)}${below}`;
  }
  return below.slice(3);
}

/** Selectors for one element, the most stable and shortest first. */
function candidatesFor(element: Element): string[] {
  const tag = CSS.escape(element.localName);
  const id = element.id && !GENERATED.test(element.id) ? [`#${CSS.escape(element.id)}`] : [];
  const named = NAMES.filter((name) => element.getAttribute(name)).map(
    (name) => `${tag}[${name}=${JSON.stringify(element.getAttribute(name))}]`,
  );
  const classes = [...element.classList]
    .filter((name) => !GENERATED.test(name))
    .map((name) => `.${CSS.escape(name)}`);
  return [
    ...id,
    ...named,
    ...classes,
    tag,
    ...classes.map((name) => tag + name),
    tag + classes.slice(0, 3).join(''),
    positioned(element),
  ];
}

function positioned(element: Element): string {
  const tag = CSS.escape(element.localName);
  const alike = [...(element.parentNode?.children ?? [])].filter(
    (sibling) => sibling.localName === element.localName,
  );
  return alike.length > 1 ? `${tag}:nth-of-type(${alike.indexOf(element) + 1})` : tag;
}
