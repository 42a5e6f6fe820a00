const WIDTH = 160;
const HEIGHT = 44;

export function Sparkline({ values }: { values: number[] }) {
  const top = Math.max(...values, 1);
  const x = (index: number) => (index / (values.length - 1)) * WIDTH;
  const y = (value: number) => HEIGHT - 4 - (value / top) * (HEIGHT - 10);
  const points = values.map((value, index) => `${x(index)},${y(value)}`).join(' ');

  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
    >
      <title>Orders in the last weeks: {values.join(', ')}</title>
      <polygon points={`0,${HEIGHT} ${points} ${WIDTH},${HEIGHT}`} />
      <polyline points={points} />
    </svg>
  );
}
