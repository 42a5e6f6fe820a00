import { h } from '../../../../ui/dom';
import type { Field } from '../fields';
import { jsonControl } from './json';
import { listControl } from './list';
import { severalControl } from './several';
import { booleanControl, choiceControl, numberControl, scalarControl, textControl } from './simple';
import { variantsControl } from './variants';

/** Where a person writes one value. */
export interface Control {
  element: HTMLElement;
  /** What is written, as others have it: undefined is nothing. */
  write(value: unknown): void;
  /** What is wrong with what stands there, if it is no value at all. */
  unreadable?(): string;
}

export interface ControlOptions {
  field: Field;
  /** Of the element that a label is for. */
  id: string;
  /** Ids of what describes it. */
  describedBy: string;
  /** Of a datalist with what could be meant. */
  suggestions: string | undefined;
  /** Told what the person wrote. */
  changed(value: unknown): void;
}

/** Kinds that are made of several elements, and have a legend in place of a label. */
export function isGroup({ kind }: Field): boolean {
  return kind === 'list' || kind === 'several' || kind === 'variants';
}

export function createControl(options: ControlOptions): Control {
  switch (options.field.kind) {
    case 'text':
      return textControl(options);
    case 'number':
      return numberControl(options);
    case 'scalar':
      return scalarControl(options);
    case 'boolean':
      return booleanControl(options);
    case 'choice':
      return choiceControl(options);
    case 'list':
      return listControl(options, createControl);
    case 'several':
      return severalControl(options);
    case 'variants':
      return variantsControl(options, createControl);
    case 'null':
      return { element: h('code', { id: options.id }, 'null'), write: () => undefined };
    default:
      return jsonControl(options);
  }
}

export type CreateControl = typeof createControl;
