import { createFileRoute } from '@tanstack/react-router';

export const Route = createFileRoute('/about')({ component: About });

function About() {
  return (
    <main>
      <h1>At the old pier</h1>
      <p className="hours">Open from ten to six.</p>
    </main>
  );
}
