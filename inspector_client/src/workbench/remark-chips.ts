import type { Remarks } from '../protocol';
import { h } from '../ui/dom';
import { intentTexts, severityTexts, sketchTexts, workbenchTexts } from './texts';

/** What a note says besides its text, short; nothing of what is as usual. */
export function remarkChips({ intent, severity, sketch }: Remarks): HTMLElement[] {
  const words = [
    // Not from everywhere does it come as one of those that we know.
    intent && intentTexts[intent],
    severity && severity !== 'normal' && severityTexts[severity],
    sketch && sketchTexts.sketch,
  ];
  const names = [workbenchTexts.intent, workbenchTexts.severity, ''];
  return words.flatMap((word, index) => {
    if (!word) return [];
    const label = [names[index], word].filter(Boolean).join(': ');
    const name = index === 1 && severity === 'high' ? 'said high' : 'said';
    return [h('span', { class: name, title: label }, word)];
  });
}
