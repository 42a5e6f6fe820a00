import { isRecord } from '../basics';
import type { Tool } from '../calls';
import { areaContextOf, elementsIn, elementsOf } from '../element/area';
import { boxOf } from '../element/deep';
import { ToolError } from '../failure';
import type { Box } from '../protocol';
import { findElement, type Locate } from './describe-element';

export function createDescribeArea(locate: Locate, host: Element): Tool {
  return async ({ containerSelector, bounds }) => {
    if (containerSelector !== undefined) {
      const { element } = findElement(containerSelector);
      return areaContextOf(boxOf(element), elementsOf(element, host), element, locate);
    }
    if (isBox(bounds)) return areaContextOf(bounds, elementsIn(bounds, host), null, locate);
    const message = "Pass 'containerSelector' or 'bounds' (x, y, width, height).";
    throw new ToolError('INVALID_ARGUMENTS', message);
  };
}

function isBox(value: unknown): value is Box {
  const { x, y, width, height } = isRecord(value) ? value : {};
  return [x, y, width, height].every(Number.isFinite) && Number(width) > 0 && Number(height) > 0;
}
