/** Why a place that the page knows is not exact, and what to do about it. */
export const REASONS = {
  unreadable: {
    exact: false,
    reason: 'The source file cannot be read.',
    fix: 'If it belongs to the project, add its folder to server.fs.allow in the Vite config.',
  },
  changed: {
    exact: false,
    reason: 'The file has changed here since the page loaded it.',
    fix: 'Save what is open, wait for the update or reload the page, and look again.',
  },
  old: {
    exact: false,
    reason: 'The module has been updated since the element was made.',
    fix: 'Reload the page and look again.',
  },
  wholeFile: {
    exact: false,
    reason:
      'Only the file is known: code made the element, or a template in another language than HTML.',
    fix: 'Search the file for its tag, text or class.',
  },
  usedOnly: (maker: string) => ({
    exact: false,
    reason: `This is where its component is used; code in ${maker} makes the element.`,
    fix: `Look into ${maker} as well.`,
  }),
  made: { fix: 'Follow what that code is given: the text or tag comes from there.' },
} as const;
