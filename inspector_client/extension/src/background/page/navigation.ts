// Going somewhere; done when the new document has loaded.
import { checkUrl } from '../rules/addresses';
import { CommandError } from '../rules/failure';
import { promised } from '../rules/promised';
import { type Arrival, watchArrival } from './arrival';
import type { Call } from './calls';
import { historyOf, place } from './history';
import type { Page } from './page';

export interface Arrived {
  url: string;
  title: string;
  status: number | null;
  loading?: true;
}

/** Bodies of responses are not kept. */
const NETWORK = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };
const STOP_MS = 1000;

/** Opens a URL; `loading` if it still loads after `timeout` ms, or a dialog holds it up. */
export async function navigate(
  page: Page,
  call: Call,
  { url: given, timeout }: { url: string; timeout: number },
): Promise<Arrived> {
  const url = checkUrl(given);
  return travelled(page, call, timeout, async (arrival) => {
    const answer = await call<{ loaderId?: string; errorText?: string }>(
      'Page.navigate',
      { url },
      { limitMs: timeout },
    );
    if (answer.errorText) throw await arrival.refusal(url, answer.errorText);
    // Without a loader it stayed within the document.
    return answer.loaderId ?? null;
  });
}

/** Back (-1) or forward (1) in the tab's history. */
export async function go(page: Page, call: Call, by: -1 | 1, timeout: number): Promise<Arrived> {
  const { entries, currentIndex } = await historyOf(call);
  const entry = entries[currentIndex + by];
  if (!entry)
    throw new CommandError(
      'NAVIGATION_FAILED',
      `There is nothing to go ${by < 0 ? 'back' : 'forward'} to: this is the ${by < 0 ? 'first' : 'last'} page of the tab’s history.`,
    );
  return travelled(page, call, timeout, async () => {
    await call('Page.navigateToHistoryEntry', { entryId: entry.id }, { limitMs: timeout });
    return '';
  });
}

async function travelled(
  page: Page,
  call: Call,
  timeout: number,
  start: (arrival: Arrival) => Promise<string | null>,
): Promise<Arrived> {
  await page.stop();
  // Not waited for: while a dialog is open the page does not answer, and Chrome takes part all the same.
  page.call('Network.enable', NETWORK).catch(() => null);
  const arrival = watchArrival(page);
  const stopAsking = leaves(page);
  try {
    const isLoaded = await within(timeout, arrival, async () => {
      const loader = await start(arrival);
      return loader === null || (await arrival.loaded(loader));
    });
    return {
      ...(await place(call)),
      status: arrival.status,
      ...(isLoaded ? {} : { loading: true as const }),
    };
  } catch (error) {
    if (error instanceof CommandError && error.code === 'COMMAND_TIMEOUT')
      // Until the server answers Chrome lets every command of the tab wait.
      await page.call('Page.stopLoading', {}, { limitMs: STOP_MS }).catch(() => null);
    throw error;
  } finally {
    stopAsking();
    arrival.close();
    page.call('Network.disable').catch(() => null);
  }
}

/** False when a document came, and still loads; throws when none came. */
async function within(
  timeout: number,
  arrival: Arrival,
  work: () => Promise<boolean>,
): Promise<boolean> {
  const { promise, resolve } = promised<'late'>();
  const timer = setTimeout(resolve, timeout, 'late');
  const working = work();
  // It may end after nobody waits for it any more.
  working.catch(() => null);
  try {
    const how = await Promise.race([working, promise]);
    if (how !== 'late') return how;
    if (arrival.isCommitted) return false;
    throw new CommandError(
      'COMMAND_TIMEOUT',
      `Nothing was loaded within ${timeout / 1000} s; the tab stays where it is. Check that its server runs.`,
    );
  } finally {
    clearTimeout(timer);
  }
}

/** A page that asks whether to leave it is left. */
function leaves(page: Page): () => void {
  return page.events.on<{ type: string }>('Page.javascriptDialogOpening', ({ type }) => {
    if (type === 'beforeunload')
      page.call('Page.handleJavaScriptDialog', { accept: true }).catch(() => null);
  });
}
