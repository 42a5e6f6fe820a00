import { h } from '../../../ui/dom';
import type { Outcome } from '../shared/messages';
import { fileName } from './format';
import { texts } from './texts';

/** A screenshot among the results. */
export interface Picture {
  name: string;
  mime: string;
  /** Base64; empty as long as it was not read. */
  data: string;
  width: number;
  height: number;
}

const MIMES = ['image/png', 'image/jpeg'];

export function pictureOf({ command, result }: Outcome): Picture | null {
  if (command !== 'kapturemcp_screenshot' || typeof result !== 'object' || result === null)
    return null;
  const { name = '', mime, data = '', width = 0, height = 0 } = result as Partial<Picture>;
  if (!mime || !MIMES.includes(mime)) return null;
  return { name, mime, data, width, height };
}

/** The rest of the result, without the picture's own data. */
export function withoutData({ name, mime, width, height }: Picture): Omit<Picture, 'data'> {
  return { name, mime, width, height };
}

export const addressOf = ({ mime, data }: Picture): string => `data:${mime};base64,${data}`;

export function downloadLink(picture: Picture): HTMLElement {
  const download = fileName(picture.name, picture.mime);
  return h('a', { class: 'button small', href: addressOf(picture), download }, texts.download);
}

/** The thumbnail, which opens the picture in a page of its own, and the link to keep it. */
export function thumbnail(picture: Picture, tab: number, outcome: string): HTMLElement {
  const alt = texts.picture(picture.name);
  const image = h('img', {
    src: addressOf(picture),
    alt,
    width: picture.width,
    height: picture.height,
  });
  const href = `picture.html?tab=${tab}&outcome=${encodeURIComponent(outcome)}`;
  const open = h(
    'a',
    { class: 'thumbnail', href, target: '_blank', title: texts.openPicture },
    image,
    h('span', 'unseen', ` · ${texts.openPicture}`),
  );
  const size = h('span', 'hint', `${picture.width} × ${picture.height}`);
  return h('div', 'picture', open, h('p', 'row', size, downloadLink(picture)));
}
