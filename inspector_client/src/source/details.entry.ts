import type { Details } from '../details';
import { createLocator, frameworkOf, readSource } from '.';
import type { Resolve } from './resolver';

export function createDetails(resolve: Resolve): Details {
  const locate = createLocator(resolve);
  return {
    ownerOf: (element) => readSource(element)?.owners[0] ?? '',
    locate,
    explain: locate,
    frameworkOf,
  };
}
