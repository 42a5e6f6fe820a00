import { expect, test, vi } from 'vitest';
import { createDetailsLoader, type Details } from '../src/details';
import type { Highlight } from '../src/highlight';
import { type Remarks, type SourceInfo, sessionKeys } from '../src/protocol';
import type { WrittenNote } from '../src/ui/note';
import { createUserNote } from '../src/user-note';
import { context, createTabs, fakeStorage } from './fakes';

const DRAFT = sessionKeys.draft;
const USAGE = { instances: 2, places: 3, modules: 1, importedBy: [], summary: 'Shared.' };
const { sourceInfo } = context();

const said: Remarks = {
  intent: 'fix',
  severity: 'high',
  sketch: { shapes: [{ kind: 'pen', points: [[1, 2]] }] },
};

/** A document of the tab whose sessionStorage this is. */
function open(
  storage: Storage,
  explain = async () => sourceInfo,
  locate: Details['locate'] = async () => sourceInfo,
) {
  let done: (written: WrittenNote | null) => void = () => undefined;
  const note = {
    element: document.createElement('div'),
    text: 'half writ',
    write: vi.fn(
      (..._: unknown[]) =>
        new Promise<WrittenNote | null>((resolve) => {
          done = resolve;
        }),
    ),
  };
  const queue = createTabs().open();
  const ended = vi.fn();
  const highlight = { element() {}, area() {}, hide() {} } as unknown as Highlight;
  const userNote = createUserNote({
    host: document.createElement('div'),
    note,
    highlight,
    queue,
    session: () => storage,
    open: () => undefined,
    details: createDetailsLoader(async () => ({
      ownerOf: () => '',
      locate,
      explain,
      frameworkOf: () => 'none',
      find: async () => ({}),
      reach: () => [],
    })),
    remarks: async () => ({ element: document.createElement('div'), value: said, end: ended }),
    picked: () => undefined,
    saved: () => undefined,
  });
  const about = () => {
    const [, about] = note.write.mock.calls[0] ?? [];
    return (about as HTMLElement[] | undefined)?.[0]?.textContent;
  };
  const finish = (text: string | null, goOn = false) => done(text === null ? null : { text, goOn });
  return { userNote, note, queue, about, finish, ended };
}

test('a half-written note and what was picked survive a reload', async () => {
  const { storage, data } = fakeStorage();
  const before = open(storage);
  expect(before.userNote.isCut).toBe(false);
  void before.userNote.write({ mode: 'element', element: document.body });
  expect(before.note.write).toHaveBeenCalled();
  await vi.waitFor(() => expect(before.about()).toContain('src/App.tsx'));
  before.userNote.keep();

  const after = open(storage);
  expect(after.userNote.isCut).toBe(true);
  expect(data.has(DRAFT)).toBe(false);
  const writing = after.userNote.write(null);
  expect(after.note.write.mock.calls[0]?.[2]).toBe('half writ');
  after.finish('written whole');
  await writing;
  const about = { description: 'written whole', selector: 'body' };
  expect(after.queue.items()).toMatchObject([{ ...about, sourceInfo: { file: 'src/App.tsx' } }]);
});

test('several elements are kept, also those whose places are not found in time', async () => {
  vi.useFakeTimers();
  document.body.innerHTML = '<p></p><b></b>';
  const elements = [...document.body.children];
  const never = new Promise<never>(() => undefined);
  const locate = (element: Element) =>
    element.localName === 'p' ? never : Promise.resolve(sourceInfo);
  const page = open(fakeStorage().storage, undefined, locate);
  const writing = page.userNote.write({ mode: 'elements', elements });
  await vi.advanceTimersByTimeAsync(1);
  page.finish('Both of them');
  await vi.advanceTimersByTimeAsync(5000);
  await writing;
  vi.useRealTimers();
  expect(page.queue.items()).toMatchObject([
    { area: { total: 2, elements: [{ tag: 'p' }, { tag: 'b', file: 'src/App.tsx' }] } },
  ]);
});

test('a note that was saved or dropped is not kept', async () => {
  const { storage, data } = fakeStorage();
  const page = open(storage);
  const writing = page.userNote.write({ mode: 'element', element: document.body });
  await vi.waitFor(() => expect(page.note.write).toHaveBeenCalled());
  page.finish(null);
  await writing;
  page.userNote.keep();
  expect(data.has(DRAFT)).toBe(false);
});

test.each(['{', 'null'])('%s is no draft', (raw) => {
  expect(open(fakeStorage({ [DRAFT]: raw }).storage).userNote.isCut).toBe(false);
});

test('what takes longer to find out follows the note, and is saved with it', async () => {
  let known: (found: SourceInfo) => void = () => undefined;
  const explained = new Promise<SourceInfo>((resolve) => {
    known = resolve;
  });
  const page = open(fakeStorage().storage, () => explained);
  const writing = page.userNote.write({ mode: 'element', element: document.body });
  await vi.waitFor(() => expect(page.note.write).toHaveBeenCalled());
  page.finish('do it');
  known({ ...sourceInfo, usage: USAGE });
  await writing;
  expect(page.queue.items()).toMatchObject([{ sourceInfo: { usage: USAGE, elementInfo: {} } }]);
});

test('what else the note says is saved with it, and survives a reload', async () => {
  const { storage, data } = fakeStorage();
  const before = open(storage);
  void before.userNote.write({ mode: 'element', element: document.body });
  await vi.waitFor(() => expect(before.about()).toContain('src/App.tsx'));
  before.userNote.keep();
  expect(JSON.parse(data.get(DRAFT) ?? '')).toMatchObject({ said, text: 'half writ' });

  const after = open(storage);
  const writing = after.userNote.write(null);
  // The fields for it are not there yet.
  after.finish('do it');
  expect(await writing).toBe(false);
  expect(after.queue.items()).toMatchObject([{ description: 'do it', ...said }]);
});

test('who goes on to the next note waits for nothing, and loses nothing', async () => {
  const page = open(fakeStorage().storage, () => new Promise(() => undefined));
  const writing = page.userNote.write({ mode: 'element', element: document.body });
  await vi.waitFor(() => expect(page.note.write).toHaveBeenCalled());
  page.finish('one of many', true);
  expect(await writing).toBe(true);
  expect(page.queue.items()).toEqual([]);
  page.userNote.keep();
  expect(page.queue.items()).toMatchObject([{ description: 'one of many' }]);
});

test('what is drawn leaves the page with the note, also when its fields come later', async () => {
  const page = open(fakeStorage().storage);
  const writing = page.userNote.write({ mode: 'element', element: document.body });
  page.finish(null);
  expect(await writing).toBe(false);
  await vi.waitFor(() => expect(page.ended).toHaveBeenCalledOnce());
});
