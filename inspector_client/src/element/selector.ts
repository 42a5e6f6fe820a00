import { getCssSelector } from 'css-selector-generator';
import { attempt } from '../basics';
import { hostOf, PIERCE } from './deep';

/** A unique selector, shadow roots and frames joined by ' >>> '. */
export function selectorOf(element: Element): string {
  const root = element.getRootNode();
  const host = hostOf(root);
  const own = selectorWithin(element, root as Document | ShadowRoot);
  return host ? selectorOf(host) + PIERCE + own : own;
}

function selectorWithin(element: Element, root: Document | ShadowRoot): string {
  if (element === element.ownerDocument.documentElement) return 'html';
  const isUnique = (selector: string) =>
    attempt(() => root.querySelectorAll(selector).length === 1, false);
  const id = element.id && `#${CSS.escape(element.id)}`;
  if (id && isUnique(id)) return id;
  const short = attempt(
    () =>
      getCssSelector(element, {
        root,
        selectors: ['id', 'class', 'tag', 'attribute', 'nthchild'],
        whitelist: ['[data-testid=*', '[name=*', '[aria-label=*'],
        blacklist: ['[style*', '[class*', '[value*'],
        ignoreGeneratedClassNames: true,
        maxCombinations: 60,
        maxCandidates: 60,
      }),
    '',
  );
  return short && isUnique(short) ? short : pathTo(element);
}

/** The plain way down from the root; always right, seldom short. */
function pathTo(element: Element): string {
  const parts: string[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) {
    const siblings = at.parentElement?.children ?? at.parentNode?.children;
    const index = siblings ? [...siblings].indexOf(at) + 1 : 0;
    parts.unshift(
      index > 0 && at.localName !== 'html'
        ? `${CSS.escape(at.localName)}:nth-child(${index})`
        : CSS.escape(at.localName),
    );
  }
  return parts.join(' > ');
}
