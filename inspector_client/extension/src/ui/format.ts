const two = (number: number): string => String(number).padStart(2, '0');

/** The local time of day, '09:05:01'. */
export function timeOfDay(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

/** As `timeOfDay`, with milliseconds. */
export const exactTime = (at: number): string =>
  `${timeOfDay(at)}.${String(new Date(at).getMilliseconds()).padStart(3, '0')}`;

const LEAST_PORT = 1;
const LAST_PORT = 65535;

/** The port that a text names; null when it names none. */
export function portOf(text: string): number | null {
  const port = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  return port >= LEAST_PORT && port <= LAST_PORT ? port : null;
}

/** A file name that every system takes. */
export function fileName(name: string, mime: string): string {
  const plain = name.replace(/[^\p{L}\p{N}._ -]+/gu, '-').replace(/^[. -]+|[. -]+$/g, '');
  return `${plain.slice(0, 80) || 'screenshot'}.${mime === 'image/jpeg' ? 'jpg' : 'png'}`;
}
