import type { AgentAsk, Mode } from './picking';
import { type ElementContext, type Step, windowEvents } from './protocol';
import type { ItemListener } from './queue/queue';
import { eventTexts } from './ui/texts';

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
  window.dispatchEvent(new CustomEvent(windowEvents[name], { detail }));
}

/** Each change of an inspection is told by the event that fits it. */
export const dispatchItemEvents: ItemListener = (after, before) => {
  const { id: inspectionId, status, message = '' } = after;
  if (!before) return;
  if (status === 'deleted') return dispatch('inspectionDeleted', { inspectionId });
  if (status !== before.status && (status === 'completed' || status === 'failed'))
    return dispatch('inspectionResultReceived', { inspectionId, status, result: { message } });
  const steps = after.progress?.steps;
  if (steps && changed(steps, before.progress?.steps))
    dispatch('planProgressReported', { inspectionId, plan: { steps } });
  if (status !== before.status || message !== (before.message ?? ''))
    dispatch('inspectionStatusUpdated', { inspectionId, status, message });
};

function changed(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}

/** Shows every event, whoever dispatched it. */
export function showEvents(show: (text: string) => void): { start(): void; stop(): void } {
  const listeners = (Object.keys(windowEvents) as (keyof Details)[]).map((name) => ({
    type: windowEvents[name],
    listener: (event: Event) => {
      const text = eventTexts[name]((event as CustomEvent<unknown>).detail);
      if (text) show(text);
    },
  }));
  return {
    start() {
      for (const { type, listener } of listeners) window.addEventListener(type, listener);
    },
    stop() {
      for (const { type, listener } of listeners) window.removeEventListener(type, listener);
    },
  };
}
