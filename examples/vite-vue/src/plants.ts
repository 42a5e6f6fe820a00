export interface Plant {
  id: string;
  name: string;
  latin: string;
  room: string;
  /** Days between two waterings, and days since the last one. */
  every: number;
  since: number;
  light: 'shade' | 'bright' | 'sun';
  /** Heights in cm, one a month. */
  growth: number[];
  /** Written with the editor of the plant diary, which gives HTML. */
  note: string;
}

export const PLANTS: Plant[] = [
  {
    id: 'monstera',
    name: 'Monstera',
    latin: 'Monstera deliciosa',
    room: 'Living room',
    every: 7,
    since: 8,
    light: 'bright',
    growth: [62, 64, 67, 71, 76, 78],
    note: '<p>New leaf since <em>Sunday</em>, still rolled up.</p>',
  },
  {
    id: 'fern',
    name: 'Boston fern',
    latin: 'Nephrolepis exaltata',
    room: 'Bathroom',
    every: 3,
    since: 1,
    light: 'shade',
    growth: [30, 33, 33, 36, 40, 43],
    note: '<p>Likes the <strong>steam</strong> of the shower.</p>',
  },
  {
    id: 'aloe',
    name: 'Aloe',
    latin: 'Aloe vera',
    room: 'Kitchen',
    every: 18,
    since: 12,
    light: 'sun',
    growth: [21, 21, 22, 24, 24, 25],
    note: '<p>Gave <em>three</em> offsets; one is for Mira.</p>',
  },
  {
    id: 'pilea',
    name: 'Pilea',
    latin: 'Pilea peperomioides',
    room: 'Kitchen',
    every: 6,
    since: 6,
    light: 'bright',
    growth: [14, 16, 17, 19, 22, 24],
    note: '<p>Turn the pot a <em>quarter</em> each week.</p>',
  },
  {
    id: 'ficus',
    name: 'Fiddle-leaf fig',
    latin: 'Ficus lyrata',
    room: 'Living room',
    every: 9,
    since: 3,
    light: 'bright',
    growth: [110, 112, 118, 121, 124, 130],
    note: '<p>Moved away from the <strong>radiator</strong>.</p>',
  },
];

export function daysLeft({ every, since }: Plant): number {
  return every - since;
}
