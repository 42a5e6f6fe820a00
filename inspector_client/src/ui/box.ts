import type { Box } from '../protocol';

/** The inline style of what lies at the upper left corner of the overlay, so that it covers the box. */
export const covering = ({ x, y, width, height }: Box): string =>
  `transform:translate(${x}px,${y}px);width:${width}px;height:${height}px`;
