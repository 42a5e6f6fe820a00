import { describe, expect, test } from 'vitest';
import {
  checkPeer,
  findRefusal,
  type GuardedRequest,
  hostName,
  isAllowedHost,
} from '../src/http/guard.ts';

const own: GuardedRequest = {
  method: 'POST',
  headers: { 'content-type': 'application/json', origin: 'http://localhost:5173' },
  hosts: ['localhost:5173'],
  secure: false,
  remoteAddress: '127.0.0.1',
};

function refusal(change: Partial<GuardedRequest>, headers: GuardedRequest['headers'] = {}) {
  const request = { ...own, ...change, headers: { ...own.headers, ...headers } };
  return findRefusal(request, { allowedHosts: ['shop.test', '.team.test'], lan: false });
}

describe('a request is answered', () => {
  test.each<[string, Partial<GuardedRequest>, GuardedRequest['headers']]>([
    ['from the page itself', {}, { 'sec-fetch-site': 'same-origin' }],
    ['from a terminal, without Origin', {}, { origin: undefined }],
    ['typed into the address bar', { method: 'GET' }, { 'sec-fetch-site': 'none' }],
    [
      'of a module script',
      { method: 'GET' },
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'script' },
    ],
    ['with a charset', {}, { 'content-type': 'application/json; charset=utf-8' }],
    ['without a port', { hosts: ['localhost'] }, { origin: 'http://localhost' }],
    ['to an IPv4 address', { hosts: ['192.168.1.5:5173'] }, { origin: 'http://192.168.1.5:5173' }],
    ['to an IPv6 address', { hosts: ['[::1]:5173'] }, { origin: 'http://[::1]:5173' }],
    ['to an allowed host', { hosts: ['shop.test'] }, { origin: 'http://shop.test' }],
    ['over https', { secure: true }, { origin: 'https://localhost:5173' }],
    [
      'from behind a proxy that ends TLS',
      { hosts: ['shop.test'] },
      { origin: 'https://shop.test', 'sec-fetch-site': 'same-origin' },
    ],
    ['with :authority and Host alike', { hosts: ['localhost:5173', 'localhost:5173'] }, {}],
    ['with an ending session', { method: 'DELETE' }, { 'content-type': undefined }],
  ])('%s', (_, change, headers) => {
    expect(refusal(change, headers)).toBeNull();
  });
});

describe('a request is refused', () => {
  test.each<[string, number, Partial<GuardedRequest>, GuardedRequest['headers']]>([
    ['to a foreign Host', 403, { hosts: ['evil.test'] }, { origin: undefined }],
    ['without Host', 403, { hosts: [] }, { origin: undefined }],
    ['with two Hosts', 403, { hosts: ['localhost:5173', 'evil.test'] }, {}],
    ['with a malformed Host', 403, { hosts: ['localhost:5173@evil.test'] }, { origin: undefined }],
    ['with a path in the Host', 403, { hosts: ['localhost/evil'] }, { origin: undefined }],
    ['from another port of this machine', 403, {}, { origin: 'http://localhost:3000' }],
    ['from an opaque Origin', 403, {}, { origin: 'null' }],
    ['with the scheme of the Origin changed', 403, {}, { origin: 'https://localhost:5173' }],
    [
      'with the scheme changed and from another site',
      403,
      {},
      { origin: 'https://localhost:5173', 'sec-fetch-site': 'same-site' },
    ],
    [
      'with another host that claims to be the same origin',
      403,
      {},
      { origin: 'https://localhost', 'sec-fetch-site': 'same-origin' },
    ],
    [
      'from an extension',
      403,
      {},
      { origin: 'chrome-extension://localhost:5173', 'sec-fetch-site': 'same-origin' },
    ],
    [
      'from another site',
      403,
      { method: 'GET' },
      { origin: undefined, 'sec-fetch-site': 'cross-site' },
    ],
    [
      'from a sibling site',
      403,
      { method: 'GET' },
      { origin: undefined, 'sec-fetch-site': 'same-site' },
    ],
    [
      'of a script of no site',
      403,
      { method: 'GET' },
      { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'script' },
    ],
    ['with a form', 415, {}, { 'content-type': 'application/x-www-form-urlencoded' }],
    ['with plain text', 415, {}, { 'content-type': 'text/plain' }],
    ['without content type', 415, {}, { 'content-type': undefined }],
    ['with a body over the limit', 413, {}, { 'content-length': '4194305' }],
    ['with an unused method', 405, { method: 'PUT' }, {}],
  ])('%s', (_, status, change, headers) => {
    expect(refusal(change, headers)).toMatchObject({
      status,
      message: expect.any(String),
      fix: expect.any(String),
    });
  });
});

describe('the Host', () => {
  test.each([
    ['LOCALHOST:5173', 'localhost'],
    ['[::1]', '[::1]'],
    ['[::g]', null],
    ['localhost:99999', null],
    ['a b', null],
    ['', null],
  ])('%j names %j', (host, name) => {
    expect(hostName(host)).toBe(name);
  });

  test('is allowed as in server.allowedHosts', () => {
    const isAllowed = (name: string, allowedHosts: string[]) =>
      isAllowedHost(name, { allowedHosts, lan: false });
    expect(isAllowed('app.localhost', [])).toBe(true);
    expect(isAllowed('team.test', ['.team.test'])).toBe(true);
    expect(isAllowed('a.team.test', ['.team.test'])).toBe(true);
    expect(isAllowed('evilteam.test', ['.team.test'])).toBe(false);
    expect(isAllowed('a.shop.test', ['shop.test'])).toBe(false);
  });

  test.each([
    ['localhost', true, true],
    ['app.localhost', true, true],
    ['127.0.0.1', true, true],
    ['[::1]', true, true],
    ['192.168.1.5', false, true],
    ['[fd00::5]', false, true],
    ['evil.test', false, false],
  ])(
    '%s is allowed with `allowedHosts: true`: %j; and with `lan`: %j',
    (name, without, withLan) => {
      expect(isAllowedHost(name, { allowedHosts: true, lan: false })).toBe(without);
      expect(isAllowedHost(name, { allowedHosts: true, lan: true })).toBe(withLan);
    },
  );
});

describe('the peer', () => {
  const check = (
    remoteAddress: string | undefined,
    headers: GuardedRequest['headers'],
    lan = false,
  ) => checkPeer({ ...own, remoteAddress, headers }, { allowedHosts: [], lan });

  test.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])('%s is this machine', (peer) => {
    expect(check(peer, {})).toBeNull();
  });

  test.each(['192.168.1.5', '172.17.0.1', '::ffff:192.168.1.5', 'fe80::1', '127.evil', undefined])(
    '%s is refused, with the name of the option, unless `lan` is set',
    (peer) => {
      expect(check(peer, {})).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
        message: expect.stringContaining(peer ?? 'an unknown address'),
        fix: expect.stringMatching(/pageside\(\{ lan: true \}\).*PAGESIDE_LAN/),
      });
      expect(check(peer, {}, true)).toBeNull();
    },
  );

  test('of a request that was passed on is not this machine', () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    expect(check('127.0.0.1', headers)).toMatchObject({ status: 403 });
    expect(check('127.0.0.1', headers, true)).toBeNull();
  });
});
