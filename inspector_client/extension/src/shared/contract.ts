// What the companion and the extension agree on.
import tabs from '../../../../companion/pageside/contract/tabs.json';

export const TABS = tabs;
export const LIMITS = tabs.limits;
