import { attempt } from '../../basics';
import { notedFor } from '../noted';
import { callSites, componentName, type Entry as Site } from '../svelte';
import type { Entry, Owner } from './held';

/** What the plugin's runtime noted of a component. */
interface Noted {
  props: object;
  state: { name: string; source?: { v?: unknown; fn?: unknown }; value?: unknown }[];
}
interface Notes {
  /** By the tag that made the component, and those that no tag made by their file. */
  components: WeakMap<object, Noted>;
  roots: Map<string, Noted>;
}

export function svelteOwners(element: Element): Owner[] {
  const meta: { loc?: { file: string }; parent?: Site | null } | null = Reflect.get(
    element,
    '__svelte_meta',
  );
  if (!meta?.loc) return [];
  const notes = notedFor<Notes>(element, 'svelteState');
  const sites = callSites(meta.loc.file, meta.parent ?? null);
  return [meta.loc, ...sites].map(({ file }, index) => {
    const site = sites[index];
    return createOwner(file, site ? notes?.components.get(site) : notes?.roots.get(file));
  });
}

function createOwner(file: string, noted: Noted | undefined): Owner {
  return {
    name: componentName(file),
    props: () => propsOf(noted?.props ?? {}),
    state: () => (noted?.state ?? []).map(fromState),
  };
}

/** Most are getters: reading one runs the expression that the parent wrote for it. */
function propsOf(props: object): Entry[] {
  return Object.keys(props)
    .filter((name) => !name.startsWith('$$'))
    .map((name) => ({ name, value: attempt(() => Reflect.get(props, name)) }));
}

/** What a signal holds now; a derived one is not run for this. */
function fromState({ name, source, value }: Noted['state'][number]): Entry {
  if (!source) return { name, value, kind: '$state' };
  const kind = 'fn' in source ? '$derived' : '$state';
  // Svelte's mark for what nobody has asked for yet.
  return { name, value: typeof source.v === 'symbol' ? undefined : source.v, kind };
}
