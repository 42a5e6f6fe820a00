import { expect, it } from 'vitest';
import { exactTime, fileName, portOf } from '../src/ui/format';

it('tells a moment to the millisecond', () => {
  expect(exactTime(new Date(2026, 0, 2, 3, 4, 5, 6).getTime())).toBe('03:04:05.006');
});

it.each([
  ['61822', 61822],
  [' 80 ', 80],
  ['0', null],
  ['65536', null],
  ['80a', null],
  ['-80', null],
  ['8.5', null],
  ['', null],
])('“%s” names port %s', (text, port) => {
  expect(portOf(text)).toBe(port);
});

it.each([
  ['menu at noon', 'image/png', 'menu at noon.png'],
  ['../../etc/passwd', 'image/jpeg', 'etc-passwd.jpg'],
  ['a:b*c?', 'image/png', 'a-b-c.png'],
  ['…', 'image/png', 'screenshot.png'],
])('a picture called “%s” (%s) is saved as %s', (name, mime, file) => {
  expect(fileName(name, mime)).toBe(file);
});
