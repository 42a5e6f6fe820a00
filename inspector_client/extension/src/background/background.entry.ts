// The service worker: the connections of all tabs.
import { VIEW } from '../shared/messages';

chrome.runtime.onConnect.addListener((port) => {
  if (port.name !== VIEW) port.disconnect();
});
