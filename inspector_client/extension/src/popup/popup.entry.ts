// The popup of the toolbar button.
import { VIEW } from '../shared/messages';

chrome.runtime.connect({ name: VIEW });
