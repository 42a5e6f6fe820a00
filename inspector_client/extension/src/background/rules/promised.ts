/** A promise with its ends in hand. */
export interface Promised<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(why: unknown): void;
}

export function promised<T = void>(): Promised<T> {
  let ends: Omit<Promised<T>, 'promise'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    ends = { resolve, reject };
  });
  return { promise, ...(ends as Omit<Promised<T>, 'promise'>) };
}
