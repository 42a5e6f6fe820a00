export interface Picture {
  mime: string;
  base64: string;
  /** Of what is shown, in CSS px. */
  width: number;
  height: number;
  /** Px of the image for one CSS px. */
  scale: number;
  /** Where the element begins in it, in CSS px, when it shows more than the element. */
  left?: number;
  top?: number;
}

const MAX_BASE64 = 933_000;
const JPEG_QUALITY = 0.85;
const SMALLER = 0.7;
const MIN_SCALE = 0.05;

/** PNG if it is small enough, else JPEG, else JPEGs of fewer and fewer pixels. */
export function encode(
  compose: (smaller: number) => HTMLCanvasElement,
  { width, height }: { width: number; height: number },
  scale: number,
): Picture {
  const whole = compose(1);
  const png = read(whole, 'image/png');
  if (png.length <= MAX_BASE64) return { mime: 'image/png', base64: png, width, height, scale };
  for (let smaller = 1; smaller > MIN_SCALE; smaller *= SMALLER) {
    const base64 = read(smaller === 1 ? whole : compose(smaller), 'image/jpeg', JPEG_QUALITY);
    if (base64.length <= MAX_BASE64)
      return { mime: 'image/jpeg', base64, width, height, scale: scale * smaller };
  }
  throw new Error('The picture does not become small enough.');
}

function read(canvas: HTMLCanvasElement, mime: string, quality?: number): string {
  const [head, base64] = canvas.toDataURL(mime, quality).split(',');
  // A browser that cannot encode it answers PNG, or nothing for a canvas that is too large.
  if (!base64 || !head?.includes(mime)) throw new Error(`The browser cannot encode ${mime}.`);
  return base64;
}
