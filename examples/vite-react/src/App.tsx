import { useRef, useState } from 'react';
import { DishCard } from './components/DishCard';
import { Header } from './components/Header';
import { Leaf } from './components/icons';
import { Panel } from './components/Panel';
import { Poll } from './components/Poll';
import { SearchField } from './components/SearchField';
import { Stat } from './components/Stat';
import { Table } from './components/Table';
import { VegetarianSwitch } from './components/VegetarianSwitch';
import { type Dish, euros, FIRST_ORDERS, MENU, type Order, YOU } from './menu';

export function App() {
  const [orders, setOrders] = useState(FIRST_ORDERS);
  const [query, setQuery] = useState('');
  const [onlyVegetarian, setOnlyVegetarian] = useState(false);
  const search = useRef<HTMLInputElement>(null);

  const dishes = MENU.filter((dish) => matches(dish, query, onlyVegetarian));
  const total = orders.reduce((sum, order) => sum + dishOf(order).price, 0);
  const mine = orders.find((order) => order.person === YOU);

  function toggle(dish: Dish) {
    const others = orders.filter((order) => order.person !== YOU);
    setOrders(mine?.dish === dish.id ? others : [...others, { person: YOU, dish: dish.id }]);
  }

  function clearSearch() {
    setQuery('');
    setOnlyVegetarian(false);
    search.current?.focus();
  }

  return (
    <>
      <Header>
        <SearchField ref={search} value={query} onChange={setQuery} />
        <VegetarianSwitch checked={onlyVegetarian} onChange={setOnlyVegetarian} />
      </Header>
      <main>
        <section className="intro">
          <div>
            <p className="eyebrow">Tuesday, fourth floor</p>
            <h1>What’s for lunch?</h1>
            <p className="lead">
              Pick a dish before 11:30. One order, one delivery, no spreadsheet.
            </p>
          </div>
          <dl className="stats">
            <Stat label="Orders" value={orders.length} note="of nine" />
            <Stat label="Total" value={euros(total)} note="on the team" />
            <Stat label="Closes in" value="42 min" note="here at 12:15" urgent />
          </dl>
        </section>

        <div className="columns">
          <section aria-label="Menu" className="menu">
            {dishes.map((dish) => (
              <DishCard
                key={dish.id}
                dish={dish}
                orders={orders.filter((order) => order.dish === dish.id).length}
                chosen={mine?.dish === dish.id}
                onToggle={toggle}
              />
            ))}
            {dishes.length === 0 && (
              <div className="empty">
                <Leaf />
                <p>Nothing on today’s menu fits.</p>
                <button type="button" className="button" onClick={clearSearch}>
                  Show everything
                </button>
              </div>
            )}
          </section>

          <aside>
            <Panel title="Leading" note={`${orders.length} votes`}>
              <Poll
                choices={MENU}
                votes={(dish) => orders.filter((order) => order.dish === dish.id).length}
                render={(dish, share) => (
                  <span className="choice">
                    <strong>{dish.name}</strong>
                    <em>{Math.round(share * 100)} %</em>
                  </span>
                )}
              />
            </Panel>
            <Panel
              title="Orders"
              note={mine ? <span className="tag">you’re in</span> : 'yours is missing'}
              footer={
                <>
                  <span>Together</span>
                  <strong>{euros(total)}</strong>
                </>
              }
            >
              <Table
                rows={orders}
                rowKey={(order) => order.person}
                columns={[
                  { title: 'Who', cell: (order) => order.person },
                  { title: 'Dish', cell: (order) => dishOf(order).name },
                  { title: 'Price', cell: (order) => euros(dishOf(order).price), number: true },
                ]}
              />
            </Panel>
          </aside>
        </div>
      </main>
    </>
  );
}

function matches(dish: Dish, query: string, onlyVegetarian: boolean): boolean {
  const text = `${dish.name} ${dish.kitchen} ${dish.description}`.toLowerCase();
  return text.includes(query.trim().toLowerCase()) && (dish.vegetarian || !onlyVegetarian);
}

function dishOf(order: Order): Dish {
  const dish = MENU.find(({ id }) => id === order.dish);
  if (!dish) throw new Error(`${order.dish} is not on the menu`);
  return dish;
}
