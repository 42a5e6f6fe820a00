import { durationText } from '../../ui/words';
import type { AgentCall } from '../protocol';
import { h } from '../ui/dom';
import { activityTexts, agoText, outcomeText } from './texts';

export interface CallRow {
  readonly element: HTMLElement;
  show(call: AgentCall): void;
}

/** One call of an agent: tool, how long, what about, by whom, how it ended. */
export function createCallRow(): CallRow {
  const tool = h('b', 'grow');
  const took = h('span', 'muted');
  const about = h('div', 'code');
  const foot = h('div', 'muted');
  const element = h('li', 'item call', h('div', 'row', tool, took), about, foot);
  return {
    element,
    show(call) {
      const { outcome } = call;
      element.className = `item call ${statusOf(outcome)}`;
      tool.textContent = call.tool;
      took.textContent = outcome ? durationText(call.tookMs ?? 0) : runningFor(call);
      about.textContent = call.about;
      about.hidden = !call.about;
      foot.textContent = `${call.agent} · ${agoText(call.at)}${outcomeText(outcome)}`;
    },
  };
}

function runningFor({ at }: AgentCall): string {
  return activityTexts.runningFor(Math.max(0, Math.round((Date.now() - at) / 1000)));
}

function statusOf(outcome: string | undefined): string {
  if (!outcome) return 'in-progress';
  return outcome === 'ok' ? 'completed' : 'failed';
}
