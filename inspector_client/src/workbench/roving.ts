import { on } from '../ui/dom';

/** One stop of the Tab key for all buttons of a toolbar, also for those that come and go; the arrows go on from there. */
export function roving(bar: HTMLElement, leave: () => void): void {
  let stop: HTMLElement | undefined;
  const buttons = () =>
    [...bar.querySelectorAll('button')].filter((button) => button.getClientRects().length > 0);

  function settle(): void {
    const all = buttons();
    if (!all.some((button) => button === stop)) stop = all[0];
    for (const button of all) button.tabIndex = button === stop ? 0 : -1;
  }
  function onKey(event: Event): void {
    const { key } = event as KeyboardEvent;
    if (key === 'Escape') leave();
    const all = buttons();
    const at = all.indexOf(event.composedPath()[0] as HTMLButtonElement);
    const last = all.length - 1;
    const goals: Record<string, number> = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at > 0 ? at - 1 : last,
      Home: 0,
      End: last,
    };
    const goal = goals[key];
    if (goal === undefined || at < 0) return;
    event.preventDefault();
    stop = all[goal];
    settle();
    stop?.focus();
  }
  settle();
  const changes = { childList: true, subtree: true, attributeFilter: ['hidden'] };
  // A look at what can be seen lays out the page: not for a number that changes in a button.
  const isButton = ({ type, addedNodes, removedNodes }: MutationRecord) =>
    type === 'attributes' || [...addedNodes, ...removedNodes].some((node) => node.nodeType === 1);
  const observer = new MutationObserver((records) => {
    if (records.some(isButton)) settle();
  });
  observer.observe(bar, changes);
  on(bar, { keydown: onKey });
}
