// A screenshot in a tab of its own: `?tab=<number>&outcome=<id>`.
import { h } from '../ui/dom';
import { watchTab } from '../ui/link';
import { addressOf, downloadLink, pictureOf } from '../ui/picture';
import { texts } from '../ui/texts';

const asked = new URLSearchParams(location.search);
const wanted = asked.get('outcome');
let isShown = false;

watchTab(Number(asked.get('tab')), {
  state({ outcomes }) {
    if (isShown) return;
    const outcome = outcomes.find(({ id }) => id === wanted);
    const picture = outcome && pictureOf(outcome);
    if (!picture?.data) {
      document.body.replaceChildren(h('p', 'empty', texts.pictureGone));
      return;
    }
    isShown = true;
    const { name, width, height } = picture;
    document.title = name || texts.product;
    const size = h('span', 'hint', `${width} × ${height}`);
    const head = h('header', 'row', h('h1', '', name), size, downloadLink(picture));
    const image = h('img', { src: addressOf(picture), alt: texts.picture(name), width, height });
    document.body.replaceChildren(h('main', 'whole-picture', head, image));
  },
  gone: () => document.body.replaceChildren(h('p', 'empty', texts.gone)),
});
