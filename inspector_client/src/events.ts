import { isRecord } from './basics';
import type { AgentAsk, Mode } from './picking';
import { type ElementContext, type Step, windowEvents } from './protocol';
import type { ItemListener } from './queue/queue';
import { statusTexts, texts } from './ui/texts';

interface Details {
  activateInspector: AgentAsk | { mode: Mode };
  elementInspected: ElementContext & { description?: string; inspectionId?: string };
  planProgressReported: { inspectionId: string; plan: { steps: Step[] } };
  inspectionResultReceived: { inspectionId: string; status: string; result: { message: string } };
  inspectionStatusUpdated: { inspectionId: string; status: string; message: string };
  inspectionDeleted: { inspectionId: string };
}

/** Tells the page, by the contract's window events. */
export function dispatch<K extends keyof Details>(name: K, detail: Details[K]): void {
  dispatchEvent(new CustomEvent(windowEvents[name], { detail }));
}

/** Each change of an inspection is told by the event that fits it. */
export const dispatchItemEvents: ItemListener = (after, before) => {
  const { id: inspectionId, status, message = '', progress } = after;
  const isNew = status !== before.status || message !== (before.message ?? '');
  if (status === 'deleted') dispatch('inspectionDeleted', { inspectionId });
  else if (isNew && /^(completed|failed)$/.test(status))
    dispatch('inspectionResultReceived', { inspectionId, status, result: { message } });
  else if (isNew) dispatch('inspectionStatusUpdated', { inspectionId, status, message });
  if (progress && JSON.stringify(progress) !== JSON.stringify(before.progress))
    dispatch('planProgressReported', { inspectionId, plan: progress });
};

/** Shows every event, whoever dispatched it, with whatever detail; the banner shows `activate-inspector`. */
export function showEvents(show: (text: string) => void): void {
  for (const name of Object.values(windowEvents))
    addEventListener(name, (event) => {
      const { detail } = event as CustomEvent<unknown>;
      const text = textOf(name, isRecord(detail) ? detail : {});
      if (text) show(text);
    });
}

function textOf(name: string, detail: Record<string, unknown>): string {
  const { plan, status, result, inspectionId } = detail;
  if (name === windowEvents.inspectionDeleted) return texts.deleted;
  if (name === windowEvents.elementInspected) return inspectionId ? texts.saved : '';
  const steps = isRecord(plan) && Array.isArray(plan.steps) ? plan.steps.filter(isRecord) : [];
  const step = steps.findLast((one) => one.status !== 'pending');
  const message = step ? step.title : isRecord(result) ? result.message : detail.message;
  const state = statusTexts[(step ?? { status }).status as keyof typeof statusTexts];
  return [state, message].filter((part) => typeof part === 'string' && part).join(': ');
}
