const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** What the parts in this folder say. */
export const words = {
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Not copied: the browser does not allow it here',
  more: (count: number) => `Show ${count} more`,
  all: (count: number) => `Show all ${count} characters`,
  items: (count: number) => (count === 1 ? '1 item' : `${count} items`),
  fields: (count: number) => (count === 1 ? '1 field' : `${count} fields`),
};

/** '12 ms', '1.2 s', '2 min 5 s'. */
export function durationText(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole < SECOND_MS) return `${whole} ms`;
  if (whole < MINUTE_MS) return `${(Math.floor(whole / 100) / 10).toFixed(1)} s`;
  return `${Math.floor(whole / MINUTE_MS)} min ${Math.floor((whole % MINUTE_MS) / SECOND_MS)} s`;
}
