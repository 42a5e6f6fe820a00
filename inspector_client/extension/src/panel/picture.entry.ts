// A screenshot in a tab of its own: `?tab=<number>&outcome=<id>`.
import { h } from '../../../ui/dom';
import { watchTab } from '../ui/link';
import { addressOf, downloadLink, type Picture, pictureOf } from '../ui/picture';
import { texts } from '../ui/texts';

const asked = new URLSearchParams(location.search);
const wanted = asked.get('outcome');
let picture: Picture | null = null;

/** Unless the picture is there, which stays. */
function say(why: string): void {
  if (!picture?.data) document.body.replaceChildren(h('p', 'empty', why));
}

function show(shown: Picture): void {
  const { name, width, height } = shown;
  document.title = name || texts.product;
  const size = h('span', 'hint', `${width} × ${height}`);
  const head = h('header', 'row', h('h1', '', name), size, downloadLink(shown));
  const image = h('img', { src: addressOf(shown), alt: texts.picture(name), width, height });
  document.body.replaceChildren(h('main', 'whole-picture', head, image));
}

const send = watchTab(Number(asked.get('tab')), {
  state({ outcomes }) {
    if (picture) return;
    const outcome = outcomes.find(({ id }) => id === wanted);
    picture = outcome ? pictureOf(outcome) : null;
    if (picture && outcome) send({ type: 'readPicture', outcome: outcome.id });
    else say(texts.pictureGone);
  },
  picture(_outcome, data) {
    if (!picture || picture.data) return;
    picture = { ...picture, data };
    if (data) show(picture);
    else say(texts.pictureGone);
  },
  ended: say,
});
