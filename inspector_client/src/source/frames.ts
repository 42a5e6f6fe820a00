import type { Frame } from '../protocol';

const LOCATION = /(https?|file):\/\/[^\s)]+:\d+:\d+/;
/** React's own functions and files on the way to the place that wrote the JSX. */
const RUNTIME = /(^at |\.|^)(jsx\w*|c\w+Element)( \(|@)|jsx-(dev-)?runtime/;
const BOTTOM = /react.stack.bottom.frame/;

/** The first frame of a React owner stack that is not React's. */
export function firstOwnFrame(stack: string): Frame | null {
  for (const raw of stack.split('\n')) {
    const line = raw.trim();
    if (BOTTOM.test(line)) break;
    const frame = frameOf(line);
    if (frame && !RUNTIME.test(line)) return frame;
  }
  return null;
}

/** All frames of a stack (Chromium, Firefox and Safari forms), the innermost first. */
export function framesOf(stack: string): Frame[] {
  return stack.split('\n').flatMap((line) => frameOf(line) ?? []);
}

function frameOf(line: string): Frame | null {
  const parts = LOCATION.exec(line)?.[0].split(':');
  if (!parts) return null;
  const [row, column] = parts.splice(-2);
  return { url: parts.join(':'), line: Number(row), column: Number(column) };
}
