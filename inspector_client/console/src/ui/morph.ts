/** Makes `from` look like `to` by changing only what differs, so that focus, selection and scroll stay. */
export function morph(from: Element, to: Element): void {
  for (const { name } of [...from.attributes])
    if (!to.hasAttribute(name)) from.removeAttribute(name);
  for (const { name, value } of to.attributes)
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  const next = [...to.childNodes];
  for (const extra of [...from.childNodes].slice(next.length)) extra.remove();
  next.forEach((child, index) => {
    morphChild(from, from.childNodes[index], child);
  });
}

function morphChild(parent: Element, old: ChildNode | undefined, child: ChildNode): void {
  if (!old) parent.append(child);
  else if (old.nodeName !== child.nodeName) old.replaceWith(child);
  else if (old instanceof Element) morph(old, child as unknown as Element);
  else if (old.nodeValue !== child.nodeValue) old.nodeValue = child.nodeValue;
}
