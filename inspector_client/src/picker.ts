import { type Aim, createAim } from './aim';
import { createState, type State } from './basics';
import { createDrag } from './drag';
import { parentOf } from './element/deep';
import { elementAt } from './element/hit';
import type { Gate } from './gate';
import type { Mode, Picked, PickedText } from './picking';
import { type Box, limits } from './protocol';
import type { Shield } from './shield';

/** What a pick is made of besides what lies under the pointer. */
export interface Pointing {
  /** Elements that the user has put together so far. */
  marked: State<Element[]>;
  /** Text of the page that was selected: Enter takes it. */
  text: State<PickedText | null>;
  /** Whether the page is to stand still. */
  frozen: State<boolean>;
  /** What else one can do now, in words. */
  hint: State<string>;
}

export const createPointing = (): Pointing => ({
  marked: createState<Element[]>([]),
  text: createState<PickedText | null>(null),
  frozen: createState(false),
  hint: createState(''),
});

interface PickerParts {
  gate: Gate;
  shield: Shield;
  host: Element;
  pointing: Pointing;
  /** What lies under the pointer, or was walked to; null: nothing, or picking ended. */
  hover(element: Element | null): void;
  /** The rectangle that is being drawn. */
  drag(box: Box): void;
}

type Reactions = Record<string, (event: never) => void>;
type End = (picked: Picked | null) => void;

/** Resolves with what the user picks, or null when he cancels or the signal does. `sole`: no more than was asked for. */
export type Pick = (mode: Mode, sole: boolean, signal: AbortSignal) => Promise<Picked | null>;

/** Takes all input until there is a pick, Esc or the signal's end. */
export function createPicker(parts: PickerParts): Pick {
  const { gate, shield, host, hover, pointing } = parts;
  const { marked, text, frozen } = pointing;

  return (mode, sole, signal) =>
    new Promise((resolve) => {
      const aim = createAim(host, hover);
      let isOver = false;
      function end(picked: Picked | null): void {
        if (isOver) return;
        isOver = true;
        release();
        shield.lower();
        aim.leave();
        marked.set([]);
        text.set(null);
        resolve(picked);
      }
      const react = mode === 'area' ? ofArea(end) : ofElements(aim, sole, end);
      const release = gate.take((event) => {
        const { type, key } = event as KeyboardEvent;
        if (type === 'keydown' && key === 'Escape') end(null);
        else if (type === 'keydown' && key === 'f') frozen.set(!frozen.value);
        else react[type]?.(event as never);
      });
      // A drag would select text and scroll touch screens.
      shield.raise(mode === 'area');
      signal.addEventListener('abort', () => end(null));
    });

  function ofArea(end: End): Reactions {
    const drag = createDrag();
    return {
      pointerdown(event: PointerEvent) {
        if (event.button === 0) drag.begin(event);
      },
      pointermove(event: PointerEvent) {
        const box = drag.to(event);
        if (box) parts.drag(box);
      },
      pointerup(event: PointerEvent) {
        const bounds = drag.to(event);
        drag.end();
        if (bounds) end({ mode: 'area', bounds });
      },
      pointercancel() {
        drag.end();
        hover(null);
      },
      wheel: scroll,
    };
  }
  function ofElements(aim: Aim, sole: boolean, end: End): Reactions {
    const drag = createDrag();

    function take(element: Element | null): void {
      const elements = [...new Set([...marked.value, ...(element ? [element] : [])])];
      const [first, second] = elements;
      if (second) end({ mode: 'elements', elements });
      else if (first) end({ mode: 'element', element: first });
    }
    function toggle(element: Element): void {
      const others = marked.value.filter((other) => other !== element);
      const isNew = others.length === marked.value.length;
      marked.set(isNew ? [...others, element].slice(0, limits.areaElements) : others);
    }
    function choose(element: Element, { shiftKey }: MouseEvent | KeyboardEvent): void {
      if (shiftKey && !sole) toggle(element);
      else take(element);
    }
    /** What was put together, or selected, is meant rather than what happens to lie under the pointer. */
    function enter(): void {
      const { element, isWalked } = aim;
      if (text.value && !isWalked && !marked.value[0]) end(text.value);
      else take(marked.value[0] ? null : element);
    }
    return {
      keydown(event: KeyboardEvent) {
        const { key, shiftKey } = event;
        if (/^Arrow/.test(key)) aim.walk(key);
        else if (key === 'Enter' && !shiftKey) enter();
        else if (/^(Enter| )$/.test(key) && shiftKey && aim.element) choose(aim.element, event);
      },
      pointerdown(event: PointerEvent) {
        // A finger comes from nowhere; a mouse that is dragged frames an area.
        if (event.pointerType === 'touch') aim.at(event);
        else if (!sole && event.button === 0) drag.begin(event);
      },
      pointermove(event: PointerEvent) {
        const box = drag.to(event);
        if (!box) return aim.follow(event);
        aim.leave();
        parts.drag(box);
      },
      // Not click: a disabled button has none.
      pointerup(event: PointerEvent) {
        if (event.button !== 0) return;
        const bounds = drag.to(event);
        drag.end();
        if (bounds) end({ mode: 'area', bounds });
        else choose(aim.at(event), event);
      },
      pointercancel: drag.end,
      wheel(event: WheelEvent) {
        if (event.altKey) aim.turn(event);
        else scroll(event);
      },
    };
  }
  /** The shield takes the wheel as well; what lies beneath scrolls all the same. */
  function scroll({ view, clientX, clientY, deltaX, deltaY }: WheelEvent): void {
    let at: Element | null = view === window ? null : elementAt(clientX, clientY, host);
    for (; at; at = parentOf(at)) {
      const { scrollLeft, scrollTop } = at;
      at.scrollBy(deltaX, deltaY);
      if (at.scrollLeft !== scrollLeft || at.scrollTop !== scrollTop) return;
    }
  }
}
