import type { Gate } from './gate';

export interface Shield {
  /** Lies over the page from now on, if it has to. */
  raise(always: boolean): void;
  lower(): void;
}

/** Frames, and what a press beside it closes, whoever stops the event. */
const COVERED =
  'iframe,frame,object,embed,[popover]:not([popover=manual]):popover-open,dialog[closedby=any][open]';

/**
 * An empty frame over the page: what happens in it, no listener of the page can see, not even one that was there before
 * ours. It ends the page's `:hover`, so it is only raised when such listeners are possible, over frames, whose events
 * never come to us, and over what closes when one presses beside it.
 */
export function createShield(root: ShadowRoot, gate: Gate, isFirst: boolean): Shield {
  let frame: HTMLIFrameElement | undefined;
  let hasFocus = false;

  return {
    raise(always) {
      if (!always && isFirst && !document.querySelector(COVERED)) return;
      frame = document.createElement('iframe');
      frame.className = 'shield';
      frame.tabIndex = -1;
      root.prepend(frame);
      const view = frame.contentWindow;
      if (!view) return;
      gate.join(view);
      view.document.documentElement.style.cssText =
        'height:100%;cursor:crosshair;touch-action:none;user-select:none';
      // With nothing focused there is nothing to lose; and the keys come to the shield as well.
      hasFocus = !isFirst && document.hasFocus() && document.activeElement === document.body;
      if (hasFocus) view.focus();
    },
    lower() {
      if (hasFocus) window.focus();
      hasFocus = false;
      frame?.remove();
    },
  };
}

/** True when no script of the page can have run, hence listened, before this one. */
export function isFirstScript(scripts: Iterable<HTMLScriptElement>, own: string): boolean {
  let reached = false;
  for (const { src, type, async, defer, textContent } of scripts) {
    const waits = !async && (type === 'module' || defer);
    // Data, and Vite's own client, which listens to no input.
    const isHarmless =
      !/^$|module|javascript/.test(type) || /\/@(vite|react-refresh)/.test(src + textContent);
    if (src === own) reached = true;
    else if (!isHarmless && !(reached && waits)) return false;
  }
  return reached;
}
