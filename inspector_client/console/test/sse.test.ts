import { expect, test } from 'vitest';
import { createEventParser, type ServerEvent } from '../src/session/sse';

const STREAM =
  ': still here\n\nevent: overview\ndata: {"a":\ndata: 1}\n\nid: 7\r\ndata:x\r\n\r\ndata: \rdata: ü\r\revent: lost\n\n';
const EVENTS = [
  { name: 'overview', data: '{"a":\n1}' },
  { name: 'message', data: 'x' },
  { name: 'message', data: '\nü' },
];

function read(...pieces: string[]): ServerEvent[] {
  const told: ServerEvent[] = [];
  pieces.forEach(createEventParser((event) => told.push(event)));
  return told;
}

test('events come out of the stream with their names', () => {
  expect(read(STREAM)).toEqual(EVENTS);
});

test('wherever it is cut, they are the same', () => {
  for (let cut = 0; cut <= STREAM.length; cut++)
    expect(read(STREAM.slice(0, cut), STREAM.slice(cut)), `cut at ${cut}`).toEqual(EVENTS);
  expect(read(...STREAM)).toEqual(EVENTS);
});

test('what is not whole yet is not told', () => {
  expect(read('event: overview\ndata: {}\n')).toEqual([]);
});
