import type { Call } from './calls';

export interface Entry {
  id: number;
  url: string;
  title: string;
}
export interface History {
  currentIndex: number;
  entries: Entry[];
}

export const historyOf = (call: Call): Promise<History> =>
  call<History>('Page.getNavigationHistory');

/** What the tab shows, as Chrome knows it: also of a page that hangs or shows a dialog. */
export async function place(call: Call): Promise<{ url: string; title: string }> {
  const { entries, currentIndex } = await historyOf(call);
  const { url = '', title = '' } = entries[currentIndex] ?? {};
  return { url, title };
}
