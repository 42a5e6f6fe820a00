import { isRecord } from '../basics';
import type { Tool } from '../calls';
import { areaContextOf, elementsIn, elementsOf } from '../element/area';
import { boxOf } from '../element/deep';
import { ToolError } from '../failure';
import type { Box } from '../protocol';
import { findElement, type Locate } from './describe-element';

export function createDescribeArea(locate: Locate, host: Element): Tool {
  return async ({ containerSelector, bounds }) => {
    if (typeof containerSelector === 'string') {
      const [container] = findElement(containerSelector);
      return areaContextOf(boxOf(container), elementsOf(container, host), container, locate);
    }
    if (!isBox(bounds))
      throw new ToolError(
        'INVALID_ARGUMENTS',
        "Pass 'containerSelector', or 'bounds' with x, y, width and height in CSS px.",
      );
    return areaContextOf(bounds, elementsIn(bounds, host), null, locate);
  };
}

function isBox(value: unknown): value is Box {
  return (
    isRecord(value) &&
    ['x', 'y', 'width', 'height'].every((name) => Number.isFinite(value[name])) &&
    Number(value.width) > 0 &&
    Number(value.height) > 0
  );
}
