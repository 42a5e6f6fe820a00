export interface Plant {
  id: string;
  name: string;
  latin: string;
  room: string;
  days: number;
  hue: number;
}

export const PLANTS: Plant[] = [
  {
    id: 'monstera',
    name: 'Monstera',
    latin: 'Monstera deliciosa',
    room: 'Hall',
    days: 2,
    hue: 150,
  },
  {
    id: 'fern',
    name: 'Boston fern',
    latin: 'Nephrolepis exaltata',
    room: 'Studio',
    days: 4,
    hue: 110,
  },
  { id: 'olive', name: 'Olive', latin: 'Olea europaea', room: 'Terrace', days: 6, hue: 80 },
  { id: 'aloe', name: 'Aloe', latin: 'Aloe vera', room: 'Studio', days: 1, hue: 170 },
];
