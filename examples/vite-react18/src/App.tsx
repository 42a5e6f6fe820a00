import { forwardRef, memo, type ReactNode, useRef, useState } from 'react';

interface Book {
  title: string;
  author: string;
  read: boolean;
}

const BOOKS: Book[] = [
  { title: 'The Left Hand of Darkness', author: 'Ursula K. Le Guin', read: true },
  { title: 'The Soul of a New Machine', author: 'Tracy Kidder', read: false },
  { title: 'Invisible Cities', author: 'Italo Calvino', read: false },
];

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

const Badge = memo(function Badge({ text }: { text: string }) {
  return <span className="badge">{text}</span>;
});

const SearchField = forwardRef<HTMLInputElement, { onSearch: (text: string) => void }>(
  ({ onSearch }, ref) => (
    <input
      ref={ref}
      type="search"
      aria-label="Search"
      placeholder="Search"
      onChange={(event) => onSearch(event.target.value)}
    />
  ),
);

interface ListProps<Item> {
  items: Item[];
  render: (item: Item) => ReactNode;
}

function List<Item>({ items, render }: ListProps<Item>) {
  return <ul>{items.map(render)}</ul>;
}

function Tick() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" role="img" aria-label="Read">
      <path d="M3 8.5 6.5 12 13 4.5" fill="none" stroke="currentColor" strokeWidth="2" />
    </svg>
  );
}

export function App() {
  const [query, setQuery] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const found = BOOKS.filter((book) => book.title.toLowerCase().includes(query.toLowerCase()));
  const link = { href: 'https://react.dev', rel: 'noreferrer' };

  return (
    <>
      <header>
        <h1>Reading list</h1>
        <SearchField ref={search} onSearch={setQuery} />
      </header>
      <Card title="This year">
        {found.length === 0 && <p className="empty">Nothing found.</p>}
        <List
          items={found}
          render={(book) => (
            <li key={book.title}>
              <strong>{book.title}</strong> {book.author}
              {book.read ? <Tick /> : <Badge text="to read" />}
            </li>
          )}
        />
        <a {...link} className="more">
          About React
        </a>
      </Card>
    </>
  );
}
