export interface Dish {
  id: string;
  name: string;
  kitchen: string;
  description: string;
  price: number;
  minutes: number;
  vegetarian: boolean;
  hue: number;
  /** How often it was ordered in each of the last seven weeks. */
  history: number[];
}

export interface Order {
  person: string;
  dish: string;
}

export const YOU = 'You';

export const MENU: Dish[] = [
  {
    id: 'ramen',
    name: 'Miso ramen',
    kitchen: 'Kaze',
    description: 'Slow broth, soft egg, charred corn and spring onion.',
    price: 13.5,
    minutes: 35,
    vegetarian: false,
    hue: 24,
    history: [2, 4, 3, 6, 5, 7, 8],
  },
  {
    id: 'falafel',
    name: 'Falafel plate',
    kitchen: 'Beit Zaytun',
    description: 'Herb falafel, tahini, pickled turnip and warm bread.',
    price: 11,
    minutes: 25,
    vegetarian: true,
    hue: 96,
    history: [5, 5, 6, 4, 7, 6, 7],
  },
  {
    id: 'gnocchi',
    name: 'Gnocchi al forno',
    kitchen: 'Nonna Pia',
    description: 'Baked with tomato, smoked scamorza and a lot of basil.',
    price: 12.9,
    minutes: 40,
    vegetarian: true,
    hue: 6,
    history: [3, 2, 4, 4, 3, 5, 4],
  },
  {
    id: 'poke',
    name: 'Salmon poke bowl',
    kitchen: 'Tide',
    description: 'Sushi rice, edamame, cucumber, sesame and lime.',
    price: 14.2,
    minutes: 30,
    vegetarian: false,
    hue: 200,
    history: [6, 7, 5, 5, 4, 3, 4],
  },
  {
    id: 'dal',
    name: 'Dal makhani',
    kitchen: 'Jaipur House',
    description: 'Black lentils, butter, ginger and two garlic naan.',
    price: 10.8,
    minutes: 30,
    vegetarian: true,
    hue: 46,
    history: [1, 2, 2, 3, 5, 5, 6],
  },
  {
    id: 'banh-mi',
    name: 'Bánh mì',
    kitchen: 'Sài Gòn 21',
    description: 'Lemongrass chicken, pickled carrot, coriander, chilli.',
    price: 8.5,
    minutes: 20,
    vegetarian: false,
    hue: 282,
    history: [4, 3, 5, 4, 4, 6, 5],
  },
];

export const FIRST_ORDERS: Order[] = [
  { person: 'Amara', dish: 'falafel' },
  { person: 'Jonas', dish: 'ramen' },
  { person: 'Mei', dish: 'ramen' },
  { person: 'Priya', dish: 'gnocchi' },
  { person: 'Tomás', dish: 'falafel' },
  { person: 'Wren', dish: 'dal' },
];

export function euros(amount: number): string {
  return amount.toLocaleString('en-IE', { style: 'currency', currency: 'EUR' });
}
