export interface Walk {
  id: string;
  name: string;
  hours: number;
  metres: number;
  heights: number[];
}

export const WALKS: Walk[] = [
  {
    id: 'saw',
    name: 'The Saw',
    hours: 5,
    metres: 940,
    heights: [4, 9, 6, 14, 10, 18, 12, 20, 9, 5],
  },
  {
    id: 'hut',
    name: 'Soup hut round',
    hours: 3,
    metres: 420,
    heights: [3, 5, 8, 11, 12, 12, 9, 7, 5, 4],
  },
  {
    id: 'lake',
    name: 'Over to the lake',
    hours: 6,
    metres: 780,
    heights: [5, 8, 13, 17, 16, 11, 8, 6, 3, 2],
  },
];
