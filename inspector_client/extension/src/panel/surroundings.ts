// In DevTools, or in a tab of its own: only here is that known.

/** Chrome's number of the tab that this panel is about; null if nothing says it. */
export function inspectedTab(): number | null {
  const inspected = chrome.devtools?.inspectedWindow.tabId;
  if (inspected !== undefined) return inspected;
  const asked = new URLSearchParams(location.search).get('tab') ?? '';
  return /^\d+$/.test(asked) ? Number(asked) : null;
}

/** DevTools have a theme of their own, which may differ from the system's. */
export function matchDevTools(): void {
  const panels = chrome.devtools?.panels;
  if (!panels) return;
  const match = (theme: string) => {
    document.documentElement.style.colorScheme = theme === 'dark' ? 'dark' : 'light';
  };
  match(panels.themeName);
  panels.setThemeChangeHandler?.(match);
}
