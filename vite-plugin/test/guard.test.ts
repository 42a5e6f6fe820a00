import { describe, expect, test } from 'vitest';
import { findRefusal, type GuardedRequest, hostName, isAllowedHost } from '../src/guard.ts';

const own: GuardedRequest = {
  method: 'POST',
  headers: { 'content-type': 'application/json', origin: 'http://localhost:5173' },
  hosts: ['localhost:5173'],
  secure: false,
};

function refusal(change: Partial<GuardedRequest>, headers: GuardedRequest['headers'] = {}) {
  const request = { ...own, ...change, headers: { ...own.headers, ...headers } };
  return findRefusal(request, ['shop.test', '.team.test']);
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
    expect(isAllowedHost('anything.example', true)).toBe(true);
    expect(isAllowedHost('app.localhost', [])).toBe(true);
    expect(isAllowedHost('team.test', ['.team.test'])).toBe(true);
    expect(isAllowedHost('a.team.test', ['.team.test'])).toBe(true);
    expect(isAllowedHost('evilteam.test', ['.team.test'])).toBe(false);
    expect(isAllowedHost('a.shop.test', ['shop.test'])).toBe(false);
  });
});
