const template = document.querySelector<HTMLTemplateElement>('#item');

/** What to bring; an empty list tells so. */
export function renderChecklist(things: string[]) {
  const list = document.querySelector('#checklist');
  for (const thing of things) {
    const item = template?.content.cloneNode(true) as DocumentFragment;
    const what = item.querySelector('.what');
    if (what) what.textContent = thing;
    list?.append(item);
  }
  const note = document.createElement('p');
  note.className = 'count';
  note.textContent = `${things.length} things, two hands`;
  list?.after(note);
  list?.after(create('hr', 'divider'));
}

function create(tag: string, className: string) {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}
