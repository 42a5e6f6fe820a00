import type { Held, SourceLocation } from '../../protocol';
import { readSource } from '..';
import type { Part } from '../explain';
import { NAMELESS, placeIndex } from '../owners';
import type { Resolve } from '../resolver';
import { customElementOwners } from './custom-element';
import { type Owner, type OwnersOf, told } from './held';
import { preactOwners } from './preact';
import { reactOwners } from './react';
import { solidOwners } from './solid';
import { svelteOwners } from './svelte';
import { createTelling } from './text';
import { vueOwners } from './vue';

/** One entry per framework whose components can be looked into. */
const FRAMEWORKS: Record<string, OwnersOf> = {
  react: reactOwners,
  preact: preactOwners,
  vue: vueOwners,
  solid: solidOwners,
  svelte: svelteOwners,
};

/** What the component that the element is written in was given, and what it keeps. */
export function createHeld(resolve: Resolve): Part {
  return async (element, located) => {
    const raw = readSource(element);
    const from = raw?.from ?? element;
    const ownersOf = FRAMEWORKS[raw?.framework ?? ''] ?? customElementOwners;
    const owners = ownersOf(from);
    const index = placeIndex(located);
    const owner = chosen(owners, located, index);
    if (!owner) return {};
    const name = nameOf(owner, owners, located);
    const isIts = name === located.component;
    const place = isIts ? raw?.places[index] : undefined;
    const [written] = place ? await resolve([{ ...place, more: true }]) : [];
    const telling = createTelling(from.ownerDocument);
    const props = told(owner.props(), telling);
    const state = told(owner.state(written?.hooks ?? []), telling);
    if (props.length + state.length === 0) return {};
    return { ...some({ props }), ...some({ state }), ...(!isIts && name && { heldBy: name }) };
  };
}

/** The one whose source has the tag. It is not always the one that renders it: think of slots and render props. */
function chosen(owners: Owner[], { component }: SourceLocation, index: number): Owner | undefined {
  return owners.find(({ name }) => name === component) ?? owners[index] ?? owners[0];
}

function nameOf(owner: Owner, owners: Owner[], { stack }: SourceLocation): string {
  const called = stack[owners.indexOf(owner)]?.component ?? '';
  return NAMELESS.test(owner.name) ? called : owner.name;
}

function some<T extends Record<string, Held[]>>(found: T): T | object {
  return Object.values(found).some(({ length }) => length > 0) ? found : {};
}
