const GROUPS = {
  layout:
    'display position top right bottom left zIndex width height overflow flexDirection justifyContent alignItems gridTemplateColumns',
  typography: 'fontSize fontFamily fontWeight lineHeight color textAlign',
  spacing: 'padding margin gap',
  background: 'backgroundColor backgroundImage',
  border: 'border borderRadius outline',
  effects: 'opacity boxShadow transform filter transition',
};
const VALUE_CHARS = 200;
const INLINE_PROPERTIES = 40;

export function computedStylesOf(element: Element): Record<string, Record<string, string>> {
  const style = viewOf(element).getComputedStyle(element);
  const read = (names: string) =>
    Object.fromEntries(
      names
        .split(' ')
        .map((name) => [name, String(Reflect.get(style, name) ?? '').slice(0, VALUE_CHARS)]),
    );
  return Object.fromEntries(Object.entries(GROUPS).map(([group, names]) => [group, read(names)]));
}

/** The element's own `style` declarations. */
export function inlineStylesOf(element: Element): Record<string, string> {
  const { style } = element as HTMLElement;
  return Object.fromEntries(
    [...(style ?? [])]
      .slice(0, INLINE_PROPERTIES)
      .map((name) => [name, style.getPropertyValue(name).slice(0, VALUE_CHARS)]),
  );
}

function viewOf(element: Element): Window {
  return element.ownerDocument.defaultView ?? window;
}
