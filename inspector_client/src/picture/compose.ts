import { parentOf } from '../element/deep';
import type { Box } from '../protocol';
import { secretBoxes } from './mask';

/** `part` of what was drawn at `scale`, on what lies behind it, with its secrets covered. */
export function compose(
  drawn: HTMLCanvasElement,
  subject: Element,
  part: Box,
  scale: number,
  smaller: number,
): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const factor = scale * smaller;
  canvas.width = Math.max(1, Math.round(part.width * factor));
  canvas.height = Math.max(1, Math.round(part.height * factor));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser gives no canvas to draw on.');
  context.globalAlpha = paintBackdrop(context, subject);
  context.scale(factor, factor);
  context.translate(-part.x, -part.y);
  context.drawImage(drawn, 0, 0, drawn.width / scale, drawn.height / scale);
  context.globalAlpha = 1;
  context.fillStyle = '#8a8a8a';
  for (const { x, y, width, height } of secretBoxes(subject)) context.fillRect(x, y, width, height);
  return canvas;
}

/** What shines through: white, and the colours of all that lies around the element. Returns how opaque that leaves it. */
function paintBackdrop(context: CanvasRenderingContext2D, element: Element): number {
  const { width, height } = context.canvas;
  const colours = ['#fff'];
  let opacity = 1;
  for (let at = parentOf(element); at; at = parentOf(at)) {
    const style = getComputedStyle(at);
    colours.splice(1, 0, style.backgroundColor);
    opacity *= Number(style.opacity);
  }
  for (const colour of colours) {
    context.fillStyle = colour;
    context.fillRect(0, 0, width, height);
  }
  return opacity;
}
