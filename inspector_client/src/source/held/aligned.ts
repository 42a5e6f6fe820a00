import type { HookCall } from '../../protocol';

/** Whose a hook at run time is: its variable's name, or the hook of the project that it belongs to. */
export interface Known {
  name: string;
  inside?: string;
}

/**
 * What is certain of hooks as they ran, by the calls in the source. A hook of the project's own (`isOwn`) runs any
 * number of others, so names are matched from the front up to the first such, and from the back down to the last.
 */
export function aligned(
  ran: string[],
  written: HookCall[],
  isOwn: (hook: string) => boolean,
  fits: (ran: string, written: string) => boolean,
): Known[] {
  const none = ran.map(() => ({ name: '' }));
  const first = written.findIndex(({ hook }) => isOwn(hook));
  const last = written.findLastIndex(({ hook }) => isOwn(hook));
  const front = first < 0 ? written : written.slice(0, first);
  const back = first < 0 ? [] : written.slice(last + 1);
  const between = ran.length - front.length - back.length;
  if (first < 0 ? between !== 0 : between < 0) return none;
  const backAt = ran.length - back.length;
  const isSame =
    front.every(({ hook }, index) => fits(ran[index] ?? '', hook)) &&
    back.every(({ hook }, index) => fits(ran[backAt + index] ?? '', hook));
  if (!isSame) return none;
  const inside = first === last ? written[first]?.hook : undefined;
  const middle = Array.from({ length: between }, () => ({ name: '', ...(inside && { inside }) }));
  const names = (calls: HookCall[]) => calls.map(({ name }) => ({ name }));
  return [...names(front), ...middle, ...names(back)];
}
