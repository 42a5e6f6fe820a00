import { clip, recordOf } from '../basics';

const GROUPS: Record<string, string> = {
  layout: 'display position zIndex width height overflow flexDirection justifyContent alignItems',
  typography: 'fontSize fontFamily fontWeight lineHeight color textAlign',
  spacing: 'padding margin gap',
  background: 'backgroundColor backgroundImage',
  border: 'border borderRadius',
  effects: 'opacity boxShadow transform',
};
const VALUE_CHARS = 200;
const INLINE_PROPERTIES = 40;

export function computedStylesOf(element: Element): Record<string, Record<string, string>> {
  const style = getComputedStyle(element);
  const value = (name: string) => clip(String(Reflect.get(style, name)), VALUE_CHARS);
  return recordOf(Object.keys(GROUPS), (group) => recordOf(GROUPS[group]?.split(' ') ?? [], value));
}

/** The element's own `style` declarations. */
export function inlineStylesOf({ style }: Partial<HTMLElement>): Record<string, string> {
  const names = Array.from(style ?? []).slice(0, INLINE_PROPERTIES);
  return recordOf(names, (name) => clip(style?.getPropertyValue(name) ?? '', VALUE_CHARS));
}
