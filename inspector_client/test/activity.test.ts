import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAgents } from '../src/agents';
import type { AgentCall, BrakesChange, BrakesState } from '../src/protocol';
import { handlerOf } from '../src/ui/listen';
import { createActing } from '../src/workbench/acting';
import { createActivityView } from '../src/workbench/activity';
import { createAgentLog } from '../src/workbench/agent-log';
import { createBrakes } from '../src/workbench/brakes';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const free: BrakesState = { paused: false, everywhere: false, policy: {} };

function callOf(id: number, more: Partial<AgentCall> = {}): AgentCall {
  const ended = { outcome: 'ok', tookMs: 12 };
  return {
    id,
    tool: 'chrome_click',
    group: 'input',
    agent: 'Ada',
    at: Date.now(),
    about: '#buy',
    ...ended,
    ...more,
  };
}
const running = { outcome: undefined, tookMs: undefined };

function setUp() {
  const agents = createAgents(vi.fn());
  const log = createAgentLog(agents);
  const show = vi.fn();
  const send = vi.fn(
    async (_route: string, change: object): Promise<unknown> => ({
      ...free,
      ...change,
    }),
  );
  const brakes = createBrakes(log, { send, toasts: { element: document.body, show } as never });
  const view = createActivityView(log, brakes);
  const acting = createActing(log, brakes, vi.fn());
  const texts = () => [...view.element.querySelectorAll('li')].map((item) => item.textContent);
  const named = (name: string) =>
    [...acting.querySelectorAll('button')].find(({ title }) => title === name) as HTMLElement;
  return { agents, log, send, show, brakes, view, acting, texts, named };
}

test('what was told before the workbench came is not lost', () => {
  const wake = vi.fn();
  const agents = createAgents(wake);
  agents.tell({ activity: [callOf(1)], brakes: free });
  expect(wake).not.toHaveBeenCalled();
  agents.tell({ entries: [callOf(2)] });
  expect(wake).toHaveBeenCalledOnce();
  expect(
    createAgentLog(agents)
      .calls()
      .map(({ id }) => id),
  ).toEqual([1, 2]);
});

test('a paused page has its brakes shown at once', () => {
  const wake = vi.fn();
  createAgents(wake).tell({ activity: [], brakes: { ...free, paused: true } });
  expect(wake).toHaveBeenCalledOnce();
});

test('the newest is first, and a connection begins the log anew', () => {
  const { agents, view, texts } = setUp();
  view.shown?.(true);
  agents.tell({ entries: [callOf(1, { about: 'one' }), callOf(3, { about: 'three' })] });
  agents.tell({ entries: [callOf(2, { about: 'two' })] });
  expect(texts().map((text) => text?.match(/one|two|three/)?.[0])).toEqual(['three', 'two', 'one']);
  agents.tell({ activity: [callOf(1, { about: 'other' })], brakes: free });
  expect(texts()).toEqual([expect.stringContaining('other')]);
});

test('what runs counts its seconds, only while it can be seen', () => {
  const { agents, view, texts } = setUp();
  agents.tell({ entries: [callOf(1, running)] });
  expect(view.count?.value).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
  view.shown?.(true);
  vi.advanceTimersByTime(3000);
  expect(texts()[0]).toContain('running 3 s');
  agents.tell({ entries: [callOf(1, { outcome: 'PAUSED_BY_USER', tookMs: 3100 })] });
  expect(texts()[0]).toContain('3.1 s');
  expect(texts()[0]).toContain('PAUSED_BY_USER');
  expect(view.count?.value).toBe(0);
  vi.advanceTimersByTime(10_000);
  expect(vi.getTimerCount()).toBe(0);
});

