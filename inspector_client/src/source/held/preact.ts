import { isRecord } from '../../basics';
import type { HookCall } from '../../protocol';
import { componentName, ownerOf, type VNode, vnodeOf } from '../preact';
import { MAX_OWNERS } from '../raw';
import { aligned } from './aligned';
import { type Entry, fieldsOf, type Owner } from './held';

/** `__c`: the component of a node. */
type ComponentNode = VNode & { __c?: Component | null };

interface Component {
  state?: object;
  /** `__`: the hooks in the order of their calls. */
  __H?: { __?: Kept[] } | null;
  context?: Record<string, { props?: { value?: unknown } } | undefined>;
}
interface Kept {
  /** `[value, set]` of a state, the value of a memo, the callback of an effect. */
  __?: unknown;
  /** Of a context: the context. */
  c?: { displayName?: string; Provider?: unknown; __c?: string; __?: unknown };
  /** The reducer of a state. */
  t?: unknown;
  [more: string]: unknown;
}

const WRITTEN_AS: Record<string, RegExp> = {
  state: /^use(State|Reducer)$/,
  context: /^useContext$/,
  memo: /^use(Memo|Ref|Id)$/,
  effect: /^use((Layout)?Effect|ImperativeHandle)$/,
  /** Before version 11 effects look like callbacks. */
  function: /^use(Memo|Callback|(Layout)?Effect|ImperativeHandle)$/,
};
/** Those of Preact that are one entry of the list each; `useDebugValue` is none. */
const ONE = /^use(State|Reducer|Context|Memo|Ref|Callback|Id|(Layout)?Effect|ImperativeHandle)$/;

export function preactOwners(element: Element): Owner[] {
  const vnode = vnodeOf(element);
  const owners: Owner[] = [];
  for (let at = vnode && ownerOf(vnode); at && owners.length < MAX_OWNERS; at = ownerOf(at))
    owners.push(createOwner(at));
  return owners;
}

function createOwner(vnode: ComponentNode): Owner {
  const { props, __c: component } = vnode;
  return {
    name: componentName(vnode),
    props: () => fieldsOf(props),
    state(hooks) {
      const kept = component?.__H?.__ ?? [];
      const own = fieldsOf(component?.state, 'state');
      return kept.length > 0 ? fromHooks(kept, hooks, component) : own;
    },
  };
}

function fromHooks(kept: Kept[], hooks: HookCall[], component?: Component | null): Entry[] {
  const ran = kept.map(shapeOf);
  const written = hooks.filter(({ hook }) => hook !== 'useDebugValue');
  const isOwn = (hook: string) => !ONE.test(hook);
  const fits = (shape: string, hook: string) => WRITTEN_AS[shape]?.test(hook) ?? false;
  const known = aligned(ran, written, isOwn, fits);
  return kept.flatMap((hook, index) => {
    const shape = ran[index] ?? '';
    const { name = '', inside } = known[index] ?? {};
    const as = kindOf(shape, hook);
    const kind = inside ? `${as} in ${inside}` : as;
    if (shape === 'effect' || shape === 'function') return [];
    if (shape === 'context') return [fromContext(hook, name, kind, component)];
    return [{ name, value: heldBy(as, hook.__), kind }];
  });
}

function heldBy(kind: string, value: unknown): unknown {
  if (kind === 'useState') return Array.isArray(value) ? value[0] : value;
  return kind === 'useRef' && isRecord(value) ? value.current : value;
}

function shapeOf(hook: Kept): string {
  if (Array.isArray(hook.__) && typeof hook.t === 'function') return 'state';
  if (hook.c?.Provider) return 'context';
  if ('__P' in hook) return 'effect';
  return typeof hook.__ === 'function' ? 'function' : 'memo';
}

function kindOf(shape: string, { __: value }: Kept): string {
  if (shape === 'state') return 'useState';
  if (shape === 'context') return 'useContext';
  return isRecord(value) && Object.keys(value).join() === 'current' ? 'useRef' : 'useMemo';
}

function fromContext(hook: Kept, name: string, kind: string, component?: Component | null): Entry {
  const { displayName = '', __c: id = '', __: initial } = hook.c ?? {};
  const provider = component?.context?.[id];
  return { name: name || displayName, value: provider ? provider.props?.value : initial, kind };
}
