import { createFileRoute } from '@tanstack/react-router';
import { BookRow } from '../components/BookRow';
import { Borrow } from '../components/Borrow';
import { Card } from '../components/Card';
import { books } from '../library';

export const Route = createFileRoute('/')({
  loader: () => ({ books: books() }),
  component: Home,
});

function Home() {
  const { books } = Route.useLoaderData();
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
