import { useLoaderData } from 'react-router';
import { BookRow } from '../components/BookRow';
import { Borrow } from '../components/Borrow';
import { Card } from '../components/Card';
import { books } from '../library';

export function loader() {
  return { books: books() };
}

export default function Home() {
  const { books } = useLoaderData<typeof loader>();
  return (
    <main>
      <h1>On the shelf today</h1>
      <Card title="New arrivals">
        <p className="lead">Ask at the desk for anything that is lent.</p>
      </Card>
      <ul className="books">
        {books.map((book) => (
          <BookRow key={book.title} book={book} />
        ))}
      </ul>
      <Borrow />
    </main>
  );
}
