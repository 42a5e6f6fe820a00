import { expect, test, vi } from 'vitest';
import { createState } from '../src/basics';
import { createPicking } from '../src/picking';

/** A picker whose user is the test. */
function setUp() {
  const target = document.createElement('button');
  let answer: (element: Element | null) => void = () => undefined;
  let saved: (goOn: boolean) => void = () => undefined;
  const waiting = createState(0);
  const announced: unknown[] = [];
  const withdrawn = vi.fn();
  const picking = createPicking({
    waiting,
    withdrawn,
    announce: (ask) => void announced.push(ask),
    note: () =>
      new Promise((resolve) => {
        saved = resolve;
      }),
    pick: (_mode, _sole, signal) =>
      new Promise((resolve) => {
        answer = (element) => resolve(element && { mode: 'element', element });
        signal.addEventListener('abort', () => resolve(null));
      }),
  });
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  const click = (element: Element | null = target) => {
    answer(element);
    return settle();
  };
  const save = (goOn = false) => {
    saved(goOn);
    return settle();
  };
  const live = new AbortController().signal;
  return { picking, waiting, withdrawn, announced, target, click, save, settle, live };
}

const ask = (agent: string) => ({ mode: 'element' as const, agent });

test('a click answers an agent', async () => {
  const { picking, target, click, live, announced, settle } = setUp();
  const answer = picking.forAgent(ask('A'), live);
  await settle();
  expect(picking.turn.value).toMatchObject({ who: 'agent', agent: 'A' });
  expect(announced).toEqual([ask('A')]);
  await click();
  expect(await answer).toEqual({ mode: 'element', element: target });
  expect(picking.turn.value).toEqual({ who: 'nobody' });
});

test('Esc tells the agent that the user cancelled', async () => {
  const { picking, click, live, settle } = setUp();
  const answer = picking.forAgent(ask('A'), live);
  const check = expect(answer).rejects.toMatchObject({ code: 'CANCELLED_BY_USER' });
  await settle();
  await click(null);
  await check;
});

test('an agent waits while the user picks and writes', async () => {
  const { picking, waiting, click, save, live, settle } = setUp();
  picking.forUser('element');
  const answer = picking.forAgent(ask('A'), live);
  await click();
  expect(picking.turn.value).toMatchObject({ who: 'user', writing: true });
  expect(waiting.value).toBe(1);
  await save();
  await settle();
  expect(picking.turn.value).toMatchObject({ who: 'agent', agent: 'A' });
  expect(waiting.value).toBe(0);
  await click();
  expect((await answer).mode).toBe('element');
});

test('the user goes on with the note that a reload cut short, before any agent asks', async () => {
  const { picking, save, live, settle } = setUp();
  picking.resume();
  void picking.forAgent(ask('A'), live);
  await settle();
  expect(picking.turn.value).toMatchObject({ who: 'user', writing: true });
  await save();
  await settle();
  expect(picking.turn.value).toMatchObject({ who: 'agent' });
});

test('agents take turns in the order they asked', async () => {
  const { picking, click, live, settle } = setUp();
  const order: string[] = [];
  const answers = ['A', 'B', 'C'].map((agent) =>
    picking.forAgent(ask(agent), live).then(() => order.push(agent)),
  );
  for (const _ of answers) {
    await settle();
    await click();
  }
  expect(order).toEqual(['A', 'B', 'C']);
});

test('a withdrawn request ends the crosshair, and a waiting one never gets it', async () => {
  const { picking, waiting, withdrawn, live, settle } = setUp();
  const [first, second] = [new AbortController(), new AbortController()];
  const answers = [
    picking.forAgent(ask('A'), first.signal),
    picking.forAgent(ask('B'), second.signal),
  ].map((answer) => expect(answer).rejects.toThrow('withdrawn'));
  await settle();
  second.abort(new Error('withdrawn'));
  expect(waiting.value).toBe(0);
  first.abort(new Error('withdrawn'));
  await Promise.all(answers);
  expect(withdrawn).toHaveBeenCalledTimes(1);
  expect(picking.turn.value).toEqual({ who: 'nobody' });
  void picking.forAgent(ask('C'), live);
  await settle();
  expect(picking.turn.value).toMatchObject({ agent: 'C' });
});

test('asking again ends the user’s own pick, but not his note', async () => {
  const { picking, click, settle } = setUp();
  picking.forUser('element');
  picking.forUser('element');
  await settle();
  expect(picking.turn.value).toEqual({ who: 'nobody' });
  picking.forUser('element');
  await click();
  picking.forUser('element');
  await settle();
  expect(picking.turn.value).toMatchObject({ who: 'user', writing: true });
});

test('who saves and goes on picks the next one at once; agents wait', async () => {
  const { picking, click, save, live, settle } = setUp();
  picking.forUser('element');
  await click();
  void picking.forAgent(ask('A'), live);
  await save(true);
  expect(picking.turn.value).toEqual({ who: 'user', mode: 'element', writing: false });
  await click();
  await save();
  await settle();
  expect(picking.turn.value).toMatchObject({ who: 'agent' });
});

test('a note that a reload cut short leads on to the next as well', async () => {
  const { picking, save } = setUp();
  picking.resume();
  await save(true);
  expect(picking.turn.value).toEqual({ who: 'user', mode: 'element', writing: false });
});
