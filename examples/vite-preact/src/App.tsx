import { useRef, useState } from 'preact/hooks';
import { Board } from './components/Board';
import { Departure } from './components/Departure';
import { Dialog } from './components/Dialog';
import { Panel } from './components/Panel';
import { Search } from './components/Search';
import { FERRIES, type Ferry, NOTICE } from './ferries';

export function App() {
  const [query, setQuery] = useState('');
  const [ticket, setTicket] = useState<Ferry | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const ferries = FERRIES.filter(({ to }) => to.toLowerCase().includes(query.toLowerCase()));

  return (
    <>
      <header class="top">
        <span class="brand">gangway</span>
        <Search ref={search} value={query} onSearch={setQuery} />
      </header>
      <main>
        <h1>Next from pier 4</h1>
        <p class="lead">Be at the berth five minutes before.</p>
        <div class="columns">
          <section class="departures">
            {ferries.map((ferry) => (
              <Departure key={ferry.id} ferry={ferry} onBuy={setTicket} />
            ))}
            {ferries.length === 0 && <p class="none">No ferry goes there. Yet.</p>}
          </section>
          <Panel
            title="Berths"
            note={<span class="badge">{ferries.length} today</span>}
            footer={
              <>
                <span>Longest</span>
                <b class="longest">{Math.max(0, ...ferries.map(({ minutes }) => minutes))} min</b>
              </>
            }
          >
            <Board<Ferry>
              rows={ferries}
              rowKey={({ id }) => id}
              render={({ berth, to }) => (
                <span class="berth">
                  {berth} · {to}
                </span>
              )}
            />
            <p class="notice" dangerouslySetInnerHTML={{ __html: NOTICE }} />
          </Panel>
        </div>
      </main>
      {ticket && (
        <Dialog onClose={() => setTicket(null)}>
          <h2 class="ticket">{ticket.to}</h2>
        </Dialog>
      )}
    </>
  );
}
