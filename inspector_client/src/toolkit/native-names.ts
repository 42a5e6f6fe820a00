import type { Labels } from './labels';
import type { Trail } from './names';
import { presenceOf } from './tree';

/** The text within an element, as far as the trail has not been there. */
type Inside = (element: Element, trail: Trail) => string;

/** Names that HTML and SVG give by their own means: labels, `alt`, captions, the words on a button. */
export type NativeNames = (element: Element, trail: Trail) => string;

const WORDS: Partial<Record<string, string>> = { submit: 'Submit', reset: 'Reset' };

const PARTS: Partial<Record<string, string>> = {
  fieldset: 'legend',
  figure: 'figcaption',
  table: 'caption',
};

export function createNativeNames(labels: Labels, inside: Inside): NativeNames {
  function byLabels(element: Element, trail: Trail): string {
    return labels(element)
      .filter((label) => !trail.seen.has(label) && (trail.hidden || presenceOf(label) === 'shown'))
      .map((label) => inside(label, { ...trail, seen: new Set([...trail.seen, label]) }))
      .join(' ')
      .trim();
  }
  function byPart(element: Element, trail: Trail): string {
    const part = element.querySelector(`:scope>${PARTS[element.localName]}`);
    return part ? inside(part, trail).trim() : '';
  }
  return (element, trail) => {
    switch (element.localName) {
      case 'input':
        return byLabels(element, trail) || buttonWords(element as HTMLInputElement);
      case 'button':
      case 'meter':
      case 'output':
      case 'progress':
      case 'select':
      case 'textarea':
        return byLabels(element, trail);
      case 'area':
      case 'img':
        return element.getAttribute('alt')?.trim() ?? '';
      case 'fieldset':
      case 'figure':
      case 'table':
        return byPart(element, trail);
      case 'optgroup':
      case 'option':
        return element.getAttribute('label')?.trim() ?? '';
      default:
        return drawingTitle(element);
    }
  };
}

function buttonWords(input: HTMLInputElement): string {
  const { type } = input;
  if (type === 'image') return input.alt || input.value || input.title || 'Submit';
  const isButton = type === 'button' || type in WORDS;
  return isButton ? input.value || input.title || (WORDS[type] ?? '') : '';
}

function drawingTitle(element: Element): string {
  if (!('ownerSVGElement' in element)) return '';
  return element.querySelector(':scope>title')?.textContent?.trim() ?? '';
}
