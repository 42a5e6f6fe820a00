import type { Tool } from '@modelcontextprotocol/client';
import { createState, isRecord, type State } from '../../../src/basics';
import { h } from '../../../ui/dom';
import { segments } from '../../../ui/segments';
import { toolTexts as texts } from '../texts';
import type { Args } from './check';
import { createEditor } from './editor';
import { createForm } from './form';
import { argsText, parseArgs } from './json-text';
import { suggestionsFor } from './targets';

/** The arguments of one tool, as a form and as JSON, which always say the same. */
export interface Arguments {
  element: HTMLElement;
  readonly args: State<Args>;
  /** How many are wrong, which it shows; null: what stands there cannot be read at all. */
  review(): number | null;
  clear(): void;
}

type View = 'form' | 'json';

export function createArguments(tool: Tool, given: Args, run: () => void): Arguments {
  const args = createState<Args>(given);
  const form = createForm(tool.inputSchema, args, suggestionsFor);
  const formBox = h(
    'form',
    { class: 'form', novalidate: true, 'aria-label': texts.formOf(tool.name), onsubmit: submitted },
    form.element,
  );
  const editor = createEditor({ label: texts.editor, changed: edited, run });
  const said = h('p', { class: 'problem', role: 'alert' });
  const views = segments<View>(texts.view, { form: texts.form, json: texts.json }, 'form', show);
  let isTyping = false;

  function submitted(event: Event): void {
    event.preventDefault();
    run();
  }
  function edited(text: string): void {
    const parsed = parseArgs(text);
    complain('args' in parsed ? '' : `${parsed.problem} ${texts.wrongJson}`);
    if (!('args' in parsed)) return;
    isTyping = true;
    args.set(parsed.args);
    isTyping = false;
  }
  function complain(problem: string): void {
    if (said.textContent !== problem) said.textContent = problem;
    said.hidden = problem === '';
  }
  function show(view: View): void {
    views.set(view);
    formBox.hidden = view === 'json';
    editor.element.hidden = view === 'form';
  }

  args.watch((value) => {
    if (isTyping) return;
    editor.write(argsText(value));
    complain('');
  });
  show('form');
  return {
    args,
    element: h('div', 'arguments', views.element, formBox, editor.element, said),
    review() {
      const problems = form.complain();
      return said.hidden && !form.isUnreadable() ? problems.size : null;
    },
    clear: () => args.set({}),
  };
}

/** The chosen tab as an argument, where the tool takes one. */
export function aboutTab(tool: Tool, tabId: string): Args {
  const { properties } = tool.inputSchema;
  return tabId && isRecord(properties) && 'tabId' in properties ? { tabId } : {};
}
