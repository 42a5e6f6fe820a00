import { expect, test } from 'vitest';
import { enclosingComponent, parseSource } from '../src/source/lexical.ts';

/** The component around the tag <here>. */
function around(source: string, file = 'App.tsx'): string | null {
  const program = parseSource(source, file);
  if (!program) throw new Error(`does not parse: ${source}`);
  const before = source.slice(0, source.indexOf('<here')).split('\n');
  return enclosingComponent(program, before.length, (before.at(-1) ?? '').length + 1);
}

test.each([
  ['a function', 'function App() { return <here /> }', 'App'],
  ['an arrow', 'const App = () => <here />', 'App'],
  ['an exported default function', 'export default function App() { return <here /> }', 'App'],
  ['a class', 'class App extends Component { render() { return <here /> } }', 'App'],
  [
    'a class expression',
    'const App = class extends Component { render() { return <here /> } }',
    'App',
  ],
  [
    'memo around a named function',
    'const Card = memo(function CardView() { return <here /> })',
    'CardView',
  ],
  ['memo around an arrow', 'const Card = memo(() => <here />)', 'Card'],
  [
    'React.memo around forwardRef',
    'const Field = React.memo(React.forwardRef((p, ref) => <here />))',
    'Field',
  ],
  [
    'forwardRef with types',
    'const Field = forwardRef<Input, Props>((p, ref) => <here />)',
    'Field',
  ],
  ['a wrapper of one’s own', 'const Page = withTheme(() => <here />)', 'Page'],
  ['a generic arrow', 'const List = <Row,>(p: P<Row>) => <here />', 'List'],
  ['a cast', 'const List = ((p) => <here />) as Generic', 'List'],
  ['a condition', 'const List = fast ? () => <here /> : null', 'List'],
  ['a .map callback', 'function App() { return items.map((item) => <here />) }', 'App'],
  [
    'a .map callback kept in a capital name',
    'function App() { const Rows = items.map(() => <here />) }',
    'App',
  ],
  [
    'useMemo in a capital name',
    'function App() { const Row = useMemo(() => <here />, []) }',
    'App',
  ],
  ['a render prop', 'const App = () => <List render={() => <here />} />', 'App'],
  ['children as a function', 'const App = () => <List>{() => <here />}</List>', 'App'],
  [
    'a component inside a component',
    'function App() { const Row = () => <here />; return <Row /> }',
    'Row',
  ],
  [
    'the call site of the inner one',
    'function App() { const Row = () => <p />; return <here /> }',
    'App',
  ],
  [
    'a helper with a small name',
    'function App() { const row = () => <here />; return row() }',
    'App',
  ],
  ['a component in an object', 'const parts = { Head: () => <here /> }', 'Head'],
  ['an assigned property', 'Card.Head = () => <here />', 'Head'],
  ['a static property', 'class Card { static Head = () => <here /> }', 'Head'],
  ['a name that is not ASCII', 'const Übersicht = () => <here />', 'Übersicht'],
  ['module level', 'root.render(<here />)', null],
  ['a lone helper', 'const row = () => <here />', null],
  ['an anonymous default export', 'export default () => <here />', null],
])('names the component around %s', (_, source, name) => {
  expect(around(source)).toBe(name);
});

test('reads JavaScript with JSX, decorators and a syntax error further down', () => {
  expect(around('const App = () => <here />', 'app.js')).toBe('App');
  expect(around('@injectable() class App { render() { return <here /> } }')).toBe('App');
  expect(around('const App = () => <here />;\nconst const = 1;', 'app.jsx')).toBe('App');
});

test('gives up on a file that is no JavaScript at all', () => {
  expect(parseSource('<<<<<<< ours', 'App.tsx')).toBeNull();
});
