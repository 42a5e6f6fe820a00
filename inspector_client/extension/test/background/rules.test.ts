import { describe, expect, it } from 'vitest';
import { checkUrl } from '../../src/background/rules/addresses';
import { badgeOf } from '../../src/background/rules/badge';
import { CommandError } from '../../src/background/rules/failure';
import { checked, checkedName, limitOf } from '../../src/background/rules/params';
import { createRing } from '../../src/background/rules/ring';
import { createSecrets } from '../../src/background/rules/secrets';
import { fitted, smaller } from '../../src/background/rules/sizes';
import { problemOf, responseOf, understood } from '../../src/background/rules/wire';
import { TABS } from '../../src/shared/contract';

const refused = (work: () => unknown): CommandError => {
  try {
    work();
  } catch (error) {
    if (error instanceof CommandError) return error;
  }
  throw new Error('it was not refused');
};

describe('addresses', () => {
  it.each(['http://localhost:5173/', 'https://example.com/a?b#c', 'about:blank'])(
    '%s is opened',
    (url) => {
      expect(checkUrl(url)).toBe(url);
    },
  );

  it.each([
    ...['file:///etc/passwd', 'javascript:alert(1)', 'chrome://version', 'data:text/html,x'],
    ...['', 'localhost:5173', '/path', 'about:config', 'http://'],
    ...[
      'http://169.254.169.254/',
      'http://2852039166/',
      'http://0xa9.254.1.1/',
      'http://[fe80::1]/',
    ],
    ...['http://[::ffff:169.254.1.1]/', 'http:\\\\169.254.1.1\\x', 'http://①69.254.1.1/'],
  ])('%s is refused', (url) => {
    expect(refused(() => checkUrl(url))).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      data: { argument: 'url' },
    });
  });
});

describe('what commands are given', () => {
  it.each([
    ['kapturemcp_navigate', {}, 'url'],
    ['kapturemcp_navigate', { url: 5 }, 'url'],
    ['kapturemcp_navigate', { url: 'http://x/', timeout: '5' }, 'timeout'],
    ['kapturemcp_navigate', { url: 'http://x/', timeout: 0 }, 'timeout'],
    ['kapturemcp_screenshot', {}, 'name'],
    ['kapturemcp_screenshot', { name: 'x', width: -1 }, 'width'],
    ['kapturemcp_click', { selector: ' ' }, 'selector'],
    ['kapturemcp_fill', { selector: 'a' }, 'value'],
    ['kapturemcp_evaluate', { code: 'x'.repeat(TABS.limits.codeChars + 1) }, 'code'],
    ['kapturemcp_logs', { max: Number.NaN }, 'max'],
  ] as const)('%s of %j: the error names %s', (command, given, argument) => {
    const error = refused(() => checked(command, given));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENTS', data: { argument } });
    expect(error.message).toContain(`'${argument}'`);
  });

  it('has the defaults of the protocol', () => {
    expect(checked('kapturemcp_navigate', { url: 'http://x/' }).timeout).toBe(30_000);
    expect(checked('kapturemcp_logs', {}).max).toBe(100);
    expect(checked('kapturemcp_fill', { selector: 'a', value: '' }).value).toBe('');
  });

  it('is for the commands of the contract, and no others', () => {
    for (const command of TABS.commands) expect(checkedName(command)).toBe(command);
    expect(refused(() => checkedName('toString')).message).toContain('kapturemcp_click');
  });

  it('says how long a command may take', () => {
    expect(limitOf('kapturemcp_click', {}, undefined)).toBe(30_000);
    expect(limitOf('kapturemcp_click', {}, 500)).toBe(500);
    expect(limitOf('kapturemcp_navigate', { timeout: 60_000 }, undefined)).toBe(61_000);
    expect(limitOf('kapturemcp_navigate', { timeout: 'x' }, undefined)).toBe(31_000);
  });
});

describe('the console of a tab', () => {
  const entry = (n: number) => ({ timestamp: n, level: 'log' as const, message: `m${n}` });

  it('keeps the newest, newest first, and counts the others', () => {
    for (let count = 0; count <= 12; count += 1) {
      const ring = createRing(5);
      for (let n = 1; n <= count; n += 1) ring.add(entry(n));
      const kept = Math.min(count, 5);
      expect(ring.newest(100).map((each) => each.timestamp)).toEqual(
        Array.from({ length: kept }, (_, n) => count - n),
      );
      expect(ring.newest(2)).toEqual(ring.newest(100).slice(0, 2));
      expect([ring.count, ring.dropped]).toEqual([kept, count - kept]);
    }
  });

  it('is the same after a restart, but for what does not fit', () => {
    const ring = createRing(5);
    for (let n = 1; n <= 7; n += 1) ring.add(entry(n));
    const again = createRing(5);
    again.restore(ring.kept(100));
    expect(again.newest(9)).toEqual(ring.newest(9));
    expect(again.dropped).toBe(2);
    again.restore(ring.kept(5));
    expect(again.newest(9).map((each) => each.timestamp)).toEqual([7, 6]);
    expect(again.dropped).toBe(5);
    again.clear();
    expect([again.count, again.dropped]).toEqual([0, 0]);
  });
});

