import { expect, test } from 'vitest';
import { createAddresses } from '../src/companion/addresses.ts';

function addressesOf(known: string[], base = '/') {
  const told: string[][] = [];
  const addresses = createAddresses(
    () => known,
    base,
    () => told.push(addresses.all()),
  );
  return { addresses, told };
}

test('what Vite says is known, by whichever name of this machine', () => {
  const { addresses, told } = addressesOf(['http://localhost:5173/', 'http://192.168.1.7:5173/']);
  for (const name of ['localhost', '127.0.0.1', '[::1]', '192.168.1.7'])
    addresses.reached(`http://${name}:5173`);
  expect(told).toEqual([]);
});

test('a page that came by another port, scheme or name is told once, with the base', () => {
  const { addresses, told } = addressesOf(['http://localhost:5173/app/'], '/app/');
  for (let time = 0; time < 2; time += 1) {
    addresses.reached('http://localhost:3000');
    addresses.reached('https://app.test');
  }
  expect(told).toEqual([
    ['http://localhost:5173/app/', 'http://localhost:3000/app/'],
    ['http://localhost:5173/app/', 'http://localhost:3000/app/', 'https://app.test/app/'],
  ]);
});

test('however many names lead here, the first ones are told', () => {
  const { addresses } = addressesOf([]);
  for (let port = 4000; port < 4100; port += 1) addresses.reached(`http://localhost:${port}`);
  expect(addresses.all()).toHaveLength(5);
});
