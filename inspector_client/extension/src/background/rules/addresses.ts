// Where a tab may be sent: the rules that the companion has too.
import { CommandError } from './failure';

/** The URL as Chrome reads it; throws unless it is http(s) or about:blank, and not link-local. */
export function checkUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url?.href === 'about:blank') return url.href;
  if (!url || !/^https?:$/.test(url.protocol))
    throw refused(
      `${JSON.stringify(given.slice(0, 200))} is not an http or https URL; pass a whole one such as http://localhost:5173/. ` +
        'file:, chrome: and javascript: are refused.',
    );
  if (isLinkLocal(url.hostname))
    throw refused(
      `${url.hostname} is a link-local address: metadata services of clouds live there.`,
    );
  return url.href;
}

const refused = (why: string) =>
  new CommandError('INVALID_ARGUMENTS', `'url': ${why}`, { argument: 'url' });

/** Of a host as the URL standard writes it: numbers, hex and octal have become dotted already. */
function isLinkLocal(host: string): boolean {
  if (/^169\.254(\.\d+){2}\.?$/.test(host)) return true;
  return /^\[(fe[89ab][0-9a-f]:|::ffff:a9fe:)/.test(host);
}
