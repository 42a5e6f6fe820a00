import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { linter, lintGutter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { h } from '../../../ui/dom';
import { parseArgs } from './json-text';

export interface Editor {
  element: HTMLElement;
  /** Shows another text; nothing is told of that. */
  write(text: string): void;
  focus(): void;
}

export interface EditorOptions {
  label: string;
  changed(text: string): void;
  run(): void;
}

const LINT_DELAY_MS = 250;

const look = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--field)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'ui-monospace, monospace', lineHeight: '1.5', maxHeight: '50vh' },
  '.cm-content': { caretColor: 'var(--text)', minHeight: '12em' },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--muted)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--tint) !important' },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--value)' },
]);

const lint = linter(
  (view) => {
    const text = view.state.doc.toString();
    const parsed = parseArgs(text);
    if ('args' in parsed) return [];
    const from = Math.min(parsed.offset, Math.max(0, text.length - 1));
    const to = Math.min(from + 1, text.length);
    return [{ from, to, severity: 'error', message: parsed.problem }];
  },
  { delay: LINT_DELAY_MS },
);

/** A JSON editor in a shadow root: so its styles are adopted sheets, which a strict CSP lets be. */
export function createEditor({ label, changed, run }: EditorOptions): Editor {
  const element = h('div', 'editor');
  const root = element.attachShadow({ mode: 'open' });
  let isWriting = false;
  const keys = keymap.of([
    {
      key: 'Mod-Enter',
      run() {
        run();
        return true;
      },
    },
    ...historyKeymap,
    ...defaultKeymap,
  ]);
  const view = new EditorView({
    ...{ root, parent: root },
    state: EditorState.create({
      extensions: [
        ...[keys, lineNumbers(), lintGutter(), history(), indentOnInput(), bracketMatching()],
        ...[json(), lint, look, syntaxHighlighting(colours), EditorView.lineWrapping],
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isWriting) changed(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    element,
    write(text) {
      const { doc } = view.state;
      if (doc.toString() === text) return;
      isWriting = true;
      view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
      isWriting = false;
    },
    focus: () => view.focus(),
  };
}
