import type { Post } from '../connection/post';
import type { Details } from '../details';
import { type ElementContext, routes } from '../protocol';
import { createReach } from '../ui/reach';
import { createLocator, frameworkOf, readSource } from '.';
import { createExplainer } from './explain';
import { createHandlers } from './handlers';
import { createHeld } from './held';
import { instancesOf } from './instances';
import { findAgain, refind } from './refind';
import type { Resolve } from './resolver';
import { createUsage } from './usage';

export function createDetails(resolve: Resolve, post: Post): Details {
  const locate = createLocator(resolve);
  const usage = createUsage(resolve, (body) => post(routes.usage, body));
  return {
    ownerOf: (element) => readSource(element)?.owners[0] ?? '',
    locate,
    explain: createExplainer(locate, [createHeld(resolve), createHandlers(resolve), usage]),
    frameworkOf,
    find: (args) => refind(args, locate),
    reach: ({ sourceInfo: { usage }, ...context }, button) =>
      usage ? [createReach(usage, () => again(context, resolve), button)] : [],
  };
}

/** The elements of the same place as one that was picked, also after a reload. */
async function again(
  picked: Pick<ElementContext, 'elementId' | 'selector'>,
  resolve: Resolve,
): Promise<Element[]> {
  const how = await findAgain(picked);
  return how ? instancesOf(how, resolve) : [];
}
