import { expect, test } from 'vitest';
import { aligned } from '../src/source/held/aligned';
import { hookCalls } from './fakes';

const isOwn = (hook: string) => !/^use(State|Ref|Memo|Effect)$/.test(hook);
const same = (one: string, other: string) => one === other;
const named = (ran: string, written: string) =>
  aligned(ran.split(' '), hookCalls(written), isOwn, same).map(
    ({ name, inside }) => inside ?? name,
  );

test.each([
  [
    'without hooks of one’s own all are certain',
    'useState useRef',
    'a=useState b=useRef',
    ['a', 'b'],
  ],
  ['not with another number', 'useState useState', 'a=useState', ['', '']],
  ['nor with others', 'useState useRef', 'a=useRef b=useState', ['', '']],
  [
    'one of one’s own has what is between front and back',
    'useState useMemo useEffect useRef',
    'a=useState b=useCart c=useRef',
    ['a', 'useCart', 'useCart', 'c'],
  ],
  ['one of one’s own may run none', 'useState useRef', 'a=useState b=useCart c=useRef', ['a', 'c']],
  [
    'between two nobody knows whose they are',
    'useState useMemo useMemo useRef',
    'a=useState b=useA c=useMemo d=useB e=useRef',
    ['a', '', '', 'e'],
  ],
])('%s', (_, ran, written, names) => {
  expect(named(ran, written)).toEqual(names);
});
