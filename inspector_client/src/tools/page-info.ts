import type { Tool } from '../calls';
import { readPageInfo } from '../connection/page-info';
import { selectorOf } from '../element/selector';
import type { Recorder } from '../recorder';
import { frameworkOf } from '../source';

export function createPageInfo(recorder: Recorder): Tool {
  return async () => ({
    ...readPageInfo(),
    readyState: document.readyState,
    framework: frameworkOf(document),
    scroll: {
      x: Math.round(scrollX),
      y: Math.round(scrollY),
      width: document.documentElement.scrollWidth,
      height: document.documentElement.scrollHeight,
    },
    activeElement: activeSelector(),
    errors: [...recorder.errors],
    console: [...recorder.console],
  });
}

function activeSelector(): string | null {
  const { activeElement } = document;
  const nothing = !activeElement || activeElement === document.body;
  return nothing || activeElement.localName === 'pageside-overlay'
    ? null
    : selectorOf(activeElement);
}
