// Turns the page into the lines of a snapshot: what has a meaning keeps its place, what has none is passed through.
import { collapsed } from '../element/redact';
import { type Reach, reachOf } from './actions';
import { createFlow, type Flow, type Item } from './items';
import { createNames, type Naming } from './names';
import { createOwned } from './owned';
import { roleOf } from './roles';
import {
  holdsNothingElse,
  isBareDrawing,
  isClosed,
  isForeign,
  isLoneLabel,
  isModal,
  isNamedByContent,
  isPassed,
  isToldByControl,
  NAME_LIMIT,
  settled,
} from './rules';
import { contentsOf, cut, quoted, statesOf } from './states';
import {
  eachChild,
  innerDocument,
  isBlock,
  isElement,
  isText,
  isUnseen,
  isWithheld,
  presenceOf,
} from './tree';
import { REDACTED } from './values';

/** What an element has from those around it. */
interface Scene {
  /** The text directly in it is hidden. */
  readonly isBlank: boolean;
  /** Text in it is told by something else. */
  readonly isSilent: boolean;
  /** Only what can be operated is told. */
  readonly isLeaf: boolean;
  /** Behind a modal dialog. */
  readonly isInert: boolean;
  readonly isPrivate: boolean;
  readonly hasPointer: boolean;
}

export interface WalkOptions {
  /** Null for the whole document. */
  readonly root: Element | null;
  readonly verbose: boolean;
}

const OPEN: Scene = {
  isBlank: false,
  isSilent: false,
  isLeaf: false,
  isInert: false,
  isPrivate: false,
  hasPointer: false,
};
const DESCRIPTION_LIMIT = 100;
const ADDRESS_LIMIT = 500;
/** Elements within elements; the stack ends soon after. */
const DEPTH_LIMIT = 300;

