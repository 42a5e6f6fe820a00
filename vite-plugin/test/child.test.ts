import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startChild } from '../src/companion/child.ts';

/** A child that runs until it is ended, and what it wants to be called when this process exits. */
function startWaiting() {
  const folder = mkdtempSync(path.join(tmpdir(), 'pageside-child-'));
  const before = process.listeners('exit');
  const command = { program: process.execPath, args: ['-e'], downloads: false };
  const child = startChild(
    command,
    ['setInterval(() => {}, 1000)'],
    folder,
    path.join(folder, 'log'),
  );
  onTestFinished(async () => {
    await child.kill();
    rmSync(folder, { recursive: true });
  });
  const exitListeners = () =>
    process.listeners('exit').filter((listener) => !before.includes(listener));
  return { child, exitListeners };
}

test('a companion that nobody has heard of yet ends with the dev server', async () => {
  const { child, exitListeners } = startWaiting();
  for (const listener of exitListeners()) listener.call(process, 0);
  expect(await child.ended).toBe('ended with SIGTERM');
  expect(exitListeners()).toEqual([]);
});

test('a companion that answers outlives the dev server', () => {
  const { child, exitListeners } = startWaiting();
  expect(exitListeners()).toHaveLength(1);
  child.release();
  expect(exitListeners()).toEqual([]);
});
