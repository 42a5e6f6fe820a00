// The ten commands.
import { TABS } from '../../shared/contract';
import { CommandError } from '../rules/failure';
import { checked, type Name, type Params } from '../rules/params';
import type { Ring } from '../rules/ring';
import { createActs } from './act';
import type { Call } from './calls';
import { screenshot } from './capture';
import { go, navigate } from './navigation';
import type { Page } from './page';
import { evaluate } from './script';

export interface Context {
  page: Page;
  call: Call;
  ring: Ring;
  mayRunScripts: boolean;
  /** An agent wanted to run a script, and was refused. */
  wantsScript(): void;
  keepSecret(value: string): void;
}

/** Before the queue gives it up. */
const GO_MS = TABS.commandMs - 1000;

type Doing = { [C in Name]: (context: Context, params: Params[C]) => unknown };

const acts = ({ page, call, keepSecret }: Context) => createActs(page, call, keepSecret);

const DOING: Doing = {
  kapturemcp_navigate: ({ page, call }, params) => navigate(page, call, params),
  kapturemcp_go_back: ({ page, call }) => go(page, call, -1, GO_MS),
  kapturemcp_go_forward: ({ page, call }) => go(page, call, 1, GO_MS),
  kapturemcp_screenshot: ({ page, call }, params) => screenshot(page, call, params),
  kapturemcp_click: (context, { selector }) => acts(context).click(selector),
  kapturemcp_hover: (context, { selector }) => acts(context).hover(selector),
  kapturemcp_fill: (context, { selector, value }) => acts(context).fill(selector, value),
  kapturemcp_select: (context, { selector, value }) => acts(context).select(selector, value),
  async kapturemcp_evaluate({ page, call, mayRunScripts, wantsScript }, { code }) {
    if (!mayRunScripts) {
      wantsScript();
      throw new CommandError(
        'SCRIPT_NOT_ALLOWED',
        'The user has not allowed agents to run scripts in this tab: Pageside’s panel and popup have a switch for it.',
      );
    }
    return { result: await evaluate(page, call, code) };
  },
  kapturemcp_logs({ ring }, { max }) {
    const logs = ring.newest(max).map(({ timestamp, level, message }) => ({
      timestamp: new Date(timestamp).toISOString(),
      level,
      message,
    }));
    return { logs, ...(ring.dropped ? { dropped: ring.dropped } : {}) };
  },
};

/** Does it; throws what went wrong, and INVALID_ARGUMENTS for what it was given. */
export async function perform(
  command: Name,
  given: Record<string, unknown>,
  context: Context,
): Promise<unknown> {
  const doing = DOING[command] as (context: Context, params: unknown) => unknown;
  return doing(context, checked(command, given));
}
