import { attempt } from '../basics';
import {
  type Box,
  type Intent,
  intents,
  type Remarks,
  type Severity,
  type Sketch,
  workbenchKeys,
} from '../protocol';
import { h, iconButton } from '../ui/dom';
import type { RemarksField } from '../workbench';
import { createSegments } from './segments';
import type { Board } from './sketch/board';
import type { SketchLayer } from './sketch/layer';
import { intentTexts, severityTexts, sketchTexts, workbenchTexts } from './texts';

export interface WordsField {
  readonly element: HTMLElement;
  readonly value: Pick<Remarks, 'intent' | 'severity'>;
  /** The user has chosen otherwise. */
  readonly isChanged: boolean;
}

const NORMAL: Severity = 'normal';

/** What is wanted, and how much it matters: what `kept` says, and nothing where that says nothing. */
export function createWords(
  kept: Remarks,
  session: () => Storage | undefined = () => undefined,
): WordsField {
  const remember = (intent: Intent) =>
    attempt(() => session()?.setItem(workbenchKeys.intent, intent));
  const { intent: what, severity: weight } = workbenchTexts;
  const intent = createSegments<Intent>(what, intentTexts, kept.intent, remember);
  const before = kept.severity ?? NORMAL;
  const severity = createSegments<Severity>(weight, severityTexts, before);
  return {
    element: h('div', 'row words', intent.element, severity.element),
    get isChanged() {
      return intent.value !== kept.intent || severity.value !== before;
    },
    get value() {
      const said = severity.value;
      return {
        ...(intent.value && { intent: intent.value }),
        // Not worth a word, unless it was another one before.
        ...((said !== NORMAL || kept.severity) && { severity: said }),
      };
    },
  };
}

const PENCIL = 'M3 17l1-4L14 3l3 3L7 16zM12 5l3 3';

/** All that a new note says besides its text: the words, and a sketch. */
export function createRemarks(
  kept: Remarks,
  anchor: () => Box,
  session: () => Storage,
  board: Board,
  layer: SketchLayer,
): RemarksField {
  const words = createWords({ intent: lastIntent(session), ...kept }, session);
  const button = iconButton(sketchTexts.start, PENCIL, draw, 'small sketching');
  const shown = layer.draw(anchor, { shapes: [] });
  let sketch: Sketch = kept.sketch ?? { shapes: [] };

  function show(): void {
    const { length } = sketch.shapes;
    shown.show(sketch);
    button.ariaPressed = String(length > 0);
    button.ariaLabel = button.title = length ? sketchTexts.shapes(length) : sketchTexts.start;
  }
  function draw(): void {
    // It must not lie over what is drawn on; but it is not closed.
    const dialog = words.element.closest<HTMLElement>('[role=dialog]');
    if (dialog) dialog.style.visibility = 'hidden';
    shown.show({ shapes: [] });
    board.draw(anchor, sketch, (drawn) => {
      sketch = drawn;
      show();
      if (!dialog) return;
      dialog.style.visibility = '';
      dialog.querySelector('textarea')?.focus({ preventScroll: true });
    });
  }
  words.element.append(button);
  show();
  return {
    element: words.element,
    get value() {
      return { ...words.value, ...(sketch.shapes.length > 0 && { sketch }) };
    },
    end() {
      board.end();
      shown.remove();
    },
  };
}

/** The intent that the last note of this tab had. */
function lastIntent(session: () => Storage): Intent {
  const kept = attempt(() => session().getItem(workbenchKeys.intent));
  return (intents as Intent[]).find((intent) => intent === kept) ?? 'change';
}
