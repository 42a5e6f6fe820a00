import type { SVGProps } from 'react';

const line: SVGProps<SVGSVGElement> = {
  viewBox: '0 0 24 24',
  width: 20,
  height: 20,
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.8,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
};

export function Sun() {
  return (
    <svg aria-hidden="true" {...line} className="sun">
      <circle cx="12" cy="12" r="9" />
      <path d="M12 12V6.5M12 12l3.5 2.5" />
    </svg>
  );
}

export function Leaf() {
  return (
    <svg aria-hidden="true" {...line} className="leaf">
      <path d="M5 19c0-9 5-14 15-14 0 10-5 15-14 14M5 19c2-5 5-8 9-10" />
    </svg>
  );
}

export function Glass() {
  return (
    <svg aria-hidden="true" {...line}>
      <circle cx="11" cy="11" r="6.5" />
      <path d="m16 16 4.5 4.5" />
    </svg>
  );
}
