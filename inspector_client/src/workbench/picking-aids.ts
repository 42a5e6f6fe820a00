import { boxOf } from '../element/deep';
import type { Box } from '../protocol';
import { h } from '../ui/dom';
import type { WorkbenchParts } from '../workbench';
import { createAnatomy } from './anatomy';
import { createFreeze } from './freeze';
import { createOutlines } from './outlines';
import { boxesOf, selectedRange, textOf } from './quote';
import { pickingTexts } from './texts';
import { createTip } from './tip';

/** A page that is held for so long may lose its connections. */
const FROZEN_MS = 120_000;

type Parts = Pick<WorkbenchParts, 'picking' | 'pointing' | 'settings' | 'clock' | 'highlight'>;

/** What makes picking comfortable. Returns what is to be seen of it, the tip last. */
export function createPickingAids(parts: Parts): HTMLElement[] {
  const { picking, pointing, settings, clock, highlight } = parts;
  const { marked, text, frozen, hint } = pointing;
  const chosen = createOutlines();
  const quoted = createOutlines();
  const freeze = createFreeze(clock);
  let thaw: ReturnType<typeof setTimeout> | undefined;
  let isFrozen = false;

  marked.watch((elements) => {
    // What is gone is not picked.
    chosen.show(() => elements.filter((element) => element.isConnected).map(boxOf), true);
    say();
  });
  frozen.watch((isWanted) => {
    if (isWanted === isFrozen) return;
    isFrozen = isWanted;
    clearTimeout(thaw);
    if (isWanted) {
      freeze.start();
      thaw = setTimeout(() => frozen.set(false), FROZEN_MS);
    } else freeze.end();
    say();
  });
  picking.turn.watch((turn) => {
    const isUsers = turn.who === 'user' && !turn.writing;
    frozen.set(isUsers && settings.value.freeze);
    const range = isUsers && turn.mode === 'element' ? selectedRange() : null;
    text.set(range && textOf(range));
    quoted.show(() => (text.value && range ? linesOf(range) : []), false);
    say();
  });
  /** As long as Enter takes the text. */
  function linesOf(range: Range): Box[] {
    return marked.value[0] ? [] : boxesOf(range).slice(1);
  }
  function say(): void {
    const turn = picking.turn.value;
    const { walk, more, text: takesText, marked: takes, frozen: stands, moves } = pickingTexts;
    const { length } = marked.value;
    const isElement = turn.who !== 'nobody' && turn.mode === 'element';
    const next = length ? takes(length) : text.value ? takesText : more;
    const time = frozen.value ? stands : moves;
    hint.set(
      [isElement && walk, isElement && turn.who === 'user' && next, time]
        .filter(Boolean)
        .join(' · '),
    );
  }
  const boxes = h('div', {}, createAnatomy(highlight), quoted.element, chosen.element);
  return [boxes, createTip(highlight)];
}
