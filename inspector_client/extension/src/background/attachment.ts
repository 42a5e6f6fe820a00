// Chrome's debugger on one tab: attached while the tab is to be used, and the page that it shows.
import type { Debuggee } from './debuggee';
import type { InPage } from './page/in-page';
import { createPage, type Page, TAB } from './page/page';
import type { Repeats } from './rules/entries';
import { CommandError } from './rules/failure';

export interface Attachment {
  readonly page: Page | null;
  /** Attaches, if it is not there yet; throws why it cannot. */
  attach(): Promise<void>;
  detach(why: CommandError): void;
  /** Chrome has detached it already. */
  lost(why: CommandError): void;
  /** Whose event it is: the tab's own, or that of a frame with a process of its own. */
  targetOf(session: string | undefined): string;
}

export function createAttachment(debuggee: Debuggee, inPage: InPage, repeats: Repeats): Attachment {
  let page: Page | null = null;
  let attaching: Promise<void> | null = null;

  async function begin(): Promise<void> {
    await debuggee.attach();
    const own = createPage(debuggee.send, inPage, repeats);
    page = own;
    try {
      await own.start();
    } catch (error) {
      detach(SILENT);
      throw error instanceof CommandError && error.code === 'COMMAND_TIMEOUT' ? SILENT : error;
    }
  }
  function lost(why: CommandError): void {
    page?.end(why);
    page = null;
  }
  function detach(why: CommandError): void {
    if (!page) return;
    lost(why);
    void debuggee.detach();
  }
  return {
    get page() {
      return page;
    },
    async attach() {
      if (page && !attaching) return;
      // One that is under way serves the next attempt as well.
      attaching ??= begin().finally(() => {
        attaching = null;
      });
      await attaching;
    },
    detach,
    lost,
    targetOf: (session) => (session && page?.documents.children.get(session)) ?? TAB,
  };
}

const SILENT = new CommandError(
  'TAB_NOT_ANSWERING',
  'The page does not answer: it shows a dialog, or runs a script without an end. Answer or reload it, then connect.',
);
