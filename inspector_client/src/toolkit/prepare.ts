// Two steps in one, for a form has many fields.
import { type Filling, fill } from './fill';
import { type Readiness, ready } from './ready';

/** Waits until the element can be filled, then does what filling begins with. */
export async function prepare(
  element: HTMLElement,
  value: string,
  timeoutMs: number,
): Promise<Readiness | (Readiness & Filling)> {
  const seen = await ready(element, { enabled: true, editable: true, hit: false }, timeoutMs);
  return 'why' in seen ? seen : { ...seen, ...fill(element, value) };
}
