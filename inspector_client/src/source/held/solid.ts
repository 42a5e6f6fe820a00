import { attempt, isRecord } from '../../basics';
import { aligned } from './aligned';
import type { Entry, Owner } from './held';

const MAX_OWNERS = 60;
/** Solid's own components are nobody's in the source; they stand between those that are. */
const OWN =
  /^(For|Show|Index|Switch|Match|Suspense|SuspenseList|ErrorBoundary|Portal|Dynamic|provider)$/;
/** Calls that leave no signal. */
const SIGNALLESS =
  /^use|^create(Memo|Effect|RenderEffect|Computed|Context|UniqueId|Selector|Reaction|Root)$/;
const SIGNALS = ['createSignal', 'createStore', 'createMutable'];

/** Solid's own node for what runs; in development it has the component and its props. */
interface Scope {
  component?: { name?: string };
  props?: object;
  owner?: Scope | null;
  owned?: Scope[] | null;
  sourceMap?: Signal[];
}
interface Signal {
  name?: string;
  value?: unknown;
}

export function solidOwners(element: Element): Owner[] {
  const owners: Owner[] = [];
  for (let at = scopeOf(element); at && owners.length < MAX_OWNERS; at = at.owner) {
    const name = nameOf(at);
    if (at.component && !OWN.test(name)) owners.push(createOwner(at, name));
  }
  return owners;
}

/** The plugin's runtime keeps the owner of the elements that a template's clones begin with. */
function scopeOf(element: Element): Scope | null | undefined {
  const view = element.ownerDocument.defaultView ?? globalThis;
  const pageside: unknown = Reflect.get(view, '__PAGESIDE__');
  const solid = isRecord(pageside) ? pageside.solid : undefined;
  const known = isRecord(solid) ? solid.elements : undefined;
  if (!(known instanceof WeakMap)) return undefined;
  let at: Element | null = element;
  while (at && !known.has(at)) at = at.parentElement;
  return at && (known.get(at) as Scope);
}

const nameOf = ({ component }: Scope) => (component?.name ?? '').replace('[solid-refresh]', '');

function createOwner(scope: Scope, name: string): Owner {
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
function signalsOf({ sourceMap, owned }: Scope): Signal[] {
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
