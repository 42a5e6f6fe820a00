import { memo } from 'react';
import { type Dish, euros } from '../menu';
import { Leaf } from './icons';
import { Sparkline } from './Sparkline';

interface DishCardProps {
  dish: Dish;
  orders: number;
  chosen: boolean;
  onToggle: (dish: Dish) => void;
}

export const DishCard = memo(function DishCard({ dish, orders, chosen, onToggle }: DishCardProps) {
  return (
    <article className="dish" style={{ '--hue': dish.hue }} data-chosen={chosen || undefined}>
      <div className="dish-art">
        <Sparkline values={dish.history} />
        {dish.vegetarian ? (
          <span className="tag">
            <Leaf /> vegetarian
          </span>
        ) : null}
      </div>
      <div className="dish-body">
        <div className="dish-title">
          <h3>{dish.name}</h3>
          <span className="price">{euros(dish.price)}</span>
        </div>
        <p>{dish.description}</p>
        <div className="dish-foot">
          <small>
            {dish.kitchen} · {dish.minutes} min · {orders === 1 ? '1 order' : `${orders} orders`}
          </small>
          <button
            type="button"
            className="button"
            aria-pressed={chosen}
            onClick={() => onToggle(dish)}
          >
            {chosen ? 'Chosen' : 'Join'}
          </button>
        </div>
      </div>
    </article>
  );
});
