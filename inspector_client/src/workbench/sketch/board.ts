import { attempt } from '../../basics';
import type { Box, Point, Sketch } from '../../protocol';
import { h, on, textButton } from '../../ui/dom';
import { createSegments } from '../segments';
import { sketchTexts, toolTexts } from '../texts';
import { shapeOf, type Tool, toWhole, withShape } from './geometry';
import type { SketchLayer } from './layer';

export interface Board {
  readonly elements: HTMLElement[];
  /** Draws over the page until the user is done: with the button or Esc, which keep what is drawn. */
  draw(anchor: () => Box, sketch: Sketch, done: (sketch: Sketch) => void): void;
  /** Ends it, if it is there. */
  end(): void;
}

/** What lies so far up would be under the bar. */
const BAR_PX = 90;
const NOTHING: Sketch = { shapes: [] };

/** The sheet of glass that is drawn on: while it is there, the page gets no pointer. */
export function createBoard(layer: SketchLayer): Board {
  let finish: (() => void) | undefined;
  let undo: () => void = () => undefined;
  let clear: () => void = () => undefined;
  const end = () => finish?.();
  const state = h('span', { class: 'muted', role: 'status' });
  const tools = createSegments<Tool>(sketchTexts.tools, toolTexts, 'arrow');
  const glass = h('div', { class: 'glass', hidden: true });
  const bar = on(
    h(
      'div',
      { class: 'drawing', role: 'group', 'aria-label': sketchTexts.sketch, hidden: true },
      tools.element,
      textButton(sketchTexts.undo, () => undo()),
      textButton(sketchTexts.clear, () => clear()),
      textButton(sketchTexts.done, end, 'primary'),
      state,
    ),
    { keydown: onKey },
  );

  function onKey(event: Event): void {
    const { key, ctrlKey, metaKey } = event as KeyboardEvent;
    const isUndo = (ctrlKey || metaKey) && key === 'z';
    if (key !== 'Escape' && !isUndo) return;
    event.preventDefault();
    if (isUndo) undo();
    else end();
  }

  return {
    elements: [glass, bar],
    end,
    draw(anchor, before, done) {
      end();
      let sketch = before;
      let path: Point[] | null = null;
      const drawn = layer.draw(anchor, sketch);
      const say = (text: string) => {
        state.textContent = text;
      };
      const keep = (next: Sketch) => {
        sketch = next;
        drawn.show(sketch);
        say('');
      };
      const pointOf = ({ clientX, clientY }: PointerEvent): Point => {
        const { x, y } = anchor();
        return [clientX - x, clientY - y];
      };
      const kind = () => tools.value ?? 'pen';
      const soFar = () => path && shapeOf(kind(), path);
      // Not made simple yet: that would take longer with every move.
      const draft = () =>
        path && kind() === 'pen' ? { kind: kind(), points: path.map(toWhole) } : soFar();
      function stop(): void {
        path = null;
        drawn.show(sketch);
      }
      on(glass, {
        pointerdown(event) {
          const { button, isPrimary, pointerId } = event as PointerEvent;
          if (button || !isPrimary) return;
          // So that a line that leaves the window comes back.
          attempt(() => glass.setPointerCapture(pointerId));
          path = [pointOf(event as PointerEvent)];
        },
        pointermove(event) {
          if (!path || !(event as PointerEvent).isPrimary) return;
          const all = (event as PointerEvent).getCoalescedEvents?.() ?? [];
          path.push(...(all.length > 0 ? all : [event as PointerEvent]).map(pointOf));
          const shape = draft();
          drawn.show({ shapes: [...sketch.shapes, ...(shape ? [shape] : [])] });
        },
        pointerup(event) {
          if (!(event as PointerEvent).isPrimary) return;
          path?.push(pointOf(event as PointerEvent));
          const shape = soFar();
          stop();
          if (!shape) return;
          const next = withShape(sketch, shape);
          if (next) keep(next);
          else say(sketchTexts.full);
        },
        pointercancel: stop,
      });
      undo = () => keep({ shapes: sketch.shapes.slice(0, -1) });
      clear = () => keep(NOTHING);
      finish = () => {
        finish = undefined;
        glass.hidden = bar.hidden = true;
        drawn.remove();
        done(sketch);
      };
      say(sketchTexts.hint);
      bar.classList.toggle('low', anchor().y < BAR_PX);
      glass.hidden = bar.hidden = false;
      bar.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
    },
  };
}
