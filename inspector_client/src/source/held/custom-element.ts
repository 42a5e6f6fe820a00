import { attempt, isRecord } from '../../basics';
import { redactAttribute } from '../../element/redact';
import { classOf, hostsOf } from '../marked';
import { type Entry, fieldsOf, type Owner } from './held';

interface Declared {
  state?: boolean;
}

/** Lit's components and plain custom elements: the hosts of the shadow roots around an element, else the element itself. */
export function customElementOwners(element: Element): Owner[] {
  const hosts = hostsOf(element);
  if (hosts.length === 0 && element.localName.includes('-')) hosts.push(element);
  return hosts.map(createOwner);
}

function createOwner(host: Element): Owner {
  const declared = declaredBy(host);
  const read = ([name, { state }]: [string, Declared]): Entry => ({
    name,
    value: attempt(() => Reflect.get(host, name)),
    kind: state ? 'state' : 'property',
  });
  return {
    name: classOf(host),
    props: () =>
      declared.length > 0
        ? declared.filter(([, { state }]) => !state).map(read)
        : [...host.attributes].map(({ name, value }) => ({
            name,
            value: redactAttribute(host, name, value),
            kind: 'attribute',
          })),
    state: () =>
      declared.length > 0
        ? declared.filter(([, { state }]) => state).map(read)
        : fieldsOf(host, 'field').filter(
            ({ name, value }) => typeof value !== 'function' && !/^(__|_\$)/.test(name),
          ),
  };
}

/** Lit's `@property` and `@state`: their accessors only hand out what they keep. */
function declaredBy(host: Element): [string, Declared][] {
  const properties: unknown = attempt(() => Reflect.get(host.constructor, 'elementProperties'));
  if (!(properties instanceof Map)) return [];
  return [...properties].filter(
    (entry): entry is [string, Declared] => typeof entry[0] === 'string' && isRecord(entry[1]),
  );
}
