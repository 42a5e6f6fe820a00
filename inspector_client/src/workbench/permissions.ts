import { actingGroups, type Decision } from '../protocol';
import { h, iconButton, icons, on } from '../ui/dom';
import type { AgentLog } from './agent-log';
import type { Brakes } from './brakes';
import { activityTexts, decisionTexts, groupTexts } from './texts';

const DECISIONS = Object.keys(decisionTexts) as Decision[];

/** What agents' tools may do in this project: groups, and the tools that the user decided of alone. */
export function createPermissions(log: AgentLog, brakes: Brakes): HTMLElement {
  const list = h('div', 'permissions');
  const rows = new Map<string, HTMLSelectElement>();
  const element = h('details', {}, h('summary', {}, activityTexts.permissions), list);

  let unsettled = 0;

  async function decide(name: string, word: Decision | null): Promise<void> {
    unsettled++;
    list.ariaBusy = 'true';
    await brakes.set({ policy: { [name]: word } });
    unsettled--;
    if (unsettled > 0) return;
    list.ariaBusy = null;
    draw();
  }
  function row(name: string): HTMLElement {
    const own = DECISIONS.map((word) => h('option', { value: word }, decisionTexts[word]));
    const group = name in groupTexts;
    const choice = on(h('select', { 'aria-label': labelOf(name) }, ...own), {
      input: () => void decide(name, choice.value as Decision),
    });
    rows.set(name, choice);
    const back = () => void decide(name, null);
    const forget = iconButton(activityTexts.asItsGroup(name), icons.close, back);
    return h('div', 'row', h('span', 'grow', labelOf(name)), choice, ...(group ? [] : [forget]));
  }
  function draw(): void {
    const { policy } = log.brakes.value;
    const tools = Object.keys(policy).filter((name) => !(name in groupTexts));
    const names = [...Object.keys(groupTexts), ...tools.sort()];
    if (names.join() !== [...rows.keys()].join()) {
      rows.clear();
      list.replaceChildren(...names.map(row));
    }
    // What was chosen last is not in force yet: it stays as it was chosen.
    if (unsettled > 0) return;
    for (const [name, choice] of rows) choice.value = holds(policy, name);
  }
  log.brakes.watch(draw);
  return element;
}

/** What holds for a group: its own word, else that of all that act. */
function holds(policy: Record<string, string>, name: string): string {
  const wider = actingGroups.includes(name) ? policy.acting : undefined;
  return policy[name] ?? wider ?? 'allow';
}

function labelOf(name: string): string {
  return (groupTexts as Record<string, string>)[name] ?? name;
}
