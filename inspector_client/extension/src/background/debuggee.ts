// The door to Chrome's debugger, for one tab.
import { Refused, type Send } from './page/calls';
import { CommandError } from './rules/failure';

const VERSION = '1.3';

export interface Debuggee {
  attach(): Promise<void>;
  /** Harmless if it is not attached. */
  detach(): Promise<void>;
  send: Send;
}

export function createDebuggee(tabId: number): Debuggee {
  async function attach(): Promise<void> {
    try {
      await chrome.debugger.attach({ tabId }, VERSION);
    } catch (error) {
      const why = messageOf(error);
      // A worker that Chrome stopped left its debugger behind; begun anew it tells what there is.
      if (!why.includes('already attached')) throw closed(why);
      await chrome.debugger.detach({ tabId });
      await chrome.debugger.attach({ tabId }, VERSION);
    }
  }
  return {
    attach,
    async detach() {
      try {
        await chrome.debugger.detach({ tabId });
      } catch (error) {
        console.debug('not attached:', messageOf(error));
      }
    },
    async send(method, params, sessionId) {
      const target = sessionId === undefined ? { tabId } : { tabId, sessionId };
      try {
        return (await chrome.debugger.sendCommand(target, method, { ...params })) ?? {};
      } catch (error) {
        const why = messageOf(error);
        if (why.startsWith('Debugger is not attached'))
          throw new CommandError('TAB_DISCONNECTED', 'Chrome’s debugger left the tab.');
        throw new Refused(reasonOf(why));
      }
    },
  };
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Chrome gives its answer as JSON. */
function reasonOf(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: string };
    return message ?? text;
  } catch {
    return text;
  }
}

export const closed = (why: string) =>
  new CommandError(
    'TAB_NOT_DEBUGGABLE',
    `Chrome lets no extension into this page (${why.replace(/\.$/, '')}): go to a page of the web, then connect.`,
  );
