export interface Crossing {
  id: string;
  to: string;
  ship: string;
  /** Minutes after midnight. */
  at: number;
  minutes: number;
  seats: number;
  free: number;
  late: number;
  cars: boolean;
}

export const CROSSINGS: Crossing[] = [
  {
    id: 'F12',
    to: 'Lindholm',
    ship: 'Alma',
    at: 545,
    minutes: 25,
    seats: 120,
    free: 64,
    late: 0,
    cars: false,
  },
  {
    id: 'F31',
    to: 'Gåsö',
    ship: 'Tärnan',
    at: 560,
    minutes: 50,
    seats: 220,
    free: 12,
    late: 8,
    cars: true,
  },
  {
    id: 'F12',
    to: 'Lindholm',
    ship: 'Alma',
    at: 605,
    minutes: 25,
    seats: 120,
    free: 101,
    late: 0,
    cars: false,
  },
  {
    id: 'F07',
    to: 'Vinga light',
    ship: 'Skarven',
    at: 630,
    minutes: 75,
    seats: 80,
    free: 0,
    late: 0,
    cars: false,
  },
  {
    id: 'F31',
    to: 'Gåsö',
    ship: 'Tärnan',
    at: 680,
    minutes: 50,
    seats: 220,
    free: 140,
    late: 0,
    cars: true,
  },
];

/** Water levels in cm over chart datum, one an hour. */
export const TIDE = [42, 58, 71, 80, 82, 76, 63, 47, 31, 20, 16, 21, 34, 50];

/** From the harbour office's own editor, which gives HTML. */
export const NOTICE =
  '<p>Quay B is <strong>closed</strong> for repairs until Friday. Bicycles board <em>last</em>.</p>';

export function clock(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
