import { button, setText } from '../../../ui/dom';
import type { Connection, TabState } from '../shared/messages';
import type { Send } from './link';
import { isEnabled, type Part, setEnabled } from './part';
import { texts } from './texts';

const LABELS: Record<Connection, string> = {
  idle: texts.connect,
  connecting: texts.cancel,
  connected: texts.disconnect,
  executing: texts.disconnect,
  disconnecting: texts.disconnect,
};

/** One button for both ways, so that it keeps the focus. */
export function createConnectButton(send: Send): Part<TabState> {
  let isIdle = true;
  const element = button(texts.connect, () => {
    if (isEnabled(element)) send({ type: isIdle ? 'connect' : 'disconnect' });
  });
  setEnabled(element, false);
  return {
    element,
    show({ connection, url }) {
      isIdle = connection === 'idle';
      setText(element, LABELS[connection]);
      element.classList.toggle('primary', isIdle);
      setEnabled(element, connection !== 'disconnecting' && !(isIdle && isChromes(url)));
    },
  };
}

/** Pages of the browser itself and its shop, which no extension may touch. */
export const isChromes = (url: string): boolean =>
  /^(chrome|devtools|chrome-extension|edge|brave):|^https:\/\/chromewebstore\.google\.com\//.test(
    url,
  );
