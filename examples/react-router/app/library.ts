export interface Book {
  title: string;
  lent: boolean;
}

export function books(): Book[] {
  return [
    { title: 'Tides and Tables', lent: false },
    { title: 'The Lamp Keeper', lent: true },
    { title: 'Knots, Patiently', lent: false },
  ];
}
