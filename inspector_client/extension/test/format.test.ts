import { expect, it } from 'vitest';
import { duration, exactTime, fileName, portOf } from '../src/ui/format';

it.each([
  [-3, '0 ms'],
  [12.4, '12 ms'],
  [999.6, '1.0 s'],
  [1290, '1.2 s'],
  [59_999, '59.9 s'],
  [125_000, '2 min 5 s'],
])('%d ms are told as %s', (milliseconds, told) => {
  expect(duration(milliseconds)).toBe(told);
});

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
