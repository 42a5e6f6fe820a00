// Text as one reads it: a line for each block, headings and list items marked.
import { collapsed } from '../element/redact';
import { REDACTED } from './values';

/** How a tree is read: the page as it is drawn, or a copy that has no looks. */
export interface Reading {
  children(element: Element, visit: (child: Node) => void): void;
  isBlock(element: Element): boolean;
  isSkipped(element: Element): boolean;
}

const HEADING = /^h([1-6])$/;

export function plainText(root: Element, reading: Reading): string[] {
  const lines: string[] = [];
  let line = '';
  let mark = '';

  function flush(): void {
    const text = collapsed(line);
    if (text) {
      lines.push(mark + text);
      mark = '';
    }
    line = '';
  }

  function visit(node: Node): void {
    if (node.nodeType === 3) line += (node as Text).data;
    else if (node.nodeType === 1) visitElement(node as Element);
  }

  function visitElement(element: Element): void {
    if (reading.isSkipped(element)) return;
    const { localName } = element;
    if (element.hasAttribute('data-private')) line += ` ${REDACTED} `;
    else if (localName === 'br') flush();
    else if (localName === 'pre') preformatted(element);
    else if (/^t[dh]$/.test(localName)) cell(element);
    else if (reading.isBlock(element)) block(element);
    else reading.children(element, visit);
  }

  function block(element: Element): void {
    flush();
    mark = markOf(element) || mark;
    reading.children(element, visit);
    flush();
    if (markOf(element)) mark = '';
  }

  function cell(element: Element): void {
    if (line.trim()) line += ' | ';
    reading.children(element, visit);
  }

  function preformatted(element: Element): void {
    flush();
    lines.push(...(element.textContent ?? '').split('\n').filter((each) => each.trim()));
  }

  visit(root);
  flush();
  return lines;
}

function markOf(element: Element): string {
  const level = HEADING.exec(element.localName)?.[1];
  if (level) return `${'#'.repeat(Number(level))} `;
  return element.localName === 'li' ? '- ' : '';
}
