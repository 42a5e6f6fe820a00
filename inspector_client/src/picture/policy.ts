// What the page's Content-Security-Policy has against drawing. Asked before, since merely trying would be a violation.

const ASK_WITHIN_MS = 3000;
const HEADERS = ['content-security-policy', 'content-security-policy-report-only'];

type Policy = Map<string, string[]>;

export interface Restrictions {
  /** Nothing of other origins may be fetched. */
  ownOnly: boolean;
}

/** Raises an error that names what the policy forbids. */
export async function restrictionsOf(page: Document): Promise<Restrictions> {
  const policies = [...(await sent(page)), ...written(page)].flatMap(parse);
  for (const policy of policies) {
    if (policy.has('require-trusted-types-for'))
      throw new Error(
        "The page's policy requires Trusted Types, so it cannot be drawn from inside.",
      );
    const images = policy.get('img-src') ?? policy.get('default-src');
    if (images && !images.includes('data:'))
      throw new Error("The page's policy forbids data: images, so it cannot be drawn from inside.");
  }
  return { ownOnly: policies.some((one) => one.has('connect-src') || one.has('default-src')) };
}

let asked: Promise<string[]> | undefined;

/** The headers that the document came with: nobody else tells them. */
function sent({ URL: url }: Document): Promise<string[]> {
  asked ??= fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(ASK_WITHIN_MS) })
    .then(({ headers }) => HEADERS.flatMap((name) => headers.get(name) ?? []))
    .catch(() => []);
  return asked;
}

function written(page: Document): string[] {
  const metas = page.querySelectorAll<HTMLMetaElement>('meta[http-equiv]');
  return [...metas]
    .filter(({ httpEquiv }) => HEADERS.includes(httpEquiv.toLowerCase()))
    .map(({ content }) => content);
}

/** Several policies may stand in one header, separated by commas. */
export function parse(text: string): Policy[] {
  return text.split(',').map((policy) => {
    const directives = policy.split(';').map((one) => one.trim().toLowerCase().split(/\s+/));
    return new Map(directives.map(([name = '', ...values]) => [name, values]));
  });
}
