import type { ReactNode } from 'react';

interface PollProps<Choice> {
  choices: Choice[];
  votes: (choice: Choice) => number;
  render: (choice: Choice, share: number) => ReactNode;
}

export function Poll<Choice extends { id: string }>({ choices, votes, render }: PollProps<Choice>) {
  const all = choices.reduce((sum, choice) => sum + votes(choice), 0);
  const share = (choice: Choice) => (all === 0 ? 0 : votes(choice) / all);
  const ranked = [...choices].sort((a, b) => votes(b) - votes(a));

  return (
    <ol className="poll">
      {ranked.map((choice) => (
        <li key={choice.id}>
          {render(choice, share(choice))}
          <progress value={share(choice)} aria-label="Share of votes" />
        </li>
      ))}
    </ol>
  );
}
