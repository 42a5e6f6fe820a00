export function load() {
  return {
    books: [
      { title: 'Tides and Tables', lent: false },
      { title: 'The Lamp Keeper', lent: true },
      { title: 'Knots, Patiently', lent: false },
    ],
  };
}
