/** Which `<label>` elements belong to a control, in document order. */
export type Labels = (control: Element) => readonly Element[];

const LABELABLE = new Set(['button', 'input', 'meter', 'output', 'progress', 'select', 'textarea']);
const NONE: readonly Element[] = [];

/** Looks through each tree once; `control.labels` would look through it for every control. */
export function createLabels(): Labels {
  const trees = new WeakMap<Node, Map<Element, Element[]>>();
  return (control) => {
    if (!LABELABLE.has(control.localName) && !control.localName.includes('-')) return NONE;
    const root = control.getRootNode() as ParentNode & Node;
    let found = trees.get(root);
    if (!found) {
      found = labelled(root);
      trees.set(root, found);
    }
    return found.get(control) ?? NONE;
  };
}

function labelled(root: ParentNode): Map<Element, Element[]> {
  const found = new Map<Element, Element[]>();
  for (const label of root.querySelectorAll('label')) {
    const { control } = label;
    if (control) found.set(control, [...(found.get(control) ?? []), label]);
  }
  return found;
}
