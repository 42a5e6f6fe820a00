export const Route = ({ minutes }: { minutes: number }) => (
  <svg class="route" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
    <path
      class="water"
      d={`M0 6 ${Array.from({ length: 10 }, () => 'q 2.5 -5 5 0 t 5 0').join(' ')}`}
    />
    <circle class="boat" cx={Math.min(96, minutes)} cy="6" r="4" />
  </svg>
);
