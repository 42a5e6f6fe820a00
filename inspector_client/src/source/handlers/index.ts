import { parentOf } from '../../element/deep';
import { selectorOf } from '../../element/selector';
import type { HandlerInfo, Resolved, SourceLocation, WrittenAttribute } from '../../protocol';
import { readSource } from '..';
import type { Part } from '../explain';
import { placeIndex } from '../owners';
import type { RawSource } from '../raw';
import type { Resolve } from '../resolver';
import { eventOf, type Listening, listeningOn } from './listening';

const ANCESTORS = 10;
const HANDLERS = 20;
/** How often a handler may be handed on as a prop. */
const HANDED_ON = 8;
/** These reach their target alone. */
const SILENT =
  /^(mouse|pointer)(enter|leave)$|^(load|error|scroll|scrollend|toggle|invalid|cancel|close|play|pause|ended)$/;
/** What tells only in the source what listens; the others tell it themselves. */
const TOLD_BY_SOURCE = /^(react|preact|vue)$/;
const EVENT_ATTRIBUTE = /^(on[:A-Za-z]|oncapture:|@|v-on:)/;
const NOWHERE = { file: '', line: 0, column: 0 };

/** `instead`: the attribute that counts where the spread after it does not have one. */
type Matched = WrittenAttribute & { instead?: WrittenAttribute | undefined };
type ReadRaw = NonNullable<ReturnType<typeof readSource>>;

/** What is called when an event reaches the element, itself or through what is around it. */
export function createHandlers(resolve: Resolve): Part {
  const finder = createFinder(resolve);
  return async (element, located) => {
    const found = await Promise.all([
      finder.of(element),
      finder.ofComponentTag(element, located),
      ...listenersAround(element).map((each) => finder.around(each)),
    ]);
    const handlers = found.flat().slice(0, HANDLERS);
    return handlers.length > 0 ? { handlers } : {};
  };
}

/** The nearest elements around that listen to anything. */
function listenersAround(element: Element): Element[] {
  const found: Element[] = [];
  for (let at = parentOf(element); at && found.length < ANCESTORS; at = parentOf(at))
    if (listeningOn(at).length > 0 || hasWrittenPlace(at)) found.push(at);
  return found;
}

/** Only its source can say what listens to it. */
function hasWrittenPlace(element: Element): boolean {
  const raw = readSource(element);
  return raw?.from === element && !TOLD_BY_SOURCE.test(raw.framework);
}

function createFinder(resolve: Resolve) {
  async function attributesAt(raw: RawSource | null, index: number): Promise<Resolved | null> {
    const place = raw?.places[index];
    if (!place) return null;
    const [resolved] = await resolve([{ ...place, more: true }]);
    return resolved ?? null;
  }
  /** Through props up to where the function itself is written. */
  async function followed(
    raw: RawSource,
    attribute: Matched,
    component: string | null,
    from: number,
  ): Promise<WrittenAttribute> {
    let at: WrittenAttribute = attribute;
    let within = component;
    let owner = from;
    for (let step = 0; at.prop && step < HANDED_ON; step += 1) {
      owner = siteOf(within ?? '', raw.owners, owner);
      const site = await attributesAt(raw, owner);
      const given = site && givenAs(at.prop, site.attributes ?? []);
      if (!given) return ungiven(at, step === 0 ? attribute.instead : undefined, site);
      at = given;
      within = site.component;
    }
    return at;
  }
  async function of(element: Element): Promise<HandlerInfo[]> {
    const raw = readSource(element);
    const own: ReadRaw | null = raw?.from === element ? raw : null;
    const written = await attributesAt(own, 0).catch(() => null);
    const attributes = written?.attributes ?? [];
    const listening = listeningOn(element);
    const matched = listening.map((each) => [each, matching(each, attributes)] as const);
    const known = new Set(matched.map(([, attribute]) => attribute));
    const rest = TOLD_BY_SOURCE.test(own?.framework ?? '') ? [] : attributes.filter(isEvent);
    const unseen = rest.filter((attribute) => !known.has(attribute)).map(fromSource);
    return Promise.all(
      [...matched, ...unseen].map(async ([each, attribute]) => {
        const place =
          own && attribute && (await followed(own, attribute, written?.component ?? null, 0));
        return infoOf(each, place || undefined);
      }),
    );
  }
  return {
    of,
    async around(element: Element): Promise<HandlerInfo[]> {
      const found = (await of(element)).filter(({ event }) => !SILENT.test(event));
      return found.map((each) => ({ ...each, on: selectorOf(element) }));
    },
    /** Of a package's element: the handlers that the user gave the package's component. */
    async ofComponentTag(element: Element, located: SourceLocation): Promise<HandlerInfo[]> {
      const raw = readSource(element);
      const index = placeIndex(located);
      if (!raw || index === 0 || raw.from !== element) return [];
      const site = await attributesAt(raw, index).catch(() => null);
      const given = (site?.attributes ?? []).filter(isEvent);
      return Promise.all(
        given.map(async (attribute) => {
          const place = await followed(raw, attribute, site?.component ?? null, index);
          return infoOf({ attribute: attribute.attribute, name: '', via: 'component' }, place);
        }),
      );
    },
  };
}