/** The items of a whole document, or of one element and what is in it. */
export function walk(view: Document, { root, verbose }: WalkOptions): Item[] {
  const names = createNames();
  const owned = createOwned();
  let modal: Element | null = null;
  let depth = 0;

  function walkDocument(inner: Document): Item[] {
    const known = [...inner.querySelectorAll('dialog:modal')].at(-1) ?? null;
    const outer = modal;
    modal = known;
    const first = walkBehind(inner, known);
    // A modal dialog in a shadow root is only met on the way.
    const items = modal === known ? first : walkBehind(inner, modal);
    modal = outer;
    return items;
  }

  function walkBehind(inner: Document, dialog: Element | null): Item[] {
    owned.read(inner);
    return collect((flow) => {
      const scene = { ...OPEN, isInert: dialog !== null };
      if (inner.documentElement) visit(inner.documentElement, scene, flow);
    });
  }

  function visitNode(node: Node, scene: Scene, flow: Flow): void {
    if (isText(node)) {
      if (!scene.isSilent && !scene.isBlank) flow.text(node.data);
    } else if (isElement(node) && !isUnseen(node) && !owned.isMoved(node)) {
      visit(node, scene, flow);
    }
  }

  function visit(element: Element, around: Scene, flow: Flow): void {
    if (isWithheld(element)) return;
    const presence = presenceOf(element);
    if (presence === 'gone') return;
    const scene = sceneOf(element, around);
    if (presence === 'hidden' || scene.isInert) {
      visitChildren(element, { ...scene, isBlank: true }, flow);
    } else {
      tellOrPass(element, scene.isBlank ? { ...scene, isBlank: false } : scene, flow);
    }
  }

  function sceneOf(element: Element, around: Scene): Scene {
    let scene = around;
    if (isModal(element)) {
      if (!modal) modal = element;
      if (element === modal) scene = { ...scene, isInert: false };
    }
    return element.hasAttribute('data-private') ? { ...scene, isPrivate: true } : scene;
  }

  function tellOrPass(element: Element, scene: Scene, flow: Flow): void {
    const role = roleOf(element);
    const isLabel = role === 'LabelText';
    const isLone = isLabel && isLoneLabel(element);
    const reach = isLone ? 'click' : reachOf(element, role, scene.hasPointer);
    const passed = isPassed(role, reach, scene.isLeaf);
    const isNameless = passed === 'unnamed' && !names.naming(element, role).name;
    if (passed === true || isNameless) {
      pass(element, isLabel && isToldByControl(element), scene, flow);
    } else {
      tell(element, role, reach, scene, flow);
    }
  }

  function pass(element: Element, isTold: boolean, scene: Scene, flow: Flow): void {
    if (element.localName === 'br') flow.text(' ');
    if (isClosed(element) || isBareDrawing(element)) return;
    const isOnly = !element.previousSibling && !element.nextSibling;
    const isApart = !isOnly && isBlock(element);
    if (isApart) flow.break();
    // A click on the label is one on its control.
    visitChildren(element, isTold ? { ...scene, isSilent: true, hasPointer: true } : scene, flow);
    if (isApart) flow.break();
  }

  function tell(element: Element, role: string, reach: Reach, scene: Scene, flow: Flow): void {
    const byContent = isNamedByContent(role) && !scene.isPrivate;
    const naming = names.naming(element, role, byContent ? undefined : false);
    const item: Item = {
      element,
      role,
      name: cut(naming.name, NAME_LIMIT),
      states: wordsOf(element, role, reach, naming),
      acts: reach !== null,
      isForeign: isForeign(element, role),
      children: childrenOf(element, role, naming, {
        ...scene,
        hasPointer: scene.hasPointer || reach !== null,
      }),
    };
    for (const told of settled(item, naming)) flow.add(told);
  }

  function wordsOf(element: Element, role: string, reach: Reach, naming: Naming): string[] {
    const words = [...statesOf(element, role), ...contentsOf(element, role)];
    const control = role === 'LabelText' && (element as HTMLLabelElement).control;
    if (control) words.push(roleOf(control), ...statesOf(control, roleOf(control)));
    if (reach === 'click') words.push('clickable');
    if (isFocused(element)) words.push('focused');
    const description = names.description(element, naming);
    if (description) {
      words.push(`description=${quoted(description, verbose ? Infinity : DESCRIPTION_LIMIT)}`);
    }
    return verbose ? [...words, ...addressOf(element)] : words;
  }

  function childrenOf(element: Element, role: string, naming: Naming, scene: Scene): Item[] {
    if (role === 'Iframe') {
      const inner = innerDocument(element);
      return inner ? walkDocument(inner) : [];
    }
    const isFolded = role === 'combobox' && element.localName === 'select' && element !== root;
    if (isFolded || isClosed(element)) return [];
    const isLeaf = scene.isLeaf || holdsNothingElse(element, role, naming);
    const inner = { ...scene, isLeaf, isSilent: scene.isSilent || isLeaf };
    return collect((flow) => visitChildren(element, inner, flow));
  }

  function visitChildren(element: Element, scene: Scene, flow: Flow): void {
    if (element.shadowRoot) owned.read(element.shadowRoot);
    const hides = scene.isPrivate && !scene.isSilent;
    if (hides && collapsed(element.textContent)) flow.text(REDACTED);
    const inner = hides ? { ...scene, isSilent: true } : scene;
    if (depth >= DEPTH_LIMIT) {
      flow.text('…');
      return;
    }
    depth += 1;
    eachChild(element, (child) => visitNode(child, inner, flow));
    for (const child of owned.of(element)) {
      flow.break();
      visit(child, inner, flow);
    }
    depth -= 1;
  }

  if (!root) return walkDocument(view);
  owned.read(root.getRootNode() as Document | ShadowRoot);
  return collect((flow) => visit(root, OPEN, flow));
}

function collect(fill: (flow: Flow) => void): Item[] {
  const flow = createFlow();
  fill(flow);
  flow.break();
  return flow.items;
}

function isFocused(element: Element): boolean {
  const { activeElement } = element.getRootNode() as Document | ShadowRoot;
  return activeElement === element && element !== element.ownerDocument.body;
}

function addressOf(element: Element): string[] {
  const { href, currentSrc } = element as HTMLAnchorElement & HTMLImageElement;
  const address = typeof href === 'string' ? href : currentSrc;
  return address ? [`url=${quoted(address, ADDRESS_LIMIT)}`] : [];
}
