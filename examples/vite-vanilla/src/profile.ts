import type { Walk } from './walks';

const SVG = 'http://www.w3.org/2000/svg';

/** A walk's heights as a small mountain. */
export function drawProfile(walk: Walk): Element {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 90 24');
  svg.setAttribute('preserveAspectRatio', 'none');
  const line = document.createElementNS(SVG, 'polyline');
  line.setAttribute(
    'points',
    walk.heights.map((height, at) => `${at * 10},${24 - height}`).join(' '),
  );
  svg.append(line);
  return svg;
}
