import { hostOf } from '../element/deep';
import { isSecretField } from '../element/redact';
import { filled, isFileInput, takesMany } from './fill';
import { findBySelector, findByText, othersSaying } from './find';
import { createGather } from './gather';
import { createMarks } from './mark';
import { markups } from './markup';
import { createMasks } from './mask';
import { createNames } from './names';
import { hideOverlay, takesKey, takesPoint } from './overlay';
import { prepare } from './prepare';
import { describe, ready } from './ready';
import { roleOf } from './roles';
import { scrollView } from './scroll';
import { createSnapshots, type SnapshotOptions } from './snapshot';
import {
  createScrolls,
  frameZoom,
  inheritedFrom,
  isCutOff,
  longhands,
  nextFrame,
  originOf,
  parentOf,
  selectorsAround,
  tagOf,
  titleOf,
  viewSize,
  whyNoBox,
  zoomOf,
} from './surroundings';
import { isElement } from './tree';
import { createTyping } from './typing';
import { createUids } from './uids';
import { createVitals } from './vitals';
import { nextChange, waitFor } from './wait';

const isSecret = (element: Element): boolean =>
  isSecretField(element) || !!element.closest('[data-private]');

/** What the companion has in every document: kept by its handle alone, so no script of the page can reach it. */
export default function createToolkit(doc: number) {
  const uids = createUids(doc);
  const snapshots = createSnapshots(uids);
  return {
    ...uids,
    ...snapshots,
    /** Elements reach a function only as arguments of their own. */
    snapshotOf: (root: Element | null, options: SnapshotOptions) =>
      snapshots.snapshot({ ...options, root }),
    ...createGather(uids),
    ...createTyping(),
    ...createMarks(),
    ...createMasks(),
    ...createVitals(uids),
    ...createScrolls(),
    inheritedFrom,
    isCutOff,
    originOf,
    parentOf,
    selectorsAround,
    viewSize,
    nextFrame,
    whyNoBox,
    longhands,
    frameZoom,
    zoomOf,
    tagOf,
    titleOf,
    findBySelector,
    findByText,
    othersSaying,
    markups,
    ready,
    describe,
    prepare,
    filled,
    isFileInput,
    takesMany,
    nextChange,
    waitFor,
    scrollView,
    hideOverlay,
    takesKey,
    takesPoint,
    /** True for a document that the one around it can see into, and tells with its own. */
    isInner: (): boolean => hostOf(document) !== null,
    /** Of each node its uid ('' of text), and whether what it holds is a secret. */
    uidsOf: (...nodes: Node[]): [string, boolean][] =>
      nodes.map((node) => (isElement(node) ? [uids.uid(node), isSecret(node)] : ['', false])),
    role: roleOf,
    /** What the element is called; '' if it has no name. */
    name: (element: Element): string => createNames().naming(element, roleOf(element)).name,
  };
}
