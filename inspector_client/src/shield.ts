import type { Gate } from './gate';

export interface Shield {
  /** Lies over the page from now on, if it has to. */
  raise(always: boolean): void;
  lower(): void;
}

/**
 * An empty frame over the page: what happens in it, no listener of the page can see, not even one that was there before
 * ours. It ends the page's `:hover`, so it is only raised when such listeners are possible, or over frames, whose events
 * never come to us.
 */
export function createShield(root: ShadowRoot, gate: Gate, scriptIsFirst: boolean): Shield {
  let frame: HTMLIFrameElement | null = null;
  let hadFocus = false;

  return {
    raise(always) {
      const needed =
        always || !scriptIsFirst || document.querySelector('iframe, frame, object, embed');
      if (frame || !needed) return;
      frame = document.createElement('iframe');
      frame.className = 'shield';
      frame.tabIndex = -1;
      frame.ariaHidden = 'true';
      root.prepend(frame);
      const view = frame.contentWindow;
      if (!view) return;
      gate.join(view);
      view.document.documentElement.style.cssText =
        'height:100%;cursor:crosshair;touch-action:none';
      // With nothing focused there is nothing to lose, and the keys come to the shield as well.
      hadFocus = document.activeElement === document.body && document.hasFocus() && !scriptIsFirst;
      if (hadFocus) view.focus();
    },
    lower() {
      if (hadFocus) window.focus();
      hadFocus = false;
      frame?.remove();
      frame = null;
    },
  };
}

/** True when no script of the page can have run, hence listened, before this one. */
export function isFirstScript(scripts: Iterable<HTMLScriptElement>, own: string): boolean {
  let reached = false;
  for (const script of scripts) {
    if (script.src === own) reached = true;
    else if (!isHarmless(script) && (!reached || runsEarly(script))) return false;
  }
  return reached;
}

/** Data, and Vite's own client, which listens to no input. */
function isHarmless(script: HTMLScriptElement): boolean {
  const { type, src, textContent } = script;
  if (type && type !== 'module' && !/javascript$/.test(type)) return true;
  return /\/@(vite|react-refresh)/.test(src || (textContent ?? ''));
}

/** Scripts further down that do not wait for modules. */
function runsEarly(script: HTMLScriptElement): boolean {
  return script.async || (script.type !== 'module' && !script.defer);
}