test('the toolbar names who acts, for a moment longer than it lasts, and says it seldom', () => {
  const { agents, acting, named } = setUp();
  const name = acting.querySelector('.agent') as HTMLElement;
  const status = acting.querySelector('[role=status]') as HTMLElement;
  expect([name.hidden, named('Stop agents in this page').hidden]).toEqual([true, true]);
  agents.tell({ entries: [callOf(1, running), callOf(2, { ...running, agent: 'Bob' })] });
  expect([name.hidden, name.textContent, status.textContent]).toEqual([
    false,
    'Bob and 1 more',
    'Bob and 1 more',
  ]);
  agents.tell({ entries: [callOf(1), callOf(2, { agent: 'Bob' })] });
  expect([name.hidden, status.textContent]).toEqual([false, 'Bob and 1 more']);
  vi.advanceTimersByTime(2000);
  expect(name.hidden).toBe(true);
  vi.advanceTimersByTime(3000);
  expect(status.textContent).toBe('');
});

test('pausing, letting go on everywhere, and what is refused', async () => {
  const { agents, brakes, log, send, show, named } = setUp();
  brakes.toggle();
  await vi.advanceTimersByTimeAsync(0);
  expect(send).toHaveBeenLastCalledWith('/page/brakes', { paused: true });
  expect(named('Let agents go on').ariaPressed).toBe('true');
  agents.tell({ ...free, everywhere: true });
  brakes.toggle();
  await vi.advanceTimersByTimeAsync(0);
  expect(send).toHaveBeenLastCalledWith('/page/brakes', { paused: false, everywhere: false });
  send.mockRejectedValueOnce(new Error('Ada clicks.'));
  brakes.toggle();
  await vi.advanceTimersByTimeAsync(0);
  expect(show).toHaveBeenCalledWith('Ada clicks.');
  expect(log.brakes.value.paused).toBe(false);
});

test('a group shows what holds for it, and a tool of its own a row', () => {
  const { agents, view } = setUp();
  agents.tell({ ...free, policy: { acting: 'ask', reading: 'deny', chrome_click: 'allow' } });
  const values = Object.fromEntries(
    [...view.element.querySelectorAll<HTMLSelectElement>('.permissions select')].map((choice) => [
      choice.getAttribute('aria-label'),
      choice.value,
    ]),
  );
  expect(values).toMatchObject({
    'Everything that acts': 'ask',
    'Run scripts': 'ask',
    'Read the page': 'deny',
    'Ask you': 'allow',
    chrome_click: 'allow',
  });
});

test('of two quick choices the last one holds, and is seen to be under way until it does', async () => {
  const { agents, send, view } = setUp();
  agents.tell({ activity: [], brakes: free });
  const answers: (() => void)[] = [];
  send.mockImplementation(
    (_route, change) =>
      new Promise((resolve) => answers.push(() => resolve({ ...free, ...change }))),
  );
  const choice = view.element.querySelector(
    'select[aria-label="Run scripts"]',
  ) as HTMLSelectElement;
  const answer = async () => {
    answers.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  for (const word of ['ask', 'deny']) {
    choice.value = word;
    handlerOf(choice, 'input')?.(new Event('input'));
  }
  await vi.advanceTimersByTimeAsync(0);
  expect(send).toHaveBeenCalledOnce();
  await answer();
  expect(choice.value).toBe('deny');
  expect(choice.closest('.permissions')?.ariaBusy).toBe('true');
  await answer();
  const policies = send.mock.calls.map(([, change]) => (change as BrakesChange).policy);
  expect(policies).toEqual([{ scripts: 'ask' }, { scripts: 'deny' }]);
  expect(choice.value).toBe('deny');
  expect(choice.closest('.permissions')?.ariaBusy).toBeNull();
});

test('a stop waits for nothing', async () => {
  const { send, brakes } = setUp();
  send.mockReturnValue(new Promise(() => undefined));
  void brakes.set({ paused: true });
  await vi.advanceTimersByTimeAsync(0);
  brakes.stop();
  expect(send).toHaveBeenLastCalledWith(expect.anything(), { stop: true });
});
