// The scripts that run in pages; they are built from the companion's own sources.
export interface InPage {
  script(name: 'toolkit' | 'tracker' | 'serialise'): Promise<string>;
}

/** `load` reads a file of the extension. */
export function createInPage(load: (path: string) => Promise<string>): InPage {
  const loaded = new Map<string, Promise<string>>();
  return {
    script(name) {
      const known =
        loaded.get(name) ?? load(`${name}.js`).then((text) => text.trim().replace(/;$/, ''));
      loaded.set(name, known);
      return known;
    },
  };
}