/** Which place of an element is the call site of the component: the first from an index outwards. */
function siteOf(component: string, owners: string[], from: number): number {
  const named = owners.indexOf(component, from);
  return (named < 0 ? from : named) + 1;
}

/** Where a call site does not hand it over: certain only if nothing there could. */
function ungiven(
  at: WrittenAttribute,
  instead: WrittenAttribute | undefined,
  site: Resolved | null,
): WrittenAttribute {
  return instead && site?.exact && !hasSpread(site) ? instead : { ...at, ...NOWHERE };
}

/** What a call site hands over as a prop, by itself or with all that it was given. */
function givenAs(prop: string, attributes: WrittenAttribute[]): WrittenAttribute | undefined {
  const own = attributes.findLast(
    ({ attribute }) => attribute.toLowerCase() === prop.toLowerCase(),
  );
  if (own && !own.spread) return own;
  const given = attributes.findLast((each) => each.attribute === '...' && each.prop);
  return given && { ...given, prop };
}

const hasSpread = ({ attributes = [] }: Resolved) =>
  attributes.some(({ attribute }) => attribute === '...');
const isEvent = ({ attribute }: WrittenAttribute) => EVENT_ATTRIBUTE.test(attribute);
const fromSource = (attribute: WrittenAttribute): readonly [Listening, WrittenAttribute] => [
  { attribute: attribute.attribute, name: '', via: 'source' },
  attribute,
];

/** The attribute that hands the function over: its own, else the spread of what the component was given. */
function matching(listening: Listening, written: WrittenAttribute[]): Matched | undefined {
  const own = written.findLast((each) => isEvent(each) && isSame(each, listening));
  const { name } = listening;
  if (own && (!own.spread || (own.name !== '' && own.name === name))) return own;
  const given = written.findLast(({ attribute, prop }) => attribute === '...' && prop);
  return given && listening.via !== 'dom'
    ? { ...given, prop: listening.attribute, instead: own }
    : undefined;
}

function isSame({ attribute }: WrittenAttribute, listening: Listening): boolean {
  if (listening.via === 'dom') return attribute === listening.attribute;
  return eventOf(attribute) === eventOf(listening.attribute);
}

function infoOf(listening: Listening, written: WrittenAttribute | undefined): HandlerInfo {
  const { attribute, via } = listening;
  const { file, line, column } = written ?? NOWHERE;
  return {
    event: eventOf(attribute),
    name: written?.name || givenName(listening),
    file,
    line,
    column,
    via,
  };
}

/** A function that is written right into its attribute is called like that, or like the event. */
function givenName({ attribute, name }: Listening): string {
  const own = name.replace(/^bound /, '');
  const names = [attribute.toLowerCase(), eventOf(attribute)];
  return names.includes(own.toLowerCase()) ? '' : own;
}
