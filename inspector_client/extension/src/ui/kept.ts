/** What a user typed stays until the browser closes: the panel is often closed and opened again. */
export async function readKept(key: string): Promise<unknown> {
  return (await chrome.storage.session.get(key))[key];
}

export function keep(key: string, value: unknown): void {
  void chrome.storage.session.set({ [key]: value });
}

export function isTexts(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((each) => typeof each === 'string')
  );
}
