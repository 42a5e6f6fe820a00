import { h } from '../../../ui/dom';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A time of day; the whole date is its title, and its text if it was on another day. */
export function timeElement(ms: number): HTMLElement {
  const date = new Date(ms);
  const isToday = date.toDateString() === new Date().toDateString();
  const text = (isToday ? clock : whole).format(date);
  return h('time', { datetime: date.toISOString(), title: whole.format(date) }, text);
}

export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 ** 2
    ? `${Math.round(bytes / 1024)} kB`
    : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
