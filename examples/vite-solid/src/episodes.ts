export interface Episode {
  id: string;
  show: string;
  title: string;
  minutes: number;
  hue: number;
  levels: number[];
  notes: string;
}

export const EPISODES: Episode[] = [
  {
    id: 'harbour',
    show: 'Slow Places',
    title: 'A harbour before sunrise',
    minutes: 34,
    hue: 200,
    levels: [3, 5, 9, 6, 4, 8, 12, 10, 6, 7, 11, 9, 5, 3, 6, 9, 12, 8, 4, 3],
    notes: '<p>Recorded on the <strong>east quay</strong>, with two microphones and one gull.</p>',
  },
  {
    id: 'bread',
    show: 'Kitchen Physics',
    title: 'Why bread sings when it cools',
    minutes: 21,
    hue: 28,
    levels: [5, 8, 6, 9, 11, 7, 5, 4, 8, 10, 12, 9, 6, 8, 7, 5, 9, 11, 6, 4],
    notes: '<p>Crust, steam and <em>tiny cracks</em>. Listen with headphones.</p>',
  },
  {
    id: 'maps',
    show: 'Drawn Lines',
    title: 'The map that was wrong on purpose',
    minutes: 47,
    hue: 330,
    levels: [4, 4, 7, 10, 8, 6, 9, 12, 11, 8, 5, 6, 9, 7, 4, 5, 8, 10, 9, 6],
    notes: '<p>Trap streets, paper towns, and who <strong>paid</strong> for them.</p>',
  },
  {
    id: 'lichen',
    show: 'Slow Places',
    title: 'Lichen keeps the calendar',
    minutes: 29,
    hue: 140,
    levels: [6, 9, 7, 4, 3, 5, 8, 11, 9, 6, 4, 7, 10, 8, 5, 6, 9, 7, 5, 3],
    notes: '<p>One millimetre a year, on a <em>gravestone</em> near you.</p>',
  },
];
