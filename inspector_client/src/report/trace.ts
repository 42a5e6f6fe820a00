import type { Happening, Reports } from '../reports';
import { firstOwnFrame } from '../source/frames';
import type { Resolve } from '../source/resolver';

/** Adds to what was told where in the project its stack begins, if the dev server says so before it is sent. */
export type Trace = (happening: Happening, stack: string | undefined) => void;

export function createTrace(resolve: Resolve, hold: Reports['hold']): Trace {
  return (happening, stack = '') => {
    // Packages are left out here: to read their source maps takes longer than there is time.
    const own = stack.split('\n').filter((line) => !line.includes('/node_modules/'));
    const frame = firstOwnFrame(own.join('\n'));
    if (!frame) return;
    const traced = resolve([{ frame, tag: '', via: 'stack' }]).then(
      ([place]) => {
        if (!place?.file || place.package) return;
        const { file, line, column } = place;
        Object.assign(happening, { file, line, column });
      },
      // Without the dev server it is told as it stands.
      () => undefined,
    );
    hold(traced);
  };
}
