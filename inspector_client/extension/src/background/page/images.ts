// Pictures in the worker: read, cut, scaled, written.
type Mime = 'image/png' | 'image/jpeg';

interface Size {
  width: number;
  height: number;
}
export interface Image extends Size {
  readonly source: CanvasImageSource;
  /** In base64. */
  encoded(mime: Mime): Promise<string>;
}

interface Box extends Size {
  x: number;
  y: number;
}

const QUALITY = 0.8;
/** Characters for one call of a function that takes each as an argument. */
const CHUNK = 0x8000;

/** What Chrome captured, in base64. */
export async function imageOf(data: string): Promise<Image> {
  const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
  const source = await createImageBitmap(new Blob([bytes]));
  const { width, height } = source;
  const part = { x: 0, y: 0, width, height };
  const encoded = async (mime: Mime) =>
    mime === 'image/png' ? data : painted(source, part, part).encoded(mime);
  return { width, height, source, encoded };
}

/** A part of an image, as large as wanted. */
export function redrawn(image: Image, part: Box, { width, height }: Size): Image {
  const lengths = [image.width, image.height, part.width, part.height];
  const isItself = lengths.join() === [width, height, width, height].join();
  return isItself ? image : painted(image.source, part, { width, height });
}

function painted(source: CanvasImageSource, part: Box, { width, height }: Size): Image {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('Chrome draws nothing here.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, part.x, part.y, part.width, part.height, 0, 0, width, height);
  const encoded = async (type: Mime) => {
    const blob = await canvas.convertToBlob({ type, quality: QUALITY });
    return base64Of(new Uint8Array(await blob.arrayBuffer()));
  };
  return { width, height, source: canvas, encoded };
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}
