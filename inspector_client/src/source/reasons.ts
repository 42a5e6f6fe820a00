/** Why there is no exact place, and what to do about it. */
export interface Why {
  reason: string;
  fix: string;
}

const SEARCH = 'Search the project for its text or class.';
const NAMES: Record<string, string> = {
  html: 'the page',
  dom: 'the page',
  lit: 'Lit',
  'web-component': 'the component',
};

function frameworkName(framework: string): string {
  return NAMES[framework] ?? framework.replace(/^./, (first) => first.toUpperCase());
}

/** All that Pageside says where the page finds no exact place; docs/sources.md has the same list. */
export const reasons = {
  pageside: {
    reason: 'This is Pageside itself, no part of the app.',
    fix: 'Pick an element of the page.',
  },
  extension: {
    reason: 'A browser extension put this into the page.',
    fix: 'Nothing in the project makes it; switch the extension off to see the page without it.',
  },
  unchecked: {
    reason: 'The dev server did not answer, so the place is unchecked.',
    fix: 'See whether the dev server runs, then reload the page.',
  },
  closed: {
    reason: 'What is inside lies in a closed shadow root; this is the place of its host.',
    fix: 'Look into the file that defines this custom element.',
  },
  otherOrigin: {
    reason: 'The page in this frame has another origin; this is the place of the frame.',
    fix: 'Open that page in a tab of its own, from a dev server with Pageside.',
  },
  option: (name: string): Why => ({
    reason: `The option ${name} of pageside() is off, so these elements do not know their places.`,
    fix: `Remove ${name}: false from pageside() in the Vite config.`,
  }),
  production: (framework: string): Why => ({
    reason: `${frameworkName(framework)} runs in its production build, which keeps no places.`,
    fix: "Open the page from Vite's dev server in mode development.",
  }),
  byProperty: (by: string, tag: string): Why => ({
    reason: `Made by ${by} of <${tag}>; this is the place of that element.`,
    fix: `See what ${by} is given there; the text comes from it.`,
  }),
  byPackage: (by: string, tag: string): Why => ({
    reason: `A package made it with ${by}, inside <${tag}>; this is the place of that element.`,
    fix: 'See what the project gives that package.',
  }),
  byScript: (framework: string, tag: string, isNoted: boolean): Why => ({
    reason:
      `Not in a template of ${frameworkName(framework)}: innerHTML or a script put it into <${tag}>; ` +
      'this is the place of that element.',
    fix: isNoted ? SEARCH : `${SEARCH} With dom: true in pageside(), Pageside tells which code.`,
  }),
  server: (isNoted: boolean): Why => ({
    reason: isNoted
      ? "It came in the server's HTML, and no framework in the page has taken it over."
      : "It came in the server's HTML, or a script made it; no framework in the page knows it.",
    fix: `${SEARCH} If a framework shall render it in the page too, hydrate it (in Astro: client:load).`,
  }),
  ofPackage: (name: string): Why => ({
    reason: `It belongs to the package ${name}, and no use of that by the project is known.`,
    fix: 'Change how the project sets that package up, not node_modules.',
  }),
} as const;
