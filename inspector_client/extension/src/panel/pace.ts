const LEAST_GAP_MS = 250;

/** Does something when asked, at most four times a second; the last asking is never lost. */
export function createPace(act: () => void) {
  let timer = 0;
  let isAsked = false;

  function rest(): void {
    timer = 0;
    if (isAsked) ask();
  }
  function ask(): void {
    isAsked = timer > 0;
    if (isAsked) return;
    timer = window.setTimeout(rest, LEAST_GAP_MS);
    act();
  }
  return { ask };
}
