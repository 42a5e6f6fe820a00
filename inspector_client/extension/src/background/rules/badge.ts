// What the toolbar's button shows of a tab.
import type { TabNow } from '../../shared/messages';

export interface Badge {
  text: string;
  colour: string;
  title: string;
}

const GREEN = '#1a7f37';
const BLUE = '#1f6feb';
const AMBER = '#9a6700';
const NAME = 'Pageside';

type Shown = Pick<
  TabNow,
  'connection' | 'running' | 'scriptWanted' | 'scriptsAllowed' | 'retryAt' | 'problem'
>;

export function badgeOf(state: Shown): Badge {
  if (state.connection === 'executing' && state.running) {
    const what = state.running.command.replace('kapturemcp_', '');
    const who = state.running.by === 'user' ? 'you asked for' : 'an agent asked for';
    return { text: '…', colour: BLUE, title: `${NAME}: ${who} ${what}` };
  }
  if (state.connection === 'connected' || state.connection === 'executing') {
    if (state.scriptWanted && !state.scriptsAllowed)
      return {
        text: '!',
        colour: AMBER,
        title: `${NAME}: an agent wants to run a script in this tab`,
      };
    return { text: 'on', colour: GREEN, title: `${NAME}: agents can use this tab` };
  }
  if (state.retryAt !== null)
    return {
      text: '!',
      colour: AMBER,
      title: `${NAME}: ${state.problem?.message ?? 'not connected'}`,
    };
  return {
    text: '',
    colour: GREEN,
    title: state.problem ? `${NAME}: ${state.problem.message}` : NAME,
  };
}