describe('secrets', () => {
  it('are in nothing that is told, however they are written', () => {
    const secrets = createSecrets();
    const told = { a: ['of hunter2/"x', { b: 'hunter2%2F%22x' }], n: 5, z: null };
    expect(secrets.scrubbed(told)).toBe(told);
    secrets.add('hunter2/"x');
    expect(secrets.scrubbed(told)).toEqual({
      a: ['of <redacted>', { b: '<redacted>' }],
      n: 5,
      z: null,
    });
    expect(secrets.scrubbed('{"x":"hunter2/\\"x"}')).toBe('{"x":"<redacted>"}');
  });

  it('are in no name that a page made up, and names of the protocol stay', () => {
    const secrets = createSecrets();
    secrets.add('message');
    expect(secrets.scrubbed({ message: 'a message' })).toEqual({ message: 'a <redacted>' });
    expect(secrets.scrubbedWhole({ message: 1 })).toEqual({ '<redacted>': 1 });
  });

  it('that are too short to be told from words stay', () => {
    const secrets = createSecrets();
    secrets.add('abc');
    expect(secrets.scrubbed('abcdef')).toBe('abcdef');
  });
});

describe('sizes of pictures', () => {
  it('fit what was asked, keep their shape, and are never enlarged', () => {
    const box = { width: 800, height: 600 };
    const any = { width: undefined, height: undefined };
    expect(fitted(box, 2, any)).toEqual({ scale: 1, width: 1600, height: 1200 });
    expect(fitted(box, 1, { width: 400, height: undefined })).toEqual({
      scale: 0.5,
      width: 400,
      height: 300,
    });
    expect(fitted(box, 1, { width: 4000, height: 60 }).height).toBe(60);
    expect(fitted({ width: 1, height: 100_000 }, 1, any).height).toBe(16_384);
    expect(fitted({ width: 1, height: 1000 }, 1, { width: 1, height: 10 }).width).toBe(1);
  });

  it('shrink with every try', () => {
    let size = { width: 4000, height: 3000 };
    for (let tries = 0; tries < 4; tries += 1) {
      const next = smaller(size, 1.1);
      expect(next.width * next.height).toBeLessThan((size.width * size.height) / 1.9);
      size = next;
    }
  });
});

describe('messages of the companion', () => {
  it.each([
    ['{"type":"registered","tabId":"x","heartbeatMs":5}', { type: 'registered' }],
    ['{"type":"ping","at":1}', { type: 'ping' }],
    ['{"type":"cancel","id":"a"}', { type: 'cancel', id: 'a' }],
    [
      '{"type":"command","id":"a","command":"c","params":{"x":1},"timeoutMs":5}',
      { type: 'command', id: 'a', command: 'c', params: { x: 1 }, timeoutMs: 5 },
    ],
    [
      '{"type":"command","id":"a","command":"c","timeoutMs":-5}',
      { type: 'command', id: 'a', command: 'c', params: {} },
    ],
    [
      '{"type":"error"}',
      { type: 'error', error: { code: 'BAD_REQUEST', message: 'it did not say why' } },
    ],
    ['{"type":"command","id":5,"command":"c"}', { type: 'other' }],
    ['{"type":"hello"}', { type: 'other' }],
    ['[1]', { type: 'other' }],
    ['null', { type: 'other' }],
    ['{', { type: 'other' }],
    [new ArrayBuffer(1), { type: 'other' }],
  ])('%s', (data, message) => {
    expect(understood(data)).toEqual(message);
  });

  it('are answered with less than would end the connection', () => {
    const answer = (result: string) => responseOf('a', { success: true, result, error: null });
    expect(answer('fine')).toEqual({
      id: 'a',
      type: 'response',
      success: true,
      result: 'fine',
      error: null,
    });
    const large = '€'.repeat(TABS.limits.messageBytes / 3);
    expect(answer(large)).toMatchObject({ success: false, error: { code: 'RESULT_TOO_LARGE' } });
  });

  it('why there is no connection says what to do', () => {
    expect(problemOf(7, 0, null).message).toBe(
      'No companion listens on port 7: start your dev server or `pageside serve`.',
    );
    for (const code of [1006, ...Object.values(TABS.closeCodes)])
      expect(problemOf(7, code, null).message).toMatch(/^[A-Z].*\.$/);
    const said = { code: 'BAD_REQUEST', message: 'that was no JSON' };
    expect(problemOf(7, TABS.closeCodes.badMessage, said)).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'The companion ended the connection: that was no JSON',
    });
  });
});

describe('the badge', () => {
  const calm = {
    connection: 'connected',
    running: null,
    scriptWanted: false,
    scriptsAllowed: false,
    retryAt: null,
    problem: null,
  } as const;

  it('is there while agents can use the tab, and gone when they cannot', () => {
    expect(badgeOf(calm).text).toBe('on');
    expect(badgeOf({ ...calm, connection: 'idle' }).text).toBe('');
  });

  it('says what runs, and what the user is needed for', () => {
    const running = { command: 'kapturemcp_click', by: 'agent' } as const;
    expect(badgeOf({ ...calm, connection: 'executing', running })).toMatchObject({
      text: '…',
      title: 'Pageside: an agent asked for click',
    });
    expect(badgeOf({ ...calm, scriptWanted: true }).text).toBe('!');
    expect(badgeOf({ ...calm, scriptWanted: true, scriptsAllowed: true }).text).toBe('on');
    const problem = { code: 'X', message: 'Gone.' };
    expect(badgeOf({ ...calm, connection: 'idle', retryAt: 5, problem })).toMatchObject({
      text: '!',
      title: 'Pageside: Gone.',
    });
  });
});
