import type { Frame } from '../protocol';

const LOCATION = /(?:\(|@|\s)((?:https?|file):\/\/[^\s)]+?):(\d+):(\d+)\)?$/;
const FUNCTION = /^at (?:async |new )*([^\s(]+) \(|^([^@]*)@/;
/** React's own functions on the way to the place that wrote the JSX. */
const RUNTIME = /(?:^|\.)(?:jsxDEV|jsxs?|jsx(?:Prod|DEV)?Impl\w*|createElement|cloneElement)$/;
const RUNTIME_FILE = /jsx-(?:dev-)?runtime/;
const BOTTOM = /react[-_]stack[-_]bottom[-_]frame/;

/** The first frame of a React owner stack that is not React's (Chromium, Firefox and Safari forms). */
export function firstOwnFrame(stack: string): Frame | null {
  for (const raw of stack.split('\n')) {
    const line = raw.trim();
    if (BOTTOM.test(line)) return null;
    const [, url, row, column] = LOCATION.exec(line) ?? [];
    if (!url) continue;
    const called = FUNCTION.exec(line);
    if (RUNTIME.test(called?.[1] ?? called?.[2] ?? '') || RUNTIME_FILE.test(url)) continue;
    return { url, line: Number(row), column: Number(column) };
  }
  return null;
}
