import { isRecord } from '../../basics';
import { MAX_OWNERS } from '../raw';
import { componentName, type Fiber, keyed, ownerOf } from '../react';
import { aligned, type Known } from './aligned';
import { type Entry, fieldsOf, type Owner } from './held';

/** A component's fiber; both of its pair lead to the same parents. */
interface ComponentFiber extends Fiber {
  return?: ComponentFiber | null;
  child?: ComponentFiber | null;
  sibling?: ComponentFiber | null;
  alternate?: ComponentFiber | null;
  /** The class's instance; of the root: the pair's one that is shown now is its `current`. */
  stateNode?: { state?: unknown; current?: ComponentFiber } | null;
  /** A list of hooks, or a class's state. */
  memoizedState?: unknown;
  _debugHookTypes?: string[] | null;
  dependencies?: { firstContext?: ContextItem | null } | null;
}
interface Hook {
  memoizedState: unknown;
  next: Hook | null;
}
interface ContextItem {
  context?: { displayName?: string };
  memoizedValue?: unknown;
  next?: ContextItem | null;
}

/** Hooks that React keeps in several parts, of which the first holds the value; and those that it does not keep. */
const PARTS: Record<string, number> = {
  useTransition: 2,
  useSyncExternalStore: 2,
  useActionState: 3,
  useFormState: 3,
  useContext: 0,
  useDebugValue: 0,
};
const VALUES: Record<string, (kept: unknown) => unknown> = {
  useState: (kept) => kept,
  useReducer: (kept) => kept,
  useRef: (kept) => (isRecord(kept) ? kept.current : kept),
  useMemo: (kept) => (Array.isArray(kept) ? kept[0] : kept),
  useSyncExternalStore: (kept) => kept,
  useDeferredValue: (kept) => kept,
  useOptimistic: (kept) => kept,
  useActionState: (kept) => kept,
  useFormState: (kept) => kept,
  useTransition: (kept) => kept,
  useId: (kept) => kept,
};
const SILENT =
  /^use(Callback|Context|DebugValue|CacheRefresh|EffectEvent|ImperativeHandle|(Insertion|Layout)?Effect)$/;
/** Hooks of React's that leave no trace in a component. */
const TRACELESS = /^use(FormStatus|HostTransitionStatus|MemoCache)$/;

export function reactOwners(element: Element): Owner[] {
  const fiber = keyed<Fiber>(element, '__reactFiber$');
  const owners: Owner[] = [];
  for (let at = fiber && ownerOf(fiber); at && owners.length < MAX_OWNERS; at = ownerOf(at))
    owners.push(createOwner(at));
  return owners;
}

function createOwner(fiber: ComponentFiber): Owner {
  const shown = () => shownOf(fiber);
  return {
    name: componentName(fiber),
    props: () => fieldsOf(shown().memoizedProps),
    state(hooks) {
      const { stateNode, _debugHookTypes: ran, memoizedState } = shown();
      if (stateNode) return fieldsOf(stateNode.state, 'state');
      if (!ran) return [];
      const written = hooks.filter(({ hook }) => !TRACELESS.test(hook));
      const known = aligned(ran, written, isOwn, (one, other) => one === other);
      const kept = listOf(memoizedState as Hook | null);
      const contexts = contextsOf(shown(), ran);
      return entries(ran, known, kept, contexts);
    },
  };
}

/** Of a fiber and its alternate the one whose props and state are on the page. */
function shownOf(fiber: ComponentFiber): ComponentFiber {
  const path: ComponentFiber[] = [];
  let root = fiber;
  for (; root.return; root = root.return) path.unshift(root);
  let at = root.stateNode?.current;
  for (const step of path) {
    let child: ComponentFiber | null | undefined = at?.child;
    while (child && child !== step && child !== step.alternate) child = child.sibling;
    if (!child) return fiber;
    at = child;
  }
  return at ?? fiber;
}

const isOwn = (hook: string) => !(hook in VALUES) && !SILENT.test(hook);

function listOf(first: Hook | null): unknown[] {
  const kept: unknown[] = [];
  for (let hook = first; hook; hook = hook.next) kept.push(hook.memoizedState);
  return kept;
}

function contextsOf({ dependencies }: ComponentFiber, ran: string[]): ContextItem[] {
  const items: ContextItem[] = [];
  for (let item = dependencies?.firstContext; item; item = item.next) items.push(item);
  // `use(context)` reads one as well, and is none of the hooks that ran.
  return items.length === ran.filter((hook) => hook === 'useContext').length ? items : [];
}

function entries(ran: string[], known: Known[], kept: unknown[], contexts: ContextItem[]): Entry[] {
  const parts = ran.map((hook) => PARTS[hook] ?? 1);
  // Another version of React keeps them in another way: then nothing is certain.
  if (parts.reduce((sum, count) => sum + count, 0) !== kept.length) return [];
  const found: Entry[] = [];
  let at = 0;
  let context = 0;
  ran.forEach((hook, index) => {
    const { name, inside } = known[index] ?? { name: '' };
    const kind = inside ? `${hook} in ${inside}` : hook;
    const read = VALUES[hook];
    const item = hook === 'useContext' ? contexts[context++] : undefined;
    if (item)
      found.push({
        name: name || (item.context?.displayName ?? ''),
        value: item.memoizedValue,
        kind,
      });
    else if (read) found.push({ name, value: read(kept[at]), kind });
    at += parts[index] ?? 1;
  });
  return found;
}
