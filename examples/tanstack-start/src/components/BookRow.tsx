import type { Book } from '../library';
import { Star } from './Star';

export function BookRow({ book }: { book: Book }) {
  return (
    <li className="book">
      <Star />
      <span className="title">{book.title}</span>
      {book.lent && <em className="lent">lent</em>}
    </li>
  );
}
