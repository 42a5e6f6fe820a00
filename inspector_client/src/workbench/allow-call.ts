import type { Tool } from '../calls';
import { h, textButton } from '../ui/dom';
import { createRequestCard } from './request-card';
import type { Requests } from './requests';
import { activityTexts } from './texts';

interface AllowArgs {
  agent?: string;
  tool?: string;
  /** The script, the URL, or what else it is about, as plain text. */
  what?: string;
  /** Where a script would run, if that is no dev server of the project. */
  origin?: string;
  /** It is not about this page. */
  elsewhere?: boolean;
  /** Whether it may be allowed once for all. */
  always?: boolean;
}

type Said = 'once' | 'always';

/** Asks the user whether an agent's call may run. */
export function createAllowCall(requests: Requests): Tool {
  return async (args: AllowArgs, signal) => {
    const { agent, tool = '', what = '', origin, elsewhere, always } = args;
    const where = origin ? activityTexts.foreign(origin) : elsewhere && activityTexts.elsewhere;
    const card = createRequestCard<Said>({
      agent,
      title: activityTexts.mayRun(tool),
      decline: activityTexts.deny,
      content(answer) {
        const button = (said: Said, name = '') =>
          textButton(activityTexts[said], () => answer(said), name);
        const shown = h('pre', { class: 'message what', tabindex: 0 }, what);
        const place = h('p', 'notice', where || '');
        place.hidden = !where;
        shown.hidden = !what;
        shown.ariaLabel = activityTexts.what;
        return {
          body: [place, shown],
          actions: [...(always ? [button('always')] : []), button('once', 'primary')],
        };
      },
    });
    return { answer: (await requests.show(card, signal)) ?? 'deny' };
  };
}
