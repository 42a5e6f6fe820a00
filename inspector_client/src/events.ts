import { isRecord } from './basics';
import type { AgentAsk, Mode, Picking } from './picking';
import { type ElementContext, windowEvents } from './protocol';
import type { ItemListener } from './queue/queue';
import { statusTexts, texts } from './ui/texts';

const SHOWN = [
  windowEvents.elementInspected,
  windowEvents.planProgressReported,
  windowEvents.inspectionResultReceived,
  windowEvents.inspectionStatusUpdated,
  windowEvents.inspectionDeleted,
];

type Inspected = ElementContext & { description?: string; inspectionId?: string };

function tell(name: string, detail: object): void {
  dispatchEvent(new CustomEvent(name, { detail }));
}

export function tellActivated(ask: AgentAsk | { mode: Mode }): void {
  tell(windowEvents.activateInspector, ask);
}

export function tellInspected(context: Inspected): void {
  tell(windowEvents.elementInspected, context);
}

/** Each change of an inspection is told by the event that fits it. */
export const tellChange: ItemListener = (after, before) => {
  const { id: inspectionId, status, message = '', progress } = after;
  const isOther = status !== before.status;
  if (status === 'deleted') {
    // What the companion leaves of it differs once more from what was here.
    if (isOther) tell(windowEvents.inspectionDeleted, { inspectionId });
  } else if (isOther || message !== (before.message ?? ''))
    if (/^(completed|failed)$/.test(status))
      tell(windowEvents.inspectionResultReceived, { inspectionId, status, result: { message } });
    else tell(windowEvents.inspectionStatusUpdated, { inspectionId, status, message });
  if (progress && JSON.stringify(progress) !== JSON.stringify(before.progress))
    tell(windowEvents.planProgressReported, { inspectionId, plan: progress });
};

/** The page itself may start the user's pick; what an agent asked for is none of its business. */
export function followActivation({ turn, forUser }: Picking): void {
  addEventListener(windowEvents.activateInspector, (event) => {
    const { mode } = ((event as CustomEvent).detail ?? {}) as { mode?: unknown };
    if (turn.value.who === 'nobody') forUser(mode === 'area' ? mode : 'element');
  });
}

/** Shows what is told of inspections, whoever tells it, with whatever detail. */
export function showEvents(show: (text: string) => void): void {
  for (const name of SHOWN)
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
