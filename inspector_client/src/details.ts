import { createLazy, type Lazy } from './lazy';
import type { ElementContext, SourceLocation } from './protocol';
import type { textButton } from './ui/dom';

/** What a look into an element finds out. Loaded with the first such look: most pages never need it. */
export interface Details {
  /** The name of the component that created the element, as far as the page knows at once; else ''. */
  ownerOf(element: Element): string;
  /** Where the element is written. */
  locate(element: Element): Promise<SourceLocation>;
  /** The same, and what its component holds, what handles its events, and who else uses that place. */
  explain(element: Element): Promise<SourceLocation>;
  /** The framework that rendered the page, as far as a look at its first elements tells; else 'none'. */
  frameworkOf(document: Document): string;
  /** Finds an inspection's element again: the page tool `find_element`. */
  find(args: Record<string, unknown>): Promise<object>;
  /** What the overlay shows of how far a change of it reaches. */
  reach(context: ElementContext, button: typeof textButton): Node[];
}

export interface DetailsLoader extends Lazy<Details> {
  locate: Details['locate'];
  explain: Details['explain'];
  frameworkOf(document: Document): Promise<string>;
}

/** As long as nothing is known of an element's source. */
export const unknownPlace = (): SourceLocation => ({
  file: '',
  component: '',
  line: 0,
  column: 0,
  exact: false,
  reason: 'The dev server did not give what finds sources.',
  stack: [],
  framework: 'none',
});

export function createDetailsLoader(load: () => Promise<Details>): DetailsLoader {
  const { get, ...lazy } = createLazy(load);
  const ask =
    (name: 'locate' | 'explain') =>
    (element: Element): Promise<SourceLocation> =>
      get().then((details) => details[name](element), unknownPlace);
  return {
    ...lazy,
    get,
    locate: ask('locate'),
    explain: ask('explain'),
    frameworkOf: (document) =>
      get().then(
        (details) => details.frameworkOf(document),
        () => 'none',
      ),
  };
}
