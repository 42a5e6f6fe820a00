import type { State } from '../basics';
import type { Host } from './host';

/** How the user wants the overlay. */
export interface Looks {
  /** `auto`: the system's; `page`: the page's own. */
  theme: 'auto' | 'light' | 'dark' | 'page';
  /** Where toolbar and panel are. */
  side: 'left' | 'right';
}

/** `needed`: the page says nothing of its scheme to the browser, perhaps, so it takes more to find it out. */
export function showLooks(host: Host, looks: State<Looks>, needed: () => void): void {
  looks.watch(({ theme, side }) => {
    host.style(
      'color-scheme',
      theme === 'auto' ? 'light dark' : theme === 'page' ? 'inherit' : theme,
    );
    host.element.dataset.side = side;
    if (theme === 'page') needed();
  });
}
