export interface Endpoints {
  at(route: string): string;
  readonly trustedTypes: boolean;
}

/** Everything lies beside the script itself, whatever the dev server's base is. */
export function createEndpoints(scriptUrl: string): Endpoints {
  const script = new URL(scriptUrl);
  return {
    at: (route) => new URL(`.${route}`, script).href,
    trustedTypes: script.searchParams.get('tt') === '1',
  };
}
