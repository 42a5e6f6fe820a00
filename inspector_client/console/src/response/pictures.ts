import { h } from '../../../ui/dom';
import { texts as common, responseTexts as texts } from '../texts';
import { openDialog } from '../ui/dialog';
import { bytesOf, type Picture } from './outcome';

const MIMES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

/** Thumbnails that open large. */
export function pictures(given: Picture[]): HTMLElement {
  const shown = given.filter(({ mime }) => MIMES.has(mime));
  return h('ul', { class: 'pictures', hidden: !shown.length }, ...shown.map(thumbnail));
}

function thumbnail(picture: Picture, index: number): HTMLElement {
  const src = `data:${picture.mime};base64,${picture.data}`;
  const size = texts.pictureSize(picture.mime, bytesOf(picture.data));
  const name = texts.picture(index + 1);
  const image = h('img', { src, alt: '' });
  const open = h('button', { type: 'button', 'aria-label': name, onclick: large }, image);
  function large(): void {
    const file = `picture-${index + 1}.${picture.mime.slice('image/'.length)}`;
    const download = h('a', { href: src, download: file }, texts.download);
    openDialog({
      title: size,
      content: [h('div', { class: 'large', tabindex: 0 }, h('img', { src, alt: name })), download],
      refuse: common.close,
    });
  }
  return h('li', 'picture', open, h('span', 'size', size));
}
