import { memo } from 'preact/compat';
import type { Ferry } from '../ferries';
import { Button } from './Button';
import { Route } from './Route';

interface DepartureProps {
  ferry: Ferry;
  onBuy: (ferry: Ferry) => void;
}

export const Departure = memo(function Departure({ ferry, onBuy }: DepartureProps) {
  return (
    <article class="departure">
      <time class="time">{ferry.leaves}</time>
      <div class="way">
        <h3>{ferry.to}</h3>
        <Route minutes={ferry.minutes} />
      </div>
      {ferry.full ? (
        <span class="full">full</span>
      ) : (
        <Button class="buy" onClick={() => onBuy(ferry)}>
          Ticket
        </Button>
      )}
    </article>
  );
});
