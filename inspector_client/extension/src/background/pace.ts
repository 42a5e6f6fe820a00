/** Calls `work` soon, then at most once in so many ms however often it is asked for. */
export function paced(ms: number, work: () => void): () => void {
  let isWaiting = false;
  let isAsked = false;
  const run = () => {
    isWaiting = isAsked;
    if (!isAsked) return;
    isAsked = false;
    setTimeout(run, ms);
    work();
  };
  return () => {
    isAsked = true;
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(run, 0);
  };
}
