const SVG = 'http://www.w3.org/2000/svg';

/** Shapes that tell without colour, on a field of 16 by 16. */
export const shapes = {
  idle: 'M8 3a5 5 0 1 0 0 10a5 5 0 1 0 0-10z',
  connecting: 'M8 2a6 6 0 0 1 6 6M8 14a6 6 0 0 1-6-6',
  connected: 'M2.5 8.5l4 4l7-9',
  executing: 'M5 3l8 5l-8 5z',
  disconnecting: 'M3 8h10',
  success: 'M2.5 8.5l4 4l7-9',
  failure: 'M4 4l8 8M12 4l-8 8',
  debug: 'M8 7v2',
  log: 'M4 8h8',
  info: 'M8 7v5M8 4v.5',
  warning: 'M8 2l6 11H2zM8 6v4M8 11.4v.3',
  error: 'M4 4l8 8M12 4l-8 8',
} as const;

export type Shape = keyof typeof shapes;

/** Decoration beside a text; with a label it speaks for itself. */
export function icon(shape: Shape, label = ''): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', shapes[shape]);
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', `icon ${shape}`);
  if (label) {
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', label);
  } else svg.setAttribute('aria-hidden', 'true');
  svg.append(path);
  return svg;
}
