// The setting "as the page": also for pages that are dark without telling the browser so.
import type { State } from '../basics';
import type { Looks } from '../ui/looks';
import type { WorkbenchParts } from '../workbench';

type Parts = Pick<WorkbenchParts, 'host' | 'picking'> & { looks: State<Looks> };

/** Follows the page's scheme while that is the setting; costs nothing until something of the page's own look changes. */
export function followPageScheme({ host, picking, looks }: Parts): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(look);

  function look(): void {
    if (looks.value.theme === 'page') host.style('color-scheme', pageScheme());
  }
  /** The switch itself may take a while to be seen. */
  function onTransition({ target }: Event): void {
    if (target === document.body || target === document.documentElement) look();
  }
  looks.watch(({ theme }) => {
    observer.disconnect();
    removeEventListener('transitionend', onTransition);
    if (theme !== 'page') return;
    observer.observe(document.documentElement, { attributes: true });
    observer.observe(document.body, { attributes: true });
    addEventListener('transitionend', onTransition);
    look();
  });
  addEventListener('load', look);
  system.addEventListener('change', look);
  // A sheet that came or went in between.
  picking.turn.watch(look);
}

/** What the page says, which we inherit; else what its background is, or for want of one its text. */
function pageScheme(): string {
  const root = getComputedStyle(document.documentElement);
  if (root.colorScheme !== 'normal') return 'inherit';
  const body = getComputedStyle(document.body);
  const background = [body, root].map(({ backgroundColor }) => rgba(backgroundColor));
  const shown = background.find((colour) => colour[3] > 127);
  if (shown) return isDark(shown) ? 'dark' : 'light';
  return isDark(rgba(body.color)) ? 'light' : 'dark';
}

type Rgba = [red: number, green: number, blue: number, alpha: number];

/** 0 to 255 each, of any notation that the browser knows. */
function rgba(colour: string): Rgba {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d');
  if (!canvas) return [255, 255, 255, 0];
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data] as Rgba;
}

const isDark = ([red, green, blue]: Rgba) => red * 0.299 + green * 0.587 + blue * 0.114 < 128;
