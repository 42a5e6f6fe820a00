import { expect, test, vi } from 'vitest';
import { createAnnouncer } from '../src/companion/announce.ts';
import type { ConsoleLink } from '../src/companion/console-link.ts';
import type { Companion } from '../src/companion/registry.ts';

const companion: Companion = {
  host: '127.0.0.1',
  port: 6137,
  pid: 1,
  version: '0.1.0',
  pageToken: 'page',
  pluginToken: 'plugin',
  agentToken: 'agent',
};

function lines(
  platform: NodeJS.Platform,
  change: Partial<Companion> = {},
  link: ConsoleLink | null = null,
): string[] {
  const printed: string[] = [];
  const announcer = createAnnouncer(
    (line) => printed.push(line),
    false,
    () => Promise.resolve(link),
    platform,
  );
  announcer.companionReady({ ...companion, ...change });
  announcer.urlsPrinted();
  announcer.companionReady({ ...companion, ...change });
  return printed;
}

const LINE = '  ➜  Agent:    claude mcp add --transport http pageside';

test('on Linux the line for the agent needs no token', () => {
  expect(lines('linux')).toEqual([
    '  ➜  Pageside: http://127.0.0.1:6137/__mcp__',
    `${LINE} http://127.0.0.1:6137/__mcp__`,
  ]);
});

test.each<NodeJS.Platform>(['darwin', 'win32'])(
  'on %s, where a peer’s user is unknown, the line carries the agent token',
  (platform) => {
    expect(lines(platform)).toEqual([
      '  ➜  Pageside: http://127.0.0.1:6137/__mcp__',
      `${LINE} http://127.0.0.1:6137/__mcp__ --header "Authorization: Bearer agent"`,
    ]);
  },
);

test('a companion on another host needs the token on Linux too', () => {
  expect(lines('linux', { host: 'fd00::5', agentToken: undefined })[1]).toBe(
    `${LINE} http://[fd00::5]:6137/__mcp__ --header "Authorization: Bearer <agent token>"`,
  );
});

test('the link to the console follows, once', async () => {
  const url = 'http://127.0.0.1:6137/__pageside__/console#code';
  const printed = lines('linux', {}, { url, tabs: '' });
  await vi.waitFor(() => expect(printed).toHaveLength(3));
  expect(printed[2]).toBe(`  ➜  Console:  ${url}`);
});

test('below it stands why no tab can connect', async () => {
  const tabs = 'off: Port 61822 is used by another program.';
  const printed = lines('linux', {}, { url: 'http://127.0.0.1:6137/', tabs });
  await vi.waitFor(() => expect(printed).toHaveLength(4));
  expect(printed[3]).toBe(`  ➜  Tabs:     ${tabs}`);
});

test('a companion that gives no link is one without a line', async () => {
  const printed = lines('linux');
  await Promise.resolve();
  expect(printed).toHaveLength(2);
});
