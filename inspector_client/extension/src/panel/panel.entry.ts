// The DevTools panel; as a page of its own with `?tab=<number>`.
import { VIEW } from '../shared/messages';

chrome.runtime.connect({ name: VIEW });
