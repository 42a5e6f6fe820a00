import { attempt } from '../../basics';
import { MAX_OWNERS } from '../raw';
import { nameOf, notesOf, type Scope, topOf } from '../solid';
import { aligned } from './aligned';
import type { Entry, Owner } from './held';

/** Calls that leave no signal. */
const SIGNALLESS =
  /^use|^create(Memo|Effect|RenderEffect|Computed|Context|UniqueId|Selector|Reaction|Root)$/;
const SIGNALS = ['createSignal', 'createStore', 'createMutable'];

interface Component extends Scope {
  owner?: Component | null;
  owned?: Component[] | null;
  sourceMap?: Signal[];
}
interface Signal {
  name?: string;
  value?: unknown;
}

export function solidOwners(element: Element): Owner[] {
  const noted = notesOf(element);
  const top = noted && topOf(element, noted);
  const owners: Owner[] = [];
  let at: Component | null | undefined = top && noted?.elements.get(top);
  for (; at && owners.length < MAX_OWNERS; at = at.owner) {
    const name = nameOf(at);
    if (name) owners.push(createOwner(at, name));
  }
  return owners;
}

function createOwner(scope: Component, name: string): Owner {
  return {
    name,
    props: () => propsOf(scope.props ?? {}),
    state(hooks) {
      const signals = signalsOf(scope);
      const written = hooks.filter(({ hook }) => !SIGNALLESS.test(hook));
      const ran = signals.map(() => 'signal');
      const isOwn = (hook: string) => !SIGNALS.includes(hook);
      const known = aligned(ran, written, isOwn, (_, hook) => SIGNALS.includes(hook));
      return signals.map((signal, index) => fromSignal(signal, known[index]));
    },
  };
}

/** Most of Solid's props are getters: reading one runs the expression that the parent wrote for it. */
function propsOf(props: object): Entry[] {
  return Object.keys(props).map((name) =>
    name === 'children'
      ? { name, value: Object.getOwnPropertyDescriptor(props, name)?.value ?? '…' }
      : { name, value: attempt(() => Reflect.get(props, name)) },
  );
}

/** Where hot reloading wraps a component, its signals are in the first thing that the wrapper runs. */
function signalsOf({ sourceMap, owned }: Component): Signal[] {
  const inner = owned?.find((scope) => !scope.component)?.sourceMap;
  return sourceMap ?? inner ?? [];
}

function fromSignal(
  { name, value }: Signal,
  known: { name: string; inside?: string } | undefined,
): Entry {
  const kind = known?.inside ? `signal in ${known.inside}` : 'signal';
  return { name: name || known?.name || '', value, kind };
}
